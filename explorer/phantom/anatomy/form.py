"""The numbers that a patient's anatomy is built from; findings that bend it replace some of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.phantom.anatomy.breaks import Break
from explorer.phantom.draws import draws
from explorer.phantom.patient import Patient


@dataclass(frozen=True, slots=True)
class Form:
    """Sizes in cm, places in the patient's coordinates: x to the left, y down from the lungs' apex, z to the front."""

    half_width: float  # of the chest inside the ribs, at its widest
    half_depth: float  # of the chest inside the ribs
    wall: float  # soft tissue and fat outside the ribs
    dome_right: float  # y of the right diaphragm's top
    dome_left: float
    dome_curve: float  # how far the diaphragm falls from its top to the side wall
    apex: float  # y of the lungs' top
    heart_width: float  # from the right to the left border
    heart_x: float  # x of the heart's middle
    aorta_bulge: float  # how far the arch stands out to the left of the midline
    aorta_radius: float
    aorta_stretch: float  # 0 straight; how far ascending and descending aorta swing out
    hilum_right: float  # radius of the pulmonary artery in the hilum
    hilum_left: float
    spine_bend: float  # cm that the spine bulges to the left at mid chest
    spine_round: float  # 0 upright; more: kyphosis, vertebrae seen from above, ribs steeper
    bone: float  # mineral, 1 is normal
    lung: float  # density of aerated lung, water is 1
    rib_slope: float
    trachea_push: float = 0.0  # cm that the trachea is pushed to the left at the inlet of the chest
    breaks: tuple[Break, ...] = ()  # of ribs and clavicles


def form_of(patient: Patient) -> Form:
    """The anatomy of this patient in health, from the seed alone."""
    random = draws(patient.seed, "form", patient.center)
    man = patient.sex == "M"
    stout = patient.habitus
    half_width = float(random.normal(14.2 if man else 12.7, 0.6)) + 0.35 * float(stout)
    apex = float(random.normal(0.0, 0.4))
    height = (
        (23.6 if man else 21.2) * (0.25 + 0.75 * patient.inspiration)
        + float(random.normal(0, 0.8))
        - 0.7 * float(stout)
    )
    right = apex + height
    elderly = np.clip((patient.age - 50) / 40, 0, 1)
    return Form(
        half_width=half_width,
        half_depth=float(random.normal(9.6 if man else 8.6, 0.5)),
        wall=float(np.clip(2.2 + 1.5 * patient.habitus + random.normal(0, 0.2), 0.9, 6.0)),
        dome_right=right,
        dome_left=right + float(random.normal(1.3, 0.4)),
        dome_curve=float(random.normal(4.2, 0.5)),
        apex=apex,
        heart_width=2 * half_width * patient.heart,
        heart_x=float(random.normal(2.2, 0.4)),
        aorta_bulge=float(random.normal(2.5 + 0.9 * elderly, 0.2)),
        aorta_radius=float(random.normal(1.25 + 0.3 * elderly, 0.08)),
        aorta_stretch=float(np.clip(random.normal(0.15 + 0.35 * elderly, 0.08), 0, 0.6)),
        hilum_right=float(random.normal(0.72, 0.05)),
        hilum_left=float(random.normal(0.76, 0.05)),
        spine_bend=float(random.normal(0, 0.25)),
        spine_round=0.0,
        bone=float(np.clip(random.normal(1.05 - 0.25 * elderly * (1.0 if man else 1.3), 0.07), 0.6, 1.25)),
        lung=float(np.clip(random.normal(0.225, 0.015), 0.18, 0.27)),
        rib_slope=float(random.normal(1.0, 0.1)),
    )
