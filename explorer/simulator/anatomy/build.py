"""Builds the whole chest of a form: layers and landmarks."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.abdomen import fat
from explorer.simulator.anatomy.airway import airway, main_bronchus
from explorer.simulator.anatomy.aorta import aorta_of
from explorer.simulator.anatomy.body import body
from explorer.simulator.anatomy.cage import cavity as cavity_of
from explorer.simulator.anatomy.cage import walls as walls_of
from explorer.simulator.anatomy.diaphragm import below, domes, gas
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.heart import carina_of, frame
from explorer.simulator.anatomy.lungs import density, fissure
from explorer.simulator.anatomy.mediastinum import mediastinum
from explorer.simulator.anatomy.skeleton import skeleton
from explorer.simulator.anatomy.spine import vertebrae_of
from explorer.simulator.anatomy.tissue import uneven
from explorer.simulator.anatomy.vessels import hila, vessels
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest, Landmarks
from explorer.simulator.shapes import smooth
from models.array_types import Float32


def build(form: Form, beam: Beam) -> Chest:
    """Return the chest without findings."""
    cavity = cavity_of(form, beam)
    under = below(form, beam, cavity)
    organs, behind = mediastinum(form, beam, under)
    lung = (cavity - organs - behind).clip(0)
    paths, branches = vessels(form, beam)
    across = np.abs(beam.at(0)[0])
    beside, hilar = smooth(across, 1.0, 3.0), smooth(across, 3.0, 5.5)  # vessels within the mediastinum belong to it
    air = smooth(lung, 0.2, 2.5)
    walls, vertebrae = walls_of(form), vertebrae_of(form)
    bone, ribs, clavicles = skeleton(form, beam, vertebrae, walls)
    f = frame(form)
    right = beam.x < 0
    marks = Landmarks(
        lungs={"right": (lung > 1) & right, "left": (lung > 1) & ~right},
        domes=domes(form, beam), walls=walls, hila=hila(form), carina=carina_of(form), vertebrae=vertebrae, ribs=ribs,
        clavicles=clavicles, aorta=aorta_of(form), heart=(f.right, f.base, f.left, f.bottom), vessels=branches,
        bronchi={side: [main_bronchus(form, side)] for side in ("right", "left")},
    )  # fmt: skip
    hollow = airway(form, beam) * (1 - air * hilar) + gas(form, beam)
    soft = body(form, beam) - lung - hollow - fat(form, beam) + fissure(form, beam) * air
    soft *= uneven(form, beam)
    return Chest(
        beam, form, marks, np.asarray(soft, np.float32), lung, density(form, beam),
        np.minimum(paths, lung) * air * beside, bone * np.float32(form.bone), _zeros(beam), _zeros(beam),
    )  # fmt: skip


def _zeros(beam: Beam) -> Float32:
    return np.zeros((beam.size, beam.size), np.float32)
