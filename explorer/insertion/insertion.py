"""Puts a simulated finding into a film: its change of density is aligned with the film's lung and added to it.

Density is the negative logarithm of what passes through the patient, so adding to it multiplies the transmission.
SIMULATED: whatever comes of it has to say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from explorer.insertion.alignment import Point, Stamp, center_of, corresponding_point, stamp_of, warped, window_of
from explorer.insertion.film_scale import FilmScale
from explorer.insertion.insertable import FOCAL, INSERTABLE, SIDES
from explorer.simulator import Request, describe
from explorer.simulator.finding_change import FindingChange, finding_change
from explorer.simulator.patient import Patient
from explorer.simulator.version import NEWEST_DRAWING
from models.anatomy import Anatomy
from models.array_types import Bools, Float32
from models.radiograph import Radiograph
from models.refusal import Refusal

_MEDIUM = 0.5  # severity


class NotInsertable(Refusal):
    """A finding that cannot be put into a film, or not in this way."""


class NoLungs(Refusal):
    """The lungs of a film are not found, so that nothing can be aligned with them."""


@dataclass(frozen=True, slots=True)
class Lungs:
    """The aerated lungs of a film (h, w), by the patient's side."""

    right: Bools
    left: Bools

    def on(self, side: str) -> Bools:
        """Return the lung of a side."""
        return self.right if side == "right" else self.left

    @classmethod
    def outlined(cls, outlines: Anatomy, film: Radiograph) -> Lungs:
        """Return the lungs that were outlined on a film, on its own grid. Raises NoLungs."""
        if outlines.wrong:
            raise NoLungs("The lungs of this film are not found", f"{outlines.wrong} Choose another film.")
        if outlines.shape != film.pixels.shape:
            raise NoLungs("The film is larger than its outlines", "Reduce it with `working_film` first.")
        return cls(outlines["right lung"], outlines["left lung"])

    @property
    def both(self) -> Bools:
        """Both lungs as one mask."""
        return self.right | self.left


@dataclass(frozen=True, slots=True)
class Inserted:
    """A film with a simulated finding. SIMULATED."""

    film: Float32  # (h, w) in [0, 1]
    mask: Bools  # (h, w), where the finding can be seen


@dataclass(frozen=True, slots=True)
class Insertion:
    """A finding to insert: its side, its severity from 0 (subtle) to 1 (obvious), and the simulated patient it is from.

    A focal finding may be put at a point (column, row) of the film; otherwise it is where it is in that patient's lung.
    """

    finding: str
    side: str
    severity: float
    seed: int = 1
    point: Point | None = None


def simulated_patient(seed: int) -> Patient:
    """Return the simulated patient whose findings are inserted."""
    return describe(seed, "A", NEWEST_DRAWING)


@lru_cache(maxsize=4)  # 3 MB each; a film, its place and its size all ask for the same
def simulated_change(finding: str, side: str, severity: float, seed: int) -> FindingChange:
    """Return what a finding changes in its simulated patient; do not modify it."""
    return finding_change(simulated_patient(seed), Request(finding, side, severity))


def insert(film: Float32, lungs: Lungs, wanted: Insertion) -> Inserted:
    """Return a film (h, w: dense is white, in [0, 1]) with a finding, and where it is.

    Raises NotInsertable, NoLung or NoContrast.
    """
    _check(wanted)
    lung, scale = lungs.on(wanted.side), FilmScale.of(film, lungs.both)
    change = simulated_change(wanted.finding, wanted.side, wanted.severity, wanted.seed)
    if wanted.finding in FOCAL:
        at = wanted.point or corresponding_point(center_of(change), change.lung, lung, wanted.side)
        return stamped(film, scale, stamp_of(change, lung, at), at)
    moved = warped(change, lung, wanted.side)
    changed, window = film.copy(), window_of(moved.density != 0)
    before = scale.densities(film[window])
    after = _filled(before, moved.density[window], moved.after[window])
    changed[window] = _with_densities(film[window], scale, before, after)
    return Inserted(changed, moved.mask)


def side_at(lungs: Lungs, point: Point) -> str:
    """Return the side of the lung at a point (column, row); between the lungs, that of the nearer one.

    Raises NotInsertable for a point beside, above or below both lungs.
    """
    rows, columns = (np.flatnonzero(lungs.both.any(axis)) for axis in (1, 0))
    column, row = (int(each) for each in point)
    if not (len(rows) and rows[0] <= row <= rows[-1] and columns[0] <= column <= columns[-1]):
        raise NotInsertable("This point is outside the chest", "Choose a point in a lung, or between the lungs.")
    return min(SIDES, key=lambda side: _distance(lungs.on(side), column, row))


def _distance(lung: Bools, column: int, row: int) -> float:
    rows, columns = np.nonzero(lung)
    return float(np.hypot(columns - column, rows - row).min()) if len(rows) else np.inf


def with_fixed_place(lungs: Lungs, wanted: Insertion) -> Insertion:
    """Return a focal finding with its point: without one, where a medium finding of that patient is.

    So it stays at its place when its severity changes. Other findings are returned as they are. Raises NotInsertable,
    NoLung.
    """
    _check(wanted)
    if wanted.finding not in FOCAL or wanted.point is not None:
        return wanted
    change = simulated_change(wanted.finding, wanted.side, _MEDIUM, wanted.seed)
    point = corresponding_point(center_of(change), change.lung, lungs.on(wanted.side), wanted.side)
    return replace(wanted, point=point)


def stamped(film: Float32, scale: FilmScale, stamp: Stamp, point: Point) -> Inserted:
    """Return a film with a focal finding around a point: what lies in front of it and behind stays visible."""
    on_film, own = stamp.window(point, film.shape)
    changed, mask = film.copy(), np.zeros(film.shape, bool)
    before = scale.densities(film[on_film])
    changed[on_film] = _with_densities(film[on_film], scale, before, before + stamp.density[own])
    mask[on_film] = stamp.mask[own]
    return Inserted(changed, mask)


def _check(wanted: Insertion) -> None:
    if wanted.finding not in INSERTABLE:
        raise NotInsertable(f"{wanted.finding} cannot be put into a film", f"Choose {', '.join(INSERTABLE)}.")
    if wanted.side not in SIDES:
        raise NotInsertable(f"{wanted.side!r} is not a lung's side", "Choose right or left.")
    if not 0 <= wanted.severity <= 1:
        raise NotInsertable(f"{wanted.severity} is not a severity", "Give a number from 0 (subtle) to 1 (obvious).")


def _filled(before: Float32, change: Float32, patient: Float32) -> Float32:
    """Return the film's densities with a change; where it is denser, no denser than the simulated patient there.

    A lung filled with fluid is as dense as the tissue around it, also where the film's lung already was dense.
    """
    added = before + change
    return np.where(change > 0, np.minimum(added, np.maximum(before, patient)), added).astype(np.float32)


def _with_densities(film: Float32, scale: FilmScale, before: Float32, after: Float32) -> Float32:
    """Return the film with other densities; where nothing changes, its own pixels exactly."""
    return np.asarray((film + scale.grays(after) - scale.grays(before)).clip(0, 1), np.float32)
