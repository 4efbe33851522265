"""The server's side of the panels over the real nih-oof, asked as their scripts ask."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.explore.panel_calls import calls
from explorer.ui.shared.links import slice_words
from explorer.ui.shared.services import Services
from tests.ui.counted_apart import COHORT, MODEL

Json = dict[str, Any]
Ask = Callable[..., Json]
NIH_OOF = Folder(CACHE / COHORT)
all_of = partial(Slice, COHORT, MODEL)


@contextmanager
def services_of(*others: Folder) -> Iterator[Services]:
    """Over nih-oof and other cohorts, with intervals by fewer resamples than the page's."""
    store = Store(lambda: (NIH_OOF, *others))
    with closing(IntervalsJob(store, resamples=500)) as job:
        yield Services(store, Images(), None, job)


def panel_asker(services: Services) -> Ask:
    """Asks a panel by its name about a slice; the answer as the script gets it."""
    offered = {call.__name__: call for call in calls(services)}

    def ask(name: str, chosen: Slice, **more: object) -> Json:
        sent = {"state": slice_words(chosen) | more.pop("words", {}), **more}  # type: ignore[operator]
        answer: Json = json.loads(json.dumps(offered[name](sent), allow_nan=False))
        return answer

    return ask


def counted(rate: Json) -> tuple[int, int]:
    return rate["hits"], rate["n"]
