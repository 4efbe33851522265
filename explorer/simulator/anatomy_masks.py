"""Exact outlines of a simulated patient's anatomy on the film: lungs, heart, mediastinum, diaphragm, ribs, trachea.

They show the anatomy as readers outline it (van Ginneken et al., Medical Image Analysis 2006): a lung field ends at the
dome of the diaphragm and at the border of the heart, although some lung lies behind both. Disease within a lung belongs
to its field; what displaces or enlarges organs also moves their outlines.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.simulator.anatomy.airway import trachea
from explorer.simulator.anatomy.cage import chest_cavity, chest_walls
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.anatomy.heart import heart_chambers, merge_paths
from explorer.simulator.anatomy.ribs import rib_cage
from explorer.simulator.anatomy.spine import vertebra_centers
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest
from explorer.simulator.drawing import bent_form
from explorer.simulator.draws import draws
from explorer.simulator.findings.diaphragm import raised_dome
from explorer.simulator.findings.side import lung_view
from explorer.simulator.healthy_chests import healthy_chest
from explorer.simulator.patient import describe
from explorer.simulator.request import Center, Request, settle
from explorer.simulator.version import FIRST_DRAWING
from models.array_types import Bools, Float32

STRUCTURES = ("right lung", "left lung", "heart", "mediastinum", "below diaphragm", "ribs", "trachea")
_SEEN_HEART, _SEEN_CAVITY = 1.5, 1.0  # cm on a ray that are visible
_SEEN_RIB, _SEEN_AIR = 0.2, 0.4  # the same for bone and for air in the trachea
_AERATED = np.float32(0.6)  # share of a ray inside the rib cage that is lung within a lung field
_RAISED = "Hemidiaphragm Elevation"  # the only finding that moves an outline after the chest is built
_RESTS = 0.3  # cm by which the heart overlaps the dome


def anatomy_masks(
    seed: int, findings: Sequence[str | Request], center: Center, size: int = 512, drawing: int = FIRST_DRAWING
) -> dict[str, Bools]:
    """Return a mask (size, size) for each of STRUCTURES on the film that `render` returns for the same arguments.

    "Right" and "left" are the patient's sides. Raises WrongRequest.
    """
    patient = describe(seed, center, drawing)
    healthy = form_of(patient)
    requests = settle(patient.seed, findings, drawing)
    beam = Beam.aim(patient, healthy, size)
    chest = healthy_chest(bent_form(healthy, patient, requests), beam)
    raised = [_raised(chest, request) for request in requests if request.finding == _RAISED]
    return _outlines(chest, np.minimum.reduce([_dome_heights(chest), *raised]))


def lung_fields(chest: Chest) -> dict[str, Bools]:
    """Return the "right" and "left" lung field (size, size) of a healthy chest, as readers outline them."""
    _, _, lung = _cavity_heart_lung(chest, _dome_heights(chest))
    return _by_side(lung, chest.beam)


def _outlines(chest: Chest, floor: Float32) -> dict[str, Bools]:
    """Return the masks of a chest whose diaphragm has its top at y `floor` (1, size) in each column."""
    form, beam = chest.form, chest.beam
    cavity, heart, lung = _cavity_heart_lung(chest, floor)
    above, sides = cavity & (beam.y < floor), _by_side(lung, beam)
    bone, _ = rib_cage(form, beam, vertebra_centers(form), chest_walls(form))
    masks = (
        sides["right"],
        sides["left"],
        heart,
        above & ~heart & ~lung & (np.abs(beam.at(0)[0]) < form.half_width / 2),
        cavity & ~above,
        bone > _SEEN_RIB,
        trachea(form, beam) > _SEEN_AIR,
    )
    return {name: np.asarray(mask, bool) for name, mask in zip(STRUCTURES, masks, strict=True)}


def _cavity_heart_lung(chest: Chest, floor: Float32) -> tuple[Bools, Bools, Bools]:
    """Return where the inside of the rib cage, the heart and both lung fields are seen, (size, size) each."""
    form, beam = chest.form, chest.beam
    depth = chest_cavity(form, beam)
    heart = (merge_paths(heart_chambers(form, beam)) > _SEEN_HEART) & (beam.y < floor + _RESTS)
    cavity = depth > _SEEN_CAVITY
    return cavity, heart, cavity & (beam.y < floor) & ~heart & (chest.lung > _AERATED * depth)


def _by_side(lung: Bools, beam: Beam) -> dict[str, Bools]:
    right = beam.x < 0
    return {"right": np.asarray(lung & right, bool), "left": np.asarray(lung & ~right, bool)}


def _raised(chest: Chest, request: Request) -> Float32:
    """Return y (1, size) of a raised dome; infinite on the other side."""
    side = lung_view(chest, str(request.side))
    dome = raised_dome(side, float(request.severity or 0), draws(chest.beam.patient.seed, "draw", _RAISED))
    return np.where(side.out > 0, dome, np.float32(np.inf)).astype(np.float32)


def _dome_heights(chest: Chest) -> Float32:
    """Return y (1, size) of the diaphragm in each film column."""
    points = np.array([chest.beam.on_film(*point) for line in chest.marks.domes.values() for point in line])
    order = np.argsort(points[:, 0])
    return np.asarray(np.interp(chest.beam.x, points[order, 0], points[order, 1]), np.float32)
