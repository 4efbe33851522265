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
from tests.ui.counted_apart import COHORT, MODEL, until

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


def compared(ask: Ask, chosen: Slice, words: Json) -> Json:
    """The comparison once all is computed, as the page has it: each poll brings what is new."""
    answer = ask("two_slices", chosen, words=words)
    pairs = [{(pair["word"], pair["measure"]): pair for pair in each["pairs"]} for each in answer["against"]]

    def known() -> list[str]:
        every = [pair for each in pairs for pair in each.values()]
        return sorted({pair["word"] for pair in every} - {pair["word"] for pair in every if not pair["known"]})

    def asked() -> Json:
        news = ask("compared_intervals", chosen, words=words, known=known())
        for each, more in zip(pairs, news["against"], strict=True):
            each |= {(pair["word"], pair["measure"]): pair for pair in more}
        return news

    until(asked, lambda _: all(pair["known"] for each in pairs for pair in each.values()))
    against = [{**each, "pairs": list(more.values())} for each, more in zip(answer["against"], pairs, strict=True)]
    return {**answer, "against": against}


def counted(rate: Json) -> tuple[int, int]:
    return rate["hits"], rate["n"]
