"""Osteopenia: bones with too little mineral."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.ndimage import gaussian_filter

from explorer.phantom.anatomy.form import Form
from explorer.phantom.chest import Bools, Chest
from explorer.phantom.findings.finding import Finding
from explorer.phantom.request import Request

_BONE = 0.25  # cm of healthy bone on a ray that show
_CORTEX = 0.16  # cm
_LEFT = 2.4  # what is left of the cortex, over what a loss as great as the core's would leave


def _thin(form: Form, request: Request, random: np.random.Generator) -> Form:
    """A third of the mineral must be lost before a film shows it (Lachman and Whelan, Radiology 1936)."""
    severity = float(request.severity or 0)
    return replace(form, bone=min(form.bone, 0.95) * (0.72 - 0.29 * severity + float(random.uniform(-0.02, 0.02))))


def _bones(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """The spongy core goes first, the cortex stays as a thin line; the mask is where there is bone."""
    mask = chest.bone > _BONE * np.float32(chest.form.bone)
    cortex = (chest.bone - gaussian_filter(chest.bone, _CORTEX / chest.beam.pixel)).clip(0)
    chest.bone += cortex * np.float32(_LEFT * float(request.severity or 0))
    return np.asarray(mask)


OSTEOPENIA = {"Osteopenia": Finding(_bones, _thin)}
