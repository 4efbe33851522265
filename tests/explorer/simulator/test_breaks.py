"""Broken and emptied bones: fragments part, the rest of the chest stays, cortices outlast the core."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from explorer.simulator import Request, render
from explorer.simulator.anatomy.breaks import CLAVICLE, Break, break_point, bridging_segments
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.cage import chest_walls
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.anatomy.ribs import rib_cage
from explorer.simulator.anatomy.spine import vertebra_centers
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.findings import FINDINGS
from explorer.simulator.patient import describe

_PATIENT = describe(5, "A")
_FORM = form_of(_PATIENT)


def test_one_piece_bridges_a_break_and_none_where_nothing_is_broken() -> None:
    breaks = (Break("left", 5, 0.3, 1.0),)
    for every in (1, 2):
        assert bridging_segments(28, breaks, "left", 5, every).sum() == 1
    assert not bridging_segments(28, breaks, "left", 6).any() and not bridging_segments(28, breaks, "right", 5).any()


def test_between_fragments_pulled_apart_there_is_no_bone() -> None:
    beam = Beam.aim(_PATIENT, _FORM, 512)
    each = Break("left", 6, 0.27, 0.0, 1.0)
    form = replace(_FORM, breaks=(each,))
    whole, courses = rib_cage(_FORM, beam, vertebra_centers(_FORM), chest_walls(_FORM))
    parted, _ = rib_cage(form, beam, vertebra_centers(form), chest_walls(form))
    column, row = np.round(beam.project(break_point(courses["left"][5], each)[1][None])[0]).astype(int)
    assert parted[row, column] < whole[row, column] - 0.1
    far = np.hypot(*np.ogrid[-row : 512 - row, -column : 512 - column]) * beam.pixel > 4
    assert np.array_equal(parted[far], whole[far])


@pytest.mark.slow
@pytest.mark.parametrize("center", ["A", "B"])
def test_a_severe_fracture_is_seen_at_224_px(center: str) -> None:
    for seed in range(30, 36):
        twin = render(seed, [], center, 224)[0]  # type: ignore[arg-type]
        film, masks = render(seed, [Request("Fracture", severity=1.0)], center, 224)  # type: ignore[arg-type]
        change, mask = np.abs(film - twin), masks["Fracture"]
        assert change.max() > 0.08 and (change[mask] > 0.01).mean() > 0.35, seed
        assert mask.mean() < 0.07


def test_thin_bones_keep_their_outlines() -> None:
    beam = Beam.aim(_PATIENT, _FORM, 512)

    def crisp(severity: float) -> float:
        request = Request("Osteopenia", severity=severity)
        chest = build_chest(FINDINGS["Osteopenia"].bend(_FORM, request, draws(5, "bend")), beam)  # type: ignore[misc]
        FINDINGS["Osteopenia"].draw(chest, request, draws(5, "draw"))
        detail = chest.bone - gaussian_filter(chest.bone, 0.2 / beam.pixel)
        return float(detail.clip(0).sum() / chest.bone.sum())

    assert crisp(1.0) > 1.25 * crisp(0.0)


def test_ribs_that_are_broken_lie_over_the_lung_in_every_patient() -> None:
    """The lowest of four broken ribs once was one that no chest has."""
    for seed in range(300):
        form = form_of(describe(seed, "A"))
        request = Request("Fracture", "left", 1.0)
        bend = FINDINGS["Fracture"].bend
        assert bend is not None
        bent = bend(form, request, draws(seed, "bend", "Fracture"))
        assert all(each.bone == CLAVICLE or 2 <= each.bone <= 8 for each in bent.breaks)
        assert len({each.bone for each in bent.breaks}) == len(bent.breaks) >= 1
