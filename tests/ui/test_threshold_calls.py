"""What the dialog of thresholds asks: shown, chosen, set by hand, taken back; nothing while labels are hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.explore import slice_calls, threshold_calls
from explorer.ui.shared.links import slice_words
from explorer.ui.shared.services import Services
from tests.support.wording import Wording

STATE = {"state": slice_words(Slice("phantom", "phantom", finding="Mass"))}
NAMES = ["thresholds_shown", "thresholds_chosen", "thresholds_by_hand", "thresholds_own"]


class Asked:
    """The calls by name, on the shipped phantom with a folder of the visitor's own."""

    def __init__(self, place: Path) -> None:
        self.folder = Folder(CACHE / "phantom", place)
        store = Store(lambda: (self.folder,))
        self.job = IntervalsJob(store, resamples=20)
        services = Services(store, Images(), None, self.job)
        made = [*threshold_calls.calls(services), *slice_calls.calls(services)]
        self.calls = {call.__name__: call for call in made}

    def __call__(self, name: str, **more: object) -> Any:  # noqa: ANN401 - an answer, as JSON
        return self.calls[name](STATE | more)


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Asked]:
    made = Asked(tmp_path / "own")
    yield made
    made.job.close()


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """For what is asked in vain: nothing is written, and so the next test finds it as the first did."""
    made = Asked(tmp_path_factory.mktemp("refused") / "own")
    yield made
    made.job.close()


@pytest.mark.slow
def test_from_the_models_own_to_a_rule_a_hand_and_back(ask: Asked, wording: Wording) -> None:
    own = ask("thresholds_shown")
    assert own["own"] and own["rule"] is None and len(own["lines"]) == 30
    assert [place["word"] for place in own["places"]] == ["", "center=A", "center=B"]
    before = ask("slice_page")
    assert before["thresholds"] == "the model's own"
    ruled = ask("thresholds_chosen", rule="sens90", where="center=A")
    assert (ruled["own"], ruled["rule"], ruled["where"]) == (False, "sens90", "center=A")
    assert all(line["sensitivity"]["value"] >= 0.9 for line in ruled["lines"] if line["least"] is not None)
    page = ask("slice_page")
    said = page["thresholds"]
    assert all(each in said for each in ("at least 0.90", "center A (1,100 films)", "in-sample on 1,100 films"))
    wording(said)
    assert page["facets_version"] != before["facets_version"]
    assert {item["threshold"] for item in page["items"]} != {item["threshold"] for item in before["items"]}
    hand = ask("thresholds_by_hand", finding="Mass", value=0.25)
    (mass,) = (line for line in hand["lines"] if line["finding"] == "Mass")
    assert (mass["least"], mass["most"], mass["by_hand"], hand["rule"]) == (0.25, 0.25, True, "sens90")
    assert {item["threshold"] for item in ask("slice_page")["items"]} == {0.25}
    assert ask("thresholds_own") == own
    assert ask("slice_page")["items"] == before["items"]
    assert not [path for path in ask.folder.places()[-1].rglob("*") if path.is_file()]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_told_or_changed_while_labels_are_hidden(refused: Asked, name: str) -> None:
    hidden = {"state": STATE["state"] | {"hide": "1"}, "rule": "f1", "where": "", "finding": "Mass", "value": 0.5}
    answer = refused.calls[name](hidden)
    assert set(answer) == {"stage", "title", "detail"} and "Mass" not in json.dumps(answer)
    assert not refused.folder.places()[-1].exists()


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("thresholds_chosen", {"rule": "best", "where": ""}),
        ("thresholds_chosen", {"rule": ["f1"], "where": ""}),
        ("thresholds_chosen", {"rule": "f1", "where": "center=C"}),
        ("thresholds_chosen", {"rule": "f1", "where": "fold"}),
        ("thresholds_by_hand", {"finding": "Mass", "value": "0.5"}),
        ("thresholds_by_hand", {"finding": "Mass", "value": True}),
        ("thresholds_by_hand", {"finding": "Mass", "value": -1}),
        ("thresholds_by_hand", {"finding": "'; DROP", "value": 0.5}),
        ("thresholds_by_hand", {"value": 0.5}),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(refused: Asked, name: str, sent: dict[str, object]) -> None:
    answer = refused(name, **sent)
    assert answer["stage"] == "refused" and answer["detail"].endswith(".")
    assert not refused.folder.places()[-1].exists()


def test_what_cannot_be_written_is_said(ask: Asked, wording: Wording) -> None:
    (ask.folder.chosen_thresholds("phantom") / "a folder where the file belongs").mkdir(parents=True)
    answer = ask("thresholds_chosen", rule="f1", where="")
    assert answer["stage"] == "refused"
    wording(answer["title"])
