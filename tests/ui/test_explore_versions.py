"""A page of films, its counts and its filters are of one version of the cohort, also while it changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pyarrow as pa
import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import PREDICTIONS
from explorer.store.results import Count
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.explore.slice_calls import NoPagePayload, PagePayload, calls
from explorer.ui.shared.services import Services
from tests.support.small_cohort import Film, write_small

STATE = {"finding": "mass", "outcome": "miss"}


class Changed(Store):
    """A store whose cohort becomes another one right after the films were counted."""

    def __init__(self, place: Path, times: int) -> None:
        self.place, self.left, self.scored = place, times, 1
        films = [Film(name, {"Mass": "present"}, {"Mass": 0.1} if name == "a" else {}) for name in "abcdefgh"]
        self.folder_of_it = write_small(place, films, {"Mass": 0.5})
        super().__init__(lambda: [self.folder_of_it])

    def count(self, chosen: Slice) -> Count:
        found = super().count(chosen)
        if self.left:
            self.left -= 1
            row = {"case": "bcdefgh"[self.scored - 1], "finding": "Mass", "score": 0.2}
            model = super().models(chosen.cohort)[0].model
            shard = self.folder_of_it.predictions(model) / f"part-{self.scored:05d}.parquet"
            write_table(shard, pa.Table.from_pylist([row], PREDICTIONS))
            self.scored += 1
            self.look(chosen.cohort)
        return found


@pytest.fixture
def page(tmp_path: Path) -> Callable[[int], PagePayload | NoPagePayload]:
    """The answer of a page while the cohort changes so many times."""

    def page(times: int) -> PagePayload | NoPagePayload:
        services = Services(Changed(tmp_path, times), Images(), None, cast(IntervalsJob, None))
        asked = {call.__name__: call for call in calls(services)}["slice_page"]
        return cast("PagePayload | NoPagePayload", asked({"state": STATE}))

    return page


def test_a_version_that_lands_in_between_is_asked_anew(page: Callable[[int], PagePayload | NoPagePayload]) -> None:
    answer = page(1)
    assert answer["films"] == len(answer["items"]) == 2
    assert "2 films" in answer["sentence"]


def test_it_is_given_up_where_the_cohort_does_not_come_to_rest(
    page: Callable[[int], PagePayload | NoPagePayload],
) -> None:
    answer = page(7)
    assert answer["stage"] == "refused"
    assert "being changed" in answer["title"]
