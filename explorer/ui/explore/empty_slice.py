"""An empty slice: why, and which filter to remove."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from explorer.analysis.cases.marked_sentence import marked_sentence
from explorer.core.findings import Outcome
from explorer.store.filter_registry import FILTERS
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

_OF_PRESENT = {Outcome.MISS, Outcome.HIT}
_OF_ABSENT = {Outcome.FALSE_ALARM, Outcome.CORRECT_REJECTION}


class RemedyPayload(TypedDict):
    """A filter, and how many films there would be without it."""

    key: str
    films: int


class NothingPayload(TypedDict):
    """Why a slice is empty, and what would help."""

    title: str
    detail: str
    remedies: list[RemedyPayload]


def nothing_payload(store: Store, chosen: Slice, *, hidden: bool) -> NothingPayload:
    """The message for an empty page, and the films gained by removing each filter; nothing revealing if hidden."""
    if hidden:
        return {
            "title": f"No {store.counted(chosen.cohort)} matches",
            "detail": "Turn Hide labels off to see which filter to remove.",
            "remedies": [],
        }
    detail = _no_such_label(store, chosen) or f"No ({store.counted(chosen.cohort)}, finding) pair matches all filters."
    remedies: list[RemedyPayload] = [
        {"key": each.key, "films": films}
        for each in FILTERS
        if not each.needed and (fewer := chosen.without(each)) != chosen and (films := store.count(fewer).films)
    ]
    advice = "Remove a filter." if remedies else "Several filters must be removed: clear them and start over."
    return {"title": f"{marked_sentence(store, chosen)}: none", "detail": f"{detail} {advice}", "remedies": remedies}


def _no_such_label(store: Store, chosen: Slice) -> str | None:
    """Why such outcomes cannot occur: no film has the label needed. None if that is not the reason."""
    if not chosen.outcomes:
        return None
    tallies = store.tally(chosen.population())
    if not sum(each.hits + each.misses + each.false_alarms + each.correct_rejections for each in tallies):
        return "No pair here has both a label and a threshold: without them there are scores, but no outcomes."
    if not sum(each.positives for each in tallies) and set(chosen.outcomes) <= _OF_PRESENT:
        return f"No {store.counted(chosen.cohort)} here is labeled present: there are no positives."
    if not sum(each.negatives for each in tallies) and set(chosen.outcomes) <= _OF_ABSENT:
        return f"No {store.counted(chosen.cohort)} here is labeled absent: there are no negatives."
    return None
