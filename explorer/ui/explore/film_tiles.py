"""A film of the gallery with everything shown below its thumbnail, for the script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.cohorts.images import Images
from explorer.cohorts.schema import Label, Unit
from explorer.core.findings import Outcome
from explorer.ui.shared.film_line import FilmLinePayload, film_line_payload

if TYPE_CHECKING:
    from explorer.store.results import Ranked


class TilePayload(FilmLinePayload):
    """A film with its worst pair in the slice. A pair with a known `label` but no threshold has no outcome.

    `margin` is score minus threshold. `chosen`: the threshold was chosen for this finding; otherwise the film's rank is
    by the score's percentile. `unit` is the unit of the score; `alike` is margin and percentile if a text ranks the
    films; `starred`: it has a star on this machine.
    """

    finding: str
    score: float
    unit: Unit
    threshold: float | None
    chosen: bool
    margin: float | None
    label: Label
    outcome: Outcome | None
    alike: tuple[float, float] | None
    starred: bool


def tile_payload(
    images: Images, cohort: str, film: Ranked, unit: Unit, alike: tuple[float, float] | None, *, starred: bool
) -> TilePayload:
    """A film of a slice."""
    return {
        **film_line_payload(images, cohort, film),
        "finding": film.finding,
        "score": film.score,
        "unit": unit,
        "threshold": film.threshold,
        "chosen": film.chosen,
        "margin": None if film.threshold is None else film.score - film.threshold,
        "label": film.label,
        "outcome": film.outcome,
        "alike": alike,
        "starred": starred,
    }


def missing_root(images: Images, films: Sequence[Ranked]) -> str | None:
    """The name of an image folder that was not supplied; None if all were."""
    roots = {film.root for film in films}
    return next((root for root in roots if root is not None and not images.has(root)), None)
