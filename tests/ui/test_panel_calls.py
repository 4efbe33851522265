"""What the panels answer beside their numbers: thumbnails, nothing while labels are hidden, refusals in words."""

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
from explorer.ui.explore.panel_calls import calls
from explorer.ui.shared.links import slice_words
from explorer.ui.shared.services import Services
from tests.ui.counted_apart import COHORT, MODEL


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    store = Store(lambda: (Folder(CACHE / COHORT),))
    job = IntervalsJob(store, resamples=20)
    yield Services(store, Images(), None, job)
    job.close()


def test_a_film_that_is_there_has_a_thumbnail(services: Services, shared: Path) -> None:
    images = Images({"nih": shared / "data" / "nih_cxr14"})
    with_images = Services(services.store, images, None, services.intervals)
    (issues,) = (call for call in calls(with_images) if call.__name__ == "label_issues")
    answer: Any = issues({"state": slice_words(Slice(COHORT, MODEL))})
    films = [film for rule in answer["rules"] for issue in rule["issues"] for film in issue["films"]]
    assert films and all(film["thumb"].startswith("/tailscope/thumb/") for film in films)
    assert not any(film["case"] in film["thumb"] for film in films)


PANELS = ["cell_table", "cell_intervals", "prevalence", "two_slices", "compared_intervals"]
PANELS += ["confused_with", "label_issues"]
PANELS += ["where_it_fails", "where_it_fails_file", "crosswalk", "crosswalk_file"]


@pytest.mark.parametrize("panel", PANELS)
def test_nothing_is_told_while_labels_are_hidden(services: Services, panel: str) -> None:
    (call,) = (call for call in calls(services) if call.__name__ == panel)
    answer: Any = call({"state": slice_words(Slice(COHORT, MODEL, finding="Mass")) | {"hide": "1"}})
    assert set(answer) == {"stage", "title", "detail"}
    assert "Mass" not in json.dumps(answer) and not any(digit in json.dumps(answer) for digit in "0123456789")


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("sent", [None, "state", {"state": 3}, {"state": {"finding": "no-such-finding"}}])
def test_what_cannot_be_is_refused_in_words_or_read_as_nothing(services: Services, panel: str, sent: object) -> None:
    (call,) = (call for call in calls(services) if call.__name__ == panel)
    answer: Any = call(sent)
    assert answer["stage"]
    if isinstance(sent, dict) and sent["state"] != 3:
        assert answer["stage"] == "refused" and answer["detail"].endswith(".")
