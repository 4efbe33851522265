"""The measurements that define a patient's anatomy; findings that distort it replace some of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.simulator.anatomy.breaks import Break
from explorer.simulator.draws import draws
from explorer.simulator.patient import Patient


@dataclass(frozen=True, slots=True)
class Form:
    """Sizes in cm, positions in patient coordinates: x to the left, y down from the lungs' apex, z to the front."""

    half_width: float  # of the chest inside the ribs, at its widest
    half_depth: float  # of the chest inside the ribs
    wall: float  # soft tissue and fat outside the ribs
    dome_right: float  # y of the right diaphragm's top
    dome_left: float
    dome_curve: float  # drop of the diaphragm from its top to the side wall
    apex: float  # y of the lungs' top
    heart_width: float  # from the right to the left border
    heart_x: float  # x of the heart's center
    aorta_bulge: float  # distance of the arch from the midline, to the left
    aorta_radius: float
    aorta_stretch: float  # 0 straight; lateral excursion of ascending and descending aorta
    hilum_right: float  # radius of the pulmonary artery in the hilum
    hilum_left: float
    spine_bend: float  # cm by which the spine bulges to the left at mid chest
    spine_round: float  # 0 upright; larger: kyphosis, vertebrae seen from above, steeper ribs
    bone: float  # mineral, 1 is normal
    lung: float  # density of aerated lung, water is 1
    rib_slope: float
    trachea_push: float = 0.0  # cm by which the trachea is displaced to the left at the thoracic inlet
    breaks: tuple[Break, ...] = ()  # of ribs and clavicles
    chin: float = -9.0  # y of the chin's lower edge


def form_of(patient: Patient) -> Form:
    """Return the healthy anatomy of this patient, which depends only on the seed.

    Slender patients have a long narrow chest with a vertical heart; obese ones high domes, a broad heart and horizontal
    ribs. Age widens and unfolds the aorta, rounds the back slightly, reduces bone mineral, and leaves larger, less
    dense lungs.
    """
    random = draws(patient.seed, "form", patient.anatomy)
    man = patient.sex == "M"
    stout = patient.habitus - 0.2
    old = float(np.clip((patient.age - 45) / 45, -0.5, 1.05))  # -0.5 at 22 years, 1 at 90
    half_width = float(random.normal(14.3 if man else 12.8, 0.6)) + 0.55 * stout
    apex = float(random.normal(0.0, 0.4))
    height = (23.7 if man else 21.3) * (0.25 + 0.75 * patient.inspiration) + float(random.normal(0, 0.8))
    right = apex + height - 1.2 * stout
    return Form(
        half_width=half_width,
        half_depth=float(random.normal(9.4 if man else 8.4, 0.5)) + 0.35 * stout + 0.5 * old,
        wall=float(np.clip(2.2 + 1.5 * patient.habitus + random.normal(0, 0.2), 0.9, 6.0)),
        dome_right=right,
        dome_left=right + float(random.normal(1.2, 0.45)),
        dome_curve=float(random.normal(4.2, 0.45)) + 0.25 * stout - 0.2 * old,
        apex=apex,
        heart_width=2 * half_width * patient.heart,
        heart_x=float(random.normal(2.1, 0.35)) + 0.2 * stout,
        aorta_bulge=float(random.normal(2.55 + 1.0 * old, 0.2)),
        aorta_radius=float(random.normal(1.25 + 0.36 * old, 0.08)),
        aorta_stretch=float(np.clip(random.normal(0.16 + 0.4 * old, 0.08), 0, 0.62)),
        hilum_right=float(random.normal(0.72, 0.05)),
        hilum_left=float(random.normal(0.76, 0.05)),
        spine_bend=float(random.normal(0, 0.25)),
        spine_round=float(np.clip(random.normal(0.04 + 0.14 * old, 0.05), 0, 0.25)),
        bone=float(np.clip(random.normal(1.06 - 0.24 * max(old, 0) * (1.0 if man else 1.35), 0.06), 0.62, 1.25)),
        lung=float(np.clip(random.normal(0.225 - 0.012 * old + 0.008 * stout, 0.012), 0.18, 0.27)),
        rib_slope=float(random.normal(1.0 - 0.09 * stout + 0.06 * old, 0.08)),
        chin=apex + _chin(patient, float(random.normal()), float(random.uniform())),
    )


def _chin(patient: Patient, chance: float, lifted: float) -> float:
    """Return y of the chin's lower edge relative to the apex: above an upright detector, or lowered on pillows.

    An obese neck is short.
    """
    short = max(patient.habitus, 0.0)
    if not patient.lying:
        return min(-8.5 + 0.5 * short + 1.2 * chance, -6.0)
    return min((-8.5 if lifted < 0.6 else -5.2) + 0.9 * short + 1.5 * chance, -2.2)
