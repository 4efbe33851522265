"""A film of the gallery as the script gets it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.cohorts.images import Images
from explorer.ui.routes import thumbnail_address

if TYPE_CHECKING:
    from explorer.cohorts.schema import Unit
    from explorer.store.results import Ranked

Json = dict[str, Any]


def gallery_film_payload(images: Images, cohort: str, film: Ranked, unit: Unit) -> Json:
    """Everything that stands under a thumbnail; `margin` is how far the score lies over (+) its threshold.

    `unit` is what the score is.
    """
    return hidden_payload(images, cohort, film) | {
        "case": film.case,
        "file": film.file,
        "finding": film.finding,
        "score": film.score,
        "unit": unit,
        "threshold": film.threshold,
        "margin": None if film.threshold is None else film.score - film.threshold,
        "outcome": film.outcome,
        "center": film.center,
        "view": film.view,
        "sex": film.sex,
        "age": film.age,
        "present": list(film.present),
    }


def hidden_payload(images: Images, cohort: str, film: Ranked) -> Json:
    """A film of which nothing is told: its file's name, too, may hold the finding."""
    there = images.film(film.root, film.file) is not None
    return {"id": film.id, "thumb": thumbnail_address(cohort, film.case) if there else None}


def missing_root(images: Images, films: Sequence[Ranked]) -> str | None:
    """The name of the image folder that was not given; None where one was."""
    roots = {film.root for film in films}
    return next((root for root in roots if root is not None and not images.has(root)), None)
