"""The dialog of thresholds offers films to carry from: other splits, and other cohorts of the same model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.ui.explore.threshold_calls import calls
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.explorer.analysis.thresholds.test_carried import films
from tests.support.small_cohort import MODEL, NAME, store_of, write_small

STATE = {"cohort": cohort_id(NAME), "model": model_id(NAME, MODEL)}


def test_thresholds_of_a_split_or_a_cohort_are_carried_on_the_page(tmp_path: Path) -> None:
    folders = [write_small(tmp_path, list(films("x")), {"Mass": 0.2}, name=name) for name in (NAME, "clinic")]
    store = store_of(*folders, write_small(tmp_path, list(films("x")), {}, name="strange", model="another"))
    offered = {call.__name__: call for call in calls(Services(store, Images(), None, IntervalsJob(store)))}

    def ask(name: str, **more: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(json.dumps(offered[name]({"state": STATE, **more}), allow_nan=False))
        return answer

    shown = ask("thresholds_shown")
    places = {each["word"]: each["name"] for each in shown["places"]}
    assert places["from split=val"] == "split val, for other films"
    assert places["from clinic"] == "all films of clinic, for these"
    assert "from split=test" not in places and "from strange" not in places
    chosen = ask("thresholds_chosen", rule="youden", where="from split=val")
    assert chosen["where"] == "from split=val" and "split test" in chosen["films"]
    assert chosen["lines"][0]["least"] == pytest.approx(0.5) and chosen["lines"][0]["sensitivity"]["n"] == 2
    other = ask("thresholds_chosen", rule="youden", where="from clinic")
    assert other["where"] == "from clinic" and "of clinic (8 films)" in other["words"]
    wrong = ask("thresholds_chosen", rule="youden", where="from nowhere")
    assert wrong["stage"] == "refused" and "nowhere" in wrong["title"]
