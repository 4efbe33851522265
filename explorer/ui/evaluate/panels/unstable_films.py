"""The films whose calls are least stable: lists on the page, and a saved list of cases that Explore shows.

One list counts the levels with a strength, one the kinds that are on or off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, TypedDict, get_args

from explorer.analysis.robustness.flips import FlippedCalls, least_stable
from explorer.analysis.robustness.report import Robustness
from explorer.cohorts.case_marks import ListedCase
from explorer.cohorts.mark_edits import MAX_LIST_NAME_CHARS
from explorer.cohorts.public_ids import opaque_id
from explorer.store.slices import Slice
from explorer.ui.evaluate.panels.panel import PanelRequest
from explorer.ui.shared.links import slice_words
from explorer.ui.shared.saved_marks import save_list

SHOWN = 60  # films
KINDS_WORD = "kinds"
UnstableKinds = Literal["dialed", "on_or_off"]  # levels with a strength; kinds without
ALL_KINDS: tuple[UnstableKinds, ...] = get_args(UnstableKinds)
_NAMED: Mapping[UnstableKinds, str] = MappingProxyType({"dialed": "", "on_or_off": " (on or off)"})
NOT_LABELED = "no label"
LONGEST_NAME = MAX_LIST_NAME_CHARS - len(" (99)")


class UnstableFilmPayload(TypedDict):
    """A film's least stable call: the outcome unchanged, at how many levels it flips, and Explore's address."""

    case: str
    finding: str
    outcome: str
    flips: int
    words: dict[str, str]


class UnstablePayload(TypedDict):
    """The least stable films, most flips first, of so many `levels`; `kinds` is the list's word."""

    kinds: UnstableKinds
    levels: int
    films: list[UnstableFilmPayload]


def unstable_films(request: PanelRequest, found: Robustness) -> list[UnstablePayload]:
    """Return the films of the page's lists, one for each kind of level that was scored."""
    return [
        {
            "kinds": kinds,
            "levels": flips.levels,
            "films": [_film(request, found, flips, *pair) for pair in least_stable(flips, SHOWN)],
        }
        for kinds in ALL_KINDS
        if (flips := _flips(found, kinds)).levels
    ]


def _flips(found: Robustness, kinds: UnstableKinds) -> FlippedCalls:
    return found.dialed if kinds == "dialed" else found.on_or_off


def _film(
    request: PanelRequest, found: Robustness, flips: FlippedCalls, film: int, finding: int
) -> UnstableFilmPayload:
    case, name = found.films.cases[film], found.findings[finding]
    shown = replace(request.subject.chosen.whole_films(), model=found.model, finding=name)
    outcomes = (str(each) for each, marks in found.before.outcomes.items() if marks[film, finding])
    return {
        "case": case,
        "finding": name,
        "outcome": next(outcomes, NOT_LABELED),
        "flips": int(flips.counts[film, finding]),
        "words": slice_words(shown) | {"case": opaque_id(shown.cohort, "case", case)},
    }


def list_of_unstable_films(request: PanelRequest, found: Robustness) -> dict[str, str]:
    """Save the films of the requested list as cases on this machine; return Explore's address. Raises WrongMark."""
    cohort = found.chosen.cohort
    kinds = next((each for each in ALL_KINDS if each == request.state.get(KINDS_WORD)), ALL_KINDS[0])
    pairs = least_stable(_flips(found, kinds), SHOWN)
    cases = [ListedCase(found.films.cases[film], found.findings[finding]) for film, finding in pairs]
    name = f"Least stable{_NAMED[kinds]} by {found.model}"[:LONGEST_NAME]
    marked = save_list(request.services.store, cohort, name, cases)
    return slice_words(replace(Slice(cohort, found.model, source=found.chosen.source), marked=marked))
