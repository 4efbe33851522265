"""Shapes that a reader must see: every interstitial pattern, and one stomach below a raised dome."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.phantom import Request, describe, render
from explorer.phantom.anatomy.build import build
from explorer.phantom.anatomy.diaphragm import gas
from explorer.phantom.anatomy.form import form_of
from explorer.phantom.beam import Beam
from explorer.phantom.draws import draws
from explorer.phantom.findings.diaphragm import hemidiaphragm_elevation

SIZE = 192


@pytest.mark.parametrize("seed", [200, 201, 202, 203, 205, 206, 212])  # 201, 205, 206 and 212 are miliary
def test_no_interstitial_pattern_hides(seed: int) -> None:
    pixels, masks = render(seed, [Request("Interstitial Pattern", severity=1.0)], "A", SIZE)
    change = np.abs(pixels - render(seed, [], "A", SIZE)[0])
    assert change[masks["Interstitial Pattern"]].mean() > 0.025


@pytest.mark.parametrize("seed", [221, 240])
def test_a_raised_dome_takes_the_stomach_along(seed: int) -> None:
    patient = describe(seed, "A")
    form = form_of(patient)
    beam = Beam.aim(patient, form, SIZE)
    chest = build(form, beam)
    hemidiaphragm_elevation(chest, Request("Hemidiaphragm Elevation", "left", 1.0), draws(seed, "raised"))
    before = gas(form, beam)
    after = before + chest.gas
    assert after.min() > -1e-3, "no more gas is taken away than there was"
    height = [float((each.sum(1) * beam.y[:, 0]).sum() / each.sum()) for each in (before, after)]
    assert height[0] - height[1] > 1.5
