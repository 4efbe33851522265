"""Masks of heart, aorta, thyroid and diaphragm hold what changes, closely; a raised leaf rises whole."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

from explorer.simulator import Center, Request, describe, render
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.findings.diaphragm import hemidiaphragm_elevation

SIZE = 192
FILMS: tuple[tuple[int, Center], ...] = ((310, "A"), (307, "B"))


@pytest.mark.parametrize("name", ["Cardiomegaly", "Aortic Elongation", "Goiter", "Hemidiaphragm Elevation"])
@pytest.mark.parametrize("severity", [0.3, 1.0])
def test_a_mask_widened_by_one_percent_holds_nine_tenths(name: str, severity: float) -> None:
    for seed, center in FILMS:
        pixels, masks = render(seed, [Request(name, severity=severity)], center, SIZE)
        change = np.abs(pixels - render(seed, [], center, SIZE)[0])
        inside = change[binary_dilation(masks[name], iterations=2)].sum() / change.sum()
        assert inside > 0.92, (seed, inside)


@pytest.mark.parametrize("side", ["right", "left"])
def test_all_of_a_raised_leaf_rises(side: str) -> None:
    for seed in (3000, 310, 21):
        patient = describe(seed, "A")
        form = form_of(patient)
        chest = build_chest(form, Beam.aim(patient, form, SIZE))
        lung, beam = chest.lung.copy(), chest.beam
        hemidiaphragm_elevation(chest, Request("Hemidiaphragm Elevation", side, 1.0), draws(seed, "raised"))
        lost = (lung - chest.lung).sum(0) * beam.pixel  # of each column
        out = beam.x[0] * (-1 if side == "right" else 1) / form.half_width
        parts = [lost[(out > low) & (out < low + 0.12)].mean() for low in (0.3, 0.45, 0.6, 0.7)]
        assert min(parts) > 0.45 * max(parts) > 5
