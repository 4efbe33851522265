"""The films on which a model flags least of an inserted finding: a list on the page, and one that Explore shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

from explorer.analysis.detectability.flagged import blind_films
from explorer.analysis.detectability.report import Detectability
from explorer.cohorts.case_marks import ListedCase
from explorer.cohorts.public_ids import opaque_id
from explorer.store.slices import Slice
from explorer.ui.evaluate.panels.panel import PanelRequest
from explorer.ui.evaluate.panels.unstable_films import LONGEST_NAME
from explorer.ui.shared.links import slice_words
from explorer.ui.shared.saved_marks import save_list

SHOWN = 60  # films


class BlindFilmPayload(TypedDict):
    """A film: how many of its inserted findings are flagged, of how many, and Explore's address."""

    case: str
    flagged: int
    inserted: int
    words: dict[str, str]


class BlindPayload(TypedDict):
    """The films on which at most half are flagged, fewest first; `every` counts them, of `of` films."""

    films: list[BlindFilmPayload]
    every: int
    of: int


def blind_payload(request: PanelRequest, found: Detectability, finding: str) -> BlindPayload:
    """Return the films of the page's list, over all severities and places of a finding."""
    about = found.trials.about(finding)
    blind = blind_films(about)
    shown = replace(request.subject.chosen.whole_films(), model=about.model, finding=finding)

    def payload(film: int, flagged: int, inserted: int) -> BlindFilmPayload:
        case = about.films[film]
        words = slice_words(shown) | {"case": opaque_id(shown.cohort, "case", case)}
        return {"case": case, "flagged": flagged, "inserted": inserted, "words": words}

    films = [payload(*each) for each in blind[:SHOWN]]
    return {"films": films, "every": len(blind), "of": len(set(about.film.tolist()))}


def list_of_blind_films(request: PanelRequest, found: Detectability, finding: str) -> dict[str, str]:
    """Save the films as a list of cases on this machine; return Explore's address of it. Raises WrongMark."""
    cohort, about = found.chosen.cohort, found.trials.about(finding)
    cases = [ListedCase(about.films[film], finding) for film, _, _ in blind_films(about)[:SHOWN]]
    name = f"{finding} least flagged by {about.model}"[:LONGEST_NAME]
    marked = save_list(request.services.store, cohort, name, cases)
    return slice_words(replace(Slice(cohort, about.model, source=found.chosen.source), marked=marked))
