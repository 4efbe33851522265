"""A film of the gallery as the script gets it: everything that stands under a thumbnail."""

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
    """A film with its worst pair in the slice; `margin` is how far the score lies over (+) its threshold. A pair with a
    known `label` has no outcome where there is no threshold.

    `chosen`: the threshold was, for this finding; else the film's place is by the score's percentile. `unit` is what
    the score is; `alike` is margin and percentile where a text ranks the films; `starred` on this machine.
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
    """The name of the image folder that was not given; None where one was."""
    roots = {film.root for film in films}
    return next((root for root in roots if root is not None and not images.has(root)), None)
