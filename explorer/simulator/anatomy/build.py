"""Builds the whole chest of a form: layers and landmarks."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.abdomen import abdominal_fat
from explorer.simulator.anatomy.airway import airway, main_bronchus
from explorer.simulator.anatomy.aorta import aorta_course
from explorer.simulator.anatomy.body import body
from explorer.simulator.anatomy.cage import chest_cavity as cavity_of
from explorer.simulator.anatomy.cage import chest_walls as walls_of
from explorer.simulator.anatomy.diaphragm import below_diaphragm, bowel_gas, domes
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.heart import carina_position, heart_frame
from explorer.simulator.anatomy.lungs import lung_density, minor_fissure
from explorer.simulator.anatomy.mediastinum import mediastinum
from explorer.simulator.anatomy.skeleton import skeleton
from explorer.simulator.anatomy.spine import vertebra_centers
from explorer.simulator.anatomy.tissue import tissue_texture
from explorer.simulator.anatomy.vessels import hilum_centers, vessels
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest, Landmarks
from explorer.simulator.shapes import smooth_step
from models.array_types import Float32


def build_chest(form: Form, beam: Beam) -> Chest:
    """Return the chest without findings."""
    cavity = cavity_of(form, beam)
    under = below_diaphragm(form, beam, cavity)
    organs, behind = mediastinum(form, beam, under)
    lung = (cavity - organs - behind).clip(0)
    paths, branches = vessels(form, beam)
    across = np.abs(beam.at(0)[0])
    beside, hilar = (
        smooth_step(across, 1.0, 3.0),
        smooth_step(across, 3.0, 5.5),
    )  # vessels within the mediastinum belong to it
    air = smooth_step(lung, 0.2, 2.5)
    walls, vertebrae = walls_of(form), vertebra_centers(form)
    bone, ribs, clavicles = skeleton(form, beam, vertebrae, walls)
    f = heart_frame(form)
    right = beam.x < 0
    marks = Landmarks(
        lungs={"right": (lung > 1) & right, "left": (lung > 1) & ~right},
        domes=domes(form, beam), walls=walls, hila=hilum_centers(form), carina=carina_position(form),
        vertebrae=vertebrae, ribs=ribs, clavicles=clavicles, aorta=aorta_course(form),
        heart=(f.right, f.base, f.left, f.bottom), vessels=branches,
        bronchi={side: [main_bronchus(form, side)] for side in ("right", "left")},
    )  # fmt: skip
    hollow = airway(form, beam) * (1 - air * hilar) + bowel_gas(form, beam)
    soft = body(form, beam) - lung - hollow - abdominal_fat(form, beam) + minor_fissure(form, beam) * air
    soft *= tissue_texture(form, beam)
    return Chest(
        beam, form, marks, np.asarray(soft, np.float32), lung, lung_density(form, beam),
        np.minimum(paths, lung) * air * beside, bone * np.float32(form.bone), _zeros(beam), _zeros(beam),
    )  # fmt: skip


def _zeros(beam: Beam) -> Float32:
    return np.zeros((beam.size, beam.size), np.float32)
