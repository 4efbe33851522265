"""The films whose calls are least stable: a list on the page, and a saved list of cases that Explore shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

from explorer.analysis.robustness.flips import least_stable
from explorer.analysis.robustness.report import Robustness
from explorer.cohorts.case_marks import ListedCase
from explorer.cohorts.mark_edits import MAX_LIST_NAME_CHARS
from explorer.cohorts.public_ids import opaque_id
from explorer.store.slices import Slice
from explorer.ui.evaluate.panels.panel import PanelRequest
from explorer.ui.shared.links import slice_words
from explorer.ui.shared.saved_marks import save_list

SHOWN = 60  # films
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
    """The least stable films, most flips first; `levels` is the number of levels with a strength."""

    levels: int
    films: list[UnstableFilmPayload]


def unstable_films(request: PanelRequest, found: Robustness) -> UnstablePayload:
    """Return the films of the page's list."""
    return {"levels": found.dialed.levels, "films": [_film(request, found, *pair) for pair in _pairs(found)]}


def _pairs(found: Robustness) -> tuple[tuple[int, int], ...]:
    return least_stable(found.dialed, SHOWN)


def _film(request: PanelRequest, found: Robustness, film: int, finding: int) -> UnstableFilmPayload:
    case, name = found.films.cases[film], found.findings[finding]
    shown = replace(request.subject.chosen.whole_films(), model=found.model, finding=name)
    outcomes = (str(each) for each, marks in found.before.outcomes.items() if marks[film, finding])
    return {
        "case": case,
        "finding": name,
        "outcome": next(outcomes, NOT_LABELED),
        "flips": int(found.dialed.counts[film, finding]),
        "words": slice_words(shown) | {"case": opaque_id(shown.cohort, "case", case)},
    }


def list_of_unstable_films(request: PanelRequest, found: Robustness) -> dict[str, str]:
    """Save the films as a list of cases on this machine; return Explore's address of it. Raises WrongMark."""
    cohort = found.chosen.cohort
    cases = [ListedCase(found.films.cases[film], found.findings[finding]) for film, finding in _pairs(found)]
    marked = save_list(request.services.store, cohort, f"Least stable by {found.model}"[:LONGEST_NAME], cases)
    return slice_words(replace(Slice(cohort, found.model, source=found.chosen.source), marked=marked))
