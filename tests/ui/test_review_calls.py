"""The calls of Teach's *Reviews* section, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE
from explorer.school.reviews.review_files import opened_review, review_file
from explorer.store.store import Store
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.teach.review_calls import ReviewCalls
from tests.explorer.school.reviews.made_reviews import next_id, own
from tests.support.wording import Wording

STATE = {"cohort": cohort_id("phantom"), "model": model_id("phantom", "phantom"), "outcome": "miss"}
ASKED = {"state": STATE, "name": "new", "readers": 2, "per_film": 3, "films": 5, "suggest": "none"}


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReviewCalls]:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    with closing(Store()) as store:
        yield ReviewCalls(store, Images())


def test_a_review_is_made_listed_and_its_agreement_counted(calls: ReviewCalls) -> None:
    assert calls.reviews_listed(None) == {"stage": "reviews", "reviews": [], "made": "", "notes": []}
    looked = calls.review_slice({"state": STATE})
    assert looked["stage"] == "slice" and looked["films"] > 100 and "Normal" not in looked["findings"]
    made = calls.review_made(ASKED | {"findings": ["Mass", "Nodule"]})
    assert made["stage"] == "reviews" and made["made"] == "new", made
    (line,) = made["reviews"]
    assert line["serve"].endswith("review serve new")
    assert [(each["reader"], each["done"], each["readings"]) for each in line["readers"]] == [
        ("R1", 0, 6),
        ("R2", 0, 6),
    ]
    with closing(opened_review("new")) as database:
        assert database.codes == tuple(each["code"] for each in line["readers"])
        assert database.review.findings == ("Mass", "Nodule")
        for reader in range(2):
            for each in database.readings_of(reader):
                database.vote(reader, each.place, next_id(), own("Mass"))
    released = calls.review_released({"name": "new", "protocol": "majority", "source": "three", "to": "phantom"})
    assert released["stage"] == "refused" and "shipped" in released["title"]
    sent = {"name": "new", "protocol": "majority", "source": "three", "to": "copied"}
    released = calls.review_released(sent)
    assert released["stage"] == "released" and "10 labels of 5 films" in released["words"][-1], released
    assert released["address"].startswith(f"#evaluate?cohort={cohort_id('copied')}&labels=")
    assert calls.review_released(sent | {"protocol": "none"})["stage"] == "refused"
    counted = calls.review_agreement({"name": "new"})
    assert counted["stage"] == "agreement"
    assert [grid["title"] for grid in counted["grids"]] == ["Agreement by finding", "Each reader", "Pairs of readers"]


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "Not a name"},
        {"readers": 0},
        {"films": "many"},
        {"suggest": "secret.csv"},
        {"findings": ["Mas"]},
        {"state": STATE | {"marked": "nothing"}},
    ],
)
def test_what_cannot_be_made_is_refused(calls: ReviewCalls, changed: dict[str, object], wording: Wording) -> None:
    refused = calls.review_made(ASKED | changed)
    assert refused["stage"] == "refused" and not list(review_file("new").parent.glob("*"))
    wording(f"{refused['title']}. {str(refused['detail'])[:80]}")


def test_a_review_that_cannot_be_read_is_listed_with_the_reason(calls: ReviewCalls) -> None:
    calls.review_made(ASKED | {"findings": ["Mass"]})
    review_file("bad").write_bytes(b"nothing of the kind" * 100)
    bad, new = calls.reviews_listed(None)["reviews"]
    assert "cannot be read" in bad["words"][0] and not bad["readers"] and new["name"] == "new"
    assert calls.review_agreement({"name": "none"})["stage"] == "refused"
