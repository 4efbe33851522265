"""The calls of Teach's *Reviews* section, without a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE
from explorer.school.reviews.review import Vote
from explorer.school.reviews.review_files import opened_review, review_file
from explorer.store.store import Store
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.teach.review_calls import ReviewCalls
from explorer.ui.teach.review_study_calls import ReviewStudyCalls
from tests.explorer.school.reviews.made_reviews import next_id, own
from tests.support.wording import Wording

STATE = {"cohort": cohort_id("phantom"), "model": model_id("phantom", "phantom"), "outcome": "miss"}
ASKED = {"state": STATE, "name": "new", "readers": 2, "per_film": 3, "films": 5, "suggest": "none"}
ASKED |= {"anchors": 0, "repeats": 20, "strata": "", "label_set": ""}


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
    votes = calls.review_votes({"name": "new"})
    assert votes["stage"] == "text" and votes["name"] == "votes-new.csv"
    assert len(votes["content"].splitlines()) == 1 + 12
    counted = calls.review_agreement({"name": "new"})
    assert counted["stage"] == "agreement"
    titles = "Agreement by finding", "Each reader", "Pairs of readers"
    by_finding = "Each reader, by finding", "Pairs of readers, by finding"
    assert [grid["title"] for grid in counted["grids"]] == [*titles, *by_finding]


def test_a_review_of_a_label_set_has_anchors_strata_and_repeats(calls: ReviewCalls) -> None:
    looked = calls.review_slice({"state": STATE})
    assert looked["stage"] == "slice"
    sets = {each["name"]: each["findings"] for each in looked["label_sets"]}
    assert len(sets["REVEAL-CXR"]) == 12 and "COPD" in sets["REVEAL-CXR"] and "No Finding" not in sets["CheXpert"]
    chosen = {"label_set": "REVEAL-CXR", "findings": ["COPD", "Pleural Effusion"], "suggest": "model", "per_film": 1}
    made = calls.review_made(ASKED | chosen | {"strata": "6", "anchors": 2, "repeats": 0})
    assert made["stage"] == "reviews", made
    assert "Never suggested by phantom above its thresholds: COPD." in made["notes"][0]
    with closing(opened_review("new")) as database:
        review = database.review
        assert review.findings == ("COPD", "Pleural Effusion") and len(review.films) == 6
        assert all(film.suggested == ("Pleural Effusion",) for film in review.films)
        shares = [{each.film for each in database.readings_of(reader)} for reader in range(2)]
    assert len(shares[0] & shares[1]) == 2 and len(shares[0] | shares[1]) == 6


@pytest.mark.parametrize(
    "changed",
    [
        {"strata": "6, six"},
        {"strata": "5001"},
        {"strata": "9" * 5000},
        {"repeats": 60},
        {"anchors": -1},
        {"label_set": "nobody"},
        {"findings": ["Nobody"]},
    ],
)
def test_what_cannot_be_drawn_or_asked_is_refused(calls: ReviewCalls, changed: dict[str, object]) -> None:
    assert calls.review_made(ASKED | {"findings": ["Mass"]} | changed)["stage"] == "refused"
    assert calls.reviews_listed(None)["reviews"] == []


def vote_all(name: str, votes: list[Vote]) -> None:
    """Each reader gives one vote on every film."""
    with closing(opened_review(name)) as database:
        for reader, vote in enumerate(votes):
            for each in database.readings_of(reader):
                database.vote(reader, each.place, next_id(), vote)


def test_a_tie_goes_to_a_further_reader(calls: ReviewCalls, wording: Wording) -> None:
    calls.review_made(ASKED | {"findings": ["Mass"], "order": "helpful"})
    with closing(opened_review("new")) as database:
        assert database.review.rules.order == "helpful"
    refused = calls.review_adjudicated({"name": "new", "new_reader": True})
    assert refused["stage"] == "refused"
    vote_all("new", [own("Mass"), own()])
    (line,) = calls.reviews_listed(None)["reviews"]
    assert (line["ties"], line["waiting"]) == (5, 0)
    assert calls.review_adjudicated({"name": "new", "new_reader": False})["stage"] == "refused"  # both have read them
    given = calls.review_adjudicated({"name": "new", "new_reader": True})
    assert given["stage"] == "reviews", given
    (line,) = given["reviews"]
    assert (line["ties"], line["waiting"]) == (5, 5)
    wording(line["words"], "5 of these wait")
    assert given["notes"] == ["R3 gets 5 more films.", f"The code of the new reader: {line['readers'][2]['code']}"]
    with closing(opened_review("new")) as database:
        for each in database.readings_of(2):
            database.vote(2, each.place, next_id(), own())
    (line,) = calls.reviews_listed(None)["reviews"]
    assert (line["ties"], line["waiting"]) == (0, 0)


def test_reveals_selection_is_released_in_two_halves(calls: ReviewCalls) -> None:
    calls.review_made(ASKED | {"suggest": "model", "films": 12, "findings": ["Mass", "Nodule"]})
    vote_all("new", [Vote("agree all"), Vote("agree all")])
    sent = {"name": "new", "protocol": "reveal", "source": "three", "to": "copied", "rare": ["Mass"], "select": 8}
    released = calls.review_released(sent)
    assert released["stage"] == "released" and "8 labels of 4 films" in released["words"][-1], released
    assert [grid["title"] for grid in released["grids"]] == ["The two halves", "Balance"]
    for wrong in ({"select": 1}, {"select": "all"}, {"rare": ["Fracture"]}):
        refused = calls.review_released(sent | {"to": "other"} | wrong)
        assert refused["stage"] == "refused"


def test_labels_are_suggested_by_a_file_of_doubtful_labels(calls: ReviewCalls, wording: Wording) -> None:
    asked = ASKED | {"findings": ["Mass", "Nodule"], "issues": True, "films": 2}
    made = calls.review_made(asked | {"name": "doubts"})
    assert made["stage"] == "reviews" and made["reviews"][0]["about"].startswith("Label issues in"), made
    with closing(opened_review("doubts")) as database:
        cases = [film.case for film in database.review.films]
    films = [{"case": case, "findings": {"Mass": "uncertain", "Nodule": "absent"}} for case in cases]
    text = json.dumps({"films": films})
    sent = asked | {"suggest": "file", "file": {"name": "C:\\llm.json", "parts": [text[:20], text[20:]]}}
    made = calls.review_made(sent)
    assert made["stage"] == "reviews", made
    line = next(each for each in made["reviews"] if each["name"] == "new")
    assert line["suggested_from"] == "the file llm.json" and line["suggests"]
    with closing(opened_review("new")) as database:
        assert {film.case: film.uncertain for film in database.review.films} == dict.fromkeys(cases, ("Mass",))
    for name, text in (("a.json", "{"), ("a.csv", "case\n"), ("a.json", '{"films": [{"case": "x", "findings": {}}]}')):
        refused = calls.review_made(sent | {"name": "other", "file": {"name": name, "parts": [text]}})
        assert refused["stage"] == "refused"
        wording(f"{refused['title']}. {refused['detail']}")
    other = calls.review_made(sent | {"name": "other", "file": {"name": "a.csv", "parts": ["case\ncl\ufffdnica\n"]}})
    assert other["stage"] == "refused" and other["title"] == "The file is not text in UTF-8"
    for file in (None, {"name": "", "parts": []}, {"name": "x.exe", "parts": ["1"]}):
        assert calls.review_made(sent | {"name": "other", "file": file})["stage"] == "refused"


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "Not a name"},
        {"readers": 0},
        {"films": "many"},
        {"suggest": "secret.csv"},
        {"order": "best"},
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
    for call in (calls.review_agreement, calls.review_votes):
        assert call({"name": "none"})["stage"] == "refused"
    assert calls.review_votes({"name": "new"})["title"] == "No reader has voted yet"


def test_votes_become_a_reader_study(calls: ReviewCalls, wording: Wording) -> None:
    study = ReviewStudyCalls(calls._store)  # noqa: SLF001
    state = {key: STATE[key] for key in ("cohort", "model")}
    calls.review_made(ASKED | {"state": state, "films": 80, "findings": ["Pleural Effusion", "Mass"]})
    unread = study.review_study({"name": "new", "finding": ""})
    assert unread["stage"] == "study" and unread["finding"] == "", unread
    assert {each["why_not"] for each in unread["findings"]} == {"no reader"}
    with closing(opened_review("new")) as database:
        for reader in range(2):
            for each in database.readings_of(reader):
                seen = {"Pleural Effusion"} if (each.film + reader) % 3 else {"Mass"}
                database.vote(reader, each.place, next_id(), replace(own(*seen), certainty=2))
    found = study.review_study({"name": "new", "finding": ""})
    assert found["stage"] == "study" and found["finding"] == "Pleural Effusion", found
    assert [grid["title"] for grid in found["grids"]] == [
        "Mean AUROC of the readers",
        "Models against readers",
        "Each reader and model",
    ]
    assert found["command"] == 'python -m explorer readers --review new --finding "Pleural Effusion"'
    assert found["modalities"] == 1 and found["switches"] is None
    planned = study.review_study({"name": "new", "finding": "", "difference": 0.05})
    assert planned["stage"] == "study" and planned["command"].endswith("--difference 0.05")
    wording(next(note for note in planned["notes"] if "sample size" in note))
    saved = study.review_study_file({"name": "new", "finding": "Pleural Effusion", "format": "csv"})
    assert saved["stage"] == "text" and saved["name"] == "reader-study-pleural-effusion.csv"
    assert "R2" in saved["content"] and "phantom" in saved["content"]
    for wrong in ({"name": "none"}, {"name": "new", "finding": "Hernia"}, {"name": "new", "difference": "large"}):
        assert study.review_study(wrong)["stage"] == "refused"
