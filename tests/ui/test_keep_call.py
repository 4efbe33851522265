"""The page's call that keeps an ensemble: it is a choice at once; bad words are refused and write nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE
from explorer.store.store import Store
from explorer.ui.evaluate.keep_call import calls
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.support.several_models import write_several
from tests.support.small_cohort import NAME

Json = dict[str, Any]
WORDS = {"cohort": cohort_id(NAME), "models": ".".join(model_id(NAME, model) for model in ("one", "two"))}


@pytest.fixture
def keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[object], Json]]:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    write_several(tmp_path / "cohorts", 3, 60)
    store = Store()
    with closing(IntervalsJob(store, resamples=5)) as job, closing(store):
        (call,) = calls(Services(store, Images(), None, job))

        def asked(sent: object) -> Json:
            answer: Json = json.loads(json.dumps(call(sent), allow_nan=False))
            return answer

        yield asked


def files(place: Path) -> dict[Path, bytes]:
    """All but prepared ones, which are made when they are needed."""
    those = (path for path in place.rglob("*") if path.is_file() and "prepared" not in path.parts)
    return {path: path.read_bytes() for path in those}


def test_it_is_a_choice_at_once_and_the_answer_says_how_it_goes_again(keep: Callable[[object], Json]) -> None:
    answer = keep({"state": {**WORDS, "mean": "logits"}, "name": "pair"})
    assert answer["stage"] == "kept" and "one and two" in answer["says"]
    assert f"ensemble --cohort {NAME} --name pair --delete" in answer["says"]
    assert {each["name"]: each["chosen"] for each in answer["choices"]["models"]} == {
        "one": True,
        "two": True,
        "three": False,
        "pair": False,
    }


@pytest.mark.parametrize(
    "sent",
    [
        None,
        {"state": WORDS},
        {"state": WORDS, "name": 7},
        {"state": WORDS, "name": ""},
        {"state": WORDS, "name": "../../up"},
        {"state": WORDS, "name": "one"},
        {"state": {**WORDS, "mean": "luck"}, "name": "pair"},
        {"state": {**WORDS, "models": "nobody"}, "name": "pair"},
        {"state": {**WORDS, "models": model_id(NAME, "one")}, "name": "pair"},
        {"state": {"cohort": "nowhere"}, "name": "pair"},
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    keep: Callable[[object], Json], tmp_path: Path, sent: object
) -> None:
    before = files(tmp_path)
    answer = keep(sent)
    assert answer["stage"] == "refused" and answer["title"] and answer["detail"]
    assert files(tmp_path) == before
