"""One film with many simulated findings, one at a time, so that what a model detects can be counted over films.

Nodules and masses are put at places over both lungs and over the heart in three sizes. Other findings stay where they
are in their simulated patient, and rise from subtle to obvious.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.insertion.blind_spots import Place, films_with, places, with_heart
from explorer.insertion.insertable import (
    ALONG_THE_LUNG,
    FOCAL,
    HEART_PLACES_PER_FILM,
    INSERTABLE,
    PLACES_PER_FILM,
    SIDES,
)
from explorer.insertion.insertion import Insertion, Lungs, insert
from explorer.simulator.version import NEWEST_DRAWING
from models.anatomy import Anatomy
from models.anatomy.places import OVER_THE_HEART, PLACES, PlaceMap, place_map
from models.array_types import Float32
from models.radiograph import Radiograph

FOCAL_SEVERITIES = (0.3, 0.6, 0.9)
SEVERITIES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
INSERTION = 2  # counted up whenever the same finding looks different on the same film
PLAN = (
    f"findings inserted (version {INSERTION}, drawing {NEWEST_DRAWING}): nodules and masses at up to {PLACES_PER_FILM} "
    f"places and {HEART_PLACES_PER_FILM} over the heart, severities {FOCAL_SEVERITIES}; others at severities "
    f"{SEVERITIES}"
)  # scores of another plan are not mixed with these


@dataclass(frozen=True, slots=True)
class InsertedFinding:
    """One inserted finding; a focal one has a zone, such as "right base", and a place as shares of width and height."""

    finding: str
    side: str
    severity: float
    zone: str | None = None
    column: float | None = None
    row: float | None = None


def insertable(findings: Sequence[str]) -> tuple[str, ...]:
    """Return those of a model's findings that can be inserted."""
    return tuple(each for each in INSERTABLE if each in findings)


def films_with_findings(
    film: Radiograph, outlines: Anatomy, findings: Sequence[str], seed: int
) -> Iterator[tuple[InsertedFinding, Float32]]:
    """Yield the film's pixels (h, w) with each finding, place and severity in turn.

    `seed` is the simulated patient whose findings they are; an odd one has its findings along the lung on the right.
    Raises NoLungs, NoLung or NoContrast.
    """
    lungs = Lungs.outlined(outlines, film)
    named = place_map(outlines)
    at = [*places(lungs, PLACES_PER_FILM), *places(_beside_heart(lungs, named), HEART_PLACES_PER_FILM)]
    for finding in (each for each in findings if each in FOCAL):
        for severity in FOCAL_SEVERITIES:
            pictures = films_with(film.pixels, lungs, finding, severity, at, seed)
            for place, pixels in zip(at, pictures, strict=True):
                yield _focal(finding, severity, place, named), pixels
    side = SIDES[(seed + 1) % 2]
    for finding in (each for each in findings if each in ALONG_THE_LUNG):
        for severity in SEVERITIES:
            wanted = Insertion(finding, side, severity, seed)
            yield InsertedFinding(finding, side, severity), insert(film.pixels, lungs, wanted).film


def _beside_heart(lungs: Lungs, named: PlaceMap) -> Lungs:
    """Return what lies over the heart alone, by the side of the nearer lung."""
    whole = with_heart(lungs, named.numbers == PLACES.index(OVER_THE_HEART))
    return Lungs(whole.right & ~lungs.right, whole.left & ~lungs.left)


def _focal(finding: str, severity: float, place: Place, named: PlaceMap) -> InsertedFinding:
    height, width = named.numbers.shape
    column, row = (int(each) for each in place.point)
    return InsertedFinding(finding, place.side, severity, named.at(column, row), column / width, row / height)
