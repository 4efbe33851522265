"""Where a model would miss a finding on this film: one simulated finding, put at many places in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from explorer.insertion.alignment import Point, stamp_of
from explorer.insertion.film_scale import FilmScale
from explorer.insertion.insertable import FOCAL, SIDES
from explorer.insertion.insertion import Lungs, NotInsertable, simulated_change, stamped
from explorer.insertion.rescored import Score
from models.anatomy import Anatomy
from models.anatomy.places import PLACES, place_map
from models.array_types import Bools, Float32
from models.radiograph import Radiograph

MOST_PLACES = 100
_BATCH = 16


@dataclass(frozen=True, slots=True)
class Place:
    """A point of a lung: column and row on the film, and the patient's side."""

    point: Point
    side: str


@dataclass(frozen=True, slots=True)
class BlindSpots:
    """The scores of a film with one finding at each of `places`, and its score without."""

    places: tuple[Place, ...]
    scores: tuple[float, ...]
    without: float

    def flagged(self, threshold: float) -> list[bool]:
        """Whether the finding is flagged at each place."""
        return [score >= threshold for score in self.scores]


def blind_spots(film: Radiograph, outlines: Anatomy, finding: str, severity: float, score: Score) -> BlindSpots:
    """Return the scores of one finding at many places of both lungs, also in front of the heart and behind it.

    Raises NoLungs, NoLung, NoContrast, NotInsertable.
    """
    lungs = Lungs.outlined(outlines, film)
    at = places(with_heart(lungs, outlines["heart"] & ~outlines["below diaphragm"]))
    changed = (replace(film, pixels=each) for each in films_with(film.pixels, lungs, finding, severity, at))
    scores: list[float] = []
    while batch := list(islice(changed, _BATCH)):
        scores += map(float, score(batch))
    return BlindSpots(tuple(at), tuple(scores), float(score([film])[0]))


def flagged_by_zone(found: BlindSpots, threshold: float, outlines: Anatomy) -> dict[str, tuple[int, int]]:
    """Return by zone, such as "right base", at how many places the finding is flagged, and the number of places."""
    named = place_map(outlines)
    counts: dict[str, tuple[int, int]] = {}
    for place, flagged in zip(found.places, found.flagged(threshold), strict=True):
        name = named.at(*place.point)
        hits, tried = counts.get(name, (0, 0))
        counts[name] = hits + flagged, tried + 1
    return {name: counts[name] for name in PLACES if name in counts}


def with_heart(lungs: Lungs, heart: Bools) -> Lungs:
    """Return the lungs with the part of the heart (h, w) that is nearer to each: lung is in front of it and behind."""
    from scipy.ndimage import distance_transform_edt

    nearer_left = distance_transform_edt(~lungs.left) < distance_transform_edt(~lungs.right)
    return Lungs(lungs.right | (heart & ~nearer_left), lungs.left | (heart & nearer_left))


def places(lungs: Lungs, count: int = MOST_PLACES) -> list[Place]:
    """Return points in equal distances over both lungs (h, w), about `count` and never more; fewer on tiny lungs."""
    area = int(lungs.both.sum())
    step = max(np.sqrt(area / count), 1.0) if area else 1.0
    found = _grid(lungs, step)
    while len(found) > count:
        step *= 1.02
        found = _grid(lungs, step)
    return found


def films_with(
    film: Float32, lungs: Lungs, finding: str, severity: float, at: Sequence[Place], seed: int = 1
) -> Iterator[Float32]:
    """Yield the film (h, w) with a simulated finding at each place, always of the same patient, size and severity.

    Raises NotInsertable for a finding that is not focal, NoLung, NoContrast.
    """
    if finding not in FOCAL:
        raise NotInsertable(f"{finding} cannot be put at a point", f"Choose {' or '.join(FOCAL)}.")
    scale = FilmScale.of(film, lungs.both)
    stamps = {
        side: stamp_of(simulated_change(finding, side, severity, seed), lungs.on(side))
        for side in dict.fromkeys(each.side for each in at)
    }
    for place in at:
        yield stamped(film, scale, stamps[place.side], place.point).film


def _grid(lungs: Lungs, step: float) -> list[Place]:
    height, width = lungs.right.shape
    rows, columns = (np.arange(step / 2, length, step).astype(int) for length in (height, width))
    return [
        Place((float(column), float(row)), side)
        for row in rows
        for side in SIDES
        for column in columns
        if lungs.on(side)[row, column]
    ]
