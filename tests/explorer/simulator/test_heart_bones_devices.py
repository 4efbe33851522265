"""Heart, aorta, goiter, bones and devices: what each does to the anatomy, beyond what every finding must do."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.simulator import Request, describe, render
from explorer.simulator.anatomy.airway import airway
from explorer.simulator.anatomy.breaks import CLAVICLE, Break, apply_breaks
from explorer.simulator.anatomy.form import Form, form_of
from explorer.simulator.anatomy.spine import vertebra_centers
from explorer.simulator.beam import Beam
from explorer.simulator.findings import FINDINGS
from explorer.simulator.findings.devices import _ALL, _PLAIN, _choose_devices
from explorer.simulator.findings.tubes import endotracheal
from explorer.simulator.findings.wires import ellipse_loop, smooth_course

SIZE = 128
SEEDS = range(6)


def bent(seed: int, request: Request) -> tuple[Form, Form]:
    """The form in health and with the finding."""
    form, bend = form_of(describe(seed, "A")), FINDINGS[request.finding].bend
    assert bend is not None
    return form, bend(form, request, np.random.default_rng(seed))


def mask_of(seed: int, request: Request) -> tuple[NDArray[np.bool_], Beam]:
    patient = describe(seed, "A")
    mask = render(seed, [request], "A", SIZE)[1][request.finding]
    return mask, Beam.aim(patient, form_of(patient), SIZE)


def severities(name: str, side: str | None = None) -> list[Request]:
    return [Request(name, side, severity) for severity in (0.0, 0.5, 1.0)]


def test_an_enlarged_heart_is_more_than_half_as_wide_as_the_chest() -> None:
    for seed in SEEDS:
        widths = []
        for request in severities("Cardiomegaly"):
            form, large = bent(seed, request)
            assert large.heart_width > form.heart_width + 1
            assert large.heart_width > 0.52 * 2 * form.half_width
            widths.append(large.heart_width)
        assert widths == sorted(widths)


def test_an_elongated_aorta_stands_out_further() -> None:
    for request in severities("Aortic Elongation"):
        form, long = bent(3, request)
        assert long.aorta_bulge > form.aorta_bulge + 0.5 and long.aorta_stretch > form.aorta_stretch


def test_a_goiter_pushes_the_trachea_more_the_larger_it_is() -> None:
    patient = describe(2, "A")
    beam = Beam.aim(patient, form_of(patient), SIZE)
    row = np.abs(beam.y[:, 0] - form_of(patient).apex + 1).argmin()
    shifts = []
    for request in severities("Goiter"):
        middles = [float((beam.x[0] * air[row]).sum() / air[row].sum()) for air in
                   (airway(form, beam) for form in bent(2, request))]  # fmt: skip
        shifts.append(abs(middles[1] - middles[0]))
    assert shifts == sorted(shifts) and 0.3 < shifts[0] < shifts[2] < 3


@pytest.mark.parametrize(("side", "sign"), [("right", -1), ("left", 1)])
def test_scoliosis_bulges_to_the_side_asked_for(side: str, sign: int) -> None:
    for request in severities("Scoliosis", side):
        assert sign * vertebra_centers(bent(1, request)[1])[6, 0] > 0.7


def test_kyphosis_shortens_the_spine_more_than_the_lungs_and_lowers_the_chin() -> None:
    chins = []
    for request in severities("Kyphosis"):
        form, stooped = bent(1, request)
        shorter = np.ptp(vertebra_centers(form)[:, 1]) - np.ptp(vertebra_centers(stooped)[:, 1])
        assert shorter > 0.1 + 0.5 * float(request.severity or 0)
        assert form.dome_right - 1.2 < stooped.dome_right < form.dome_right
        assert stooped.heart_width < 0.5 * 2 * stooped.half_width
        chins.append(stooped.chin)
    assert chins == sorted(chins) and chins[-1] > form.apex + 1


@pytest.mark.parametrize("severity", [0.3, 1.0])
def test_kyphosis_changes_the_film_where_its_mask_is(severity: float) -> None:
    for seed in (310, 371):
        healthy = render(seed, [], "A", 160)[0]
        pixels, masks = render(seed, [Request("Kyphosis", severity=severity)], "A", 160)
        change = np.abs(pixels - healthy)
        assert change[masks["Kyphosis"]].sum() > 0.25 * change.sum()


def test_beaks_of_worn_disks_stand_beside_the_spine_mostly_on_the_right() -> None:
    right = left = 0.0
    for seed in SEEDS:
        mask, beam = mask_of(seed, Request("Vertebral Degenerative Changes", severity=0.6))
        middle = beam.on_film(0.0, 12.0, -5.6)[0]
        right += mask[:, beam.x[0] < middle - 1.9].sum()
        left += mask[:, beam.x[0] > middle + 1.9].sum()
    assert right > 1.5 * left > 0


def test_subtle_wear_of_the_spine_is_more_than_noise() -> None:
    for seed, center in ((310, "A"), (372, "B"), (375, "B")):
        healthy = render(seed, [], center, 224)[0]  # type: ignore[arg-type]
        request = Request("Vertebral Degenerative Changes", severity=0.3)
        pixels, masks = render(seed, [request], center, 224)  # type: ignore[arg-type]
        assert (pixels - healthy)[masks[request.finding]].mean() > 0.006


def test_osteopenia_takes_a_quarter_of_the_mineral_or_more() -> None:
    for seed in SEEDS:
        for request in severities("Osteopenia"):
            form, poor = bent(seed, request)
            assert 0.1 < poor.bone < 0.76 * form.bone


@pytest.mark.parametrize("side", ["right", "left"])
def test_fractures_are_of_bones_of_the_side_asked_for(side: str) -> None:
    for seed in SEEDS:
        for request in severities("Fracture", side):
            breaks = bent(seed, request)[1].breaks
            assert 1 <= len(breaks) <= 4 and all(each.side == side and 0 <= each.bone <= 10 for each in breaks)


def test_a_break_steps_the_outer_fragment_across_the_bone_and_no_other() -> None:
    bone = np.stack([np.linspace(0, 20, 30), np.zeros(30), np.zeros(30)], 1)
    breaks = (Break("left", CLAVICLE, 0.5, 0.8),)
    stepped = apply_breaks(bone, breaks, "left", CLAVICLE)
    assert stepped.shape == bone.shape
    assert np.abs(stepped[:15, 1]).max() == 0 and stepped[15, 1] == pytest.approx(0.8)
    assert abs(stepped[-1, 1]) < 0.05  # the joint is where it was
    assert apply_breaks(bone, breaks, "right", CLAVICLE) is bone and apply_breaks(bone, breaks, "left", 4) is bone


def test_sternal_wires_lie_in_the_midline_one_below_the_other() -> None:
    mask, beam = mask_of(4, Request("Sternotomy", severity=1.0))
    columns, rows = np.flatnonzero(mask.any(0)), np.flatnonzero(mask.any(1))
    assert np.ptp(beam.x[0, columns]) < 4.5 and np.ptp(beam.y[rows, 0]) > 9
    assert (np.diff(rows) > 1).sum() >= 3  # gaps between the loops


@pytest.mark.parametrize("side", ["right", "left"])
def test_a_central_venous_catheter_ends_in_the_vena_cava(side: str) -> None:
    for seed in SEEDS:
        mask, beam = mask_of(seed, Request("Central Venous Catheter", side, 0.4))
        cava = (beam.x > -6) & (beam.x < 0)
        low = np.flatnonzero((mask & cava).any(1)).max()
        carina = form_of(describe(seed, "A")).apex + 7
        assert carina < beam.y[low, 0] < carina + 9


def test_more_devices_when_more_severe_and_each_is_metal_on_the_film() -> None:
    areas = [np.mean([mask_of(seed, request)[0].mean() for seed in SEEDS]) for request in severities("Support Devices")]
    assert areas[0] < areas[1] < areas[2]


@pytest.mark.parametrize("severity", [0.5, 1.0])
def test_severe_support_devices_are_two_or_more_and_one_is_plain(severity: float) -> None:
    for order in permutations(range(len(_ALL)), 5):
        picks = _choose_devices(list(order), 1, severity)
        assert len(picks) == len(set(picks)) >= 2 and any(_ALL[pick] in _PLAIN for pick in picks)


def test_a_tracheal_tube_is_never_the_only_device() -> None:
    tube = _ALL.index(endotracheal)
    assert _choose_devices([tube, 1, 0], 1, 0.2) == [tube, 1] and _choose_devices([1, tube, 0], 1, 0.2) == [1]


def test_broken_ribs_do_not_stand_in_file() -> None:
    breaks = [bent(seed, Request("Fracture", "left", 1.0))[1].breaks for seed in range(40)]
    ribs = [each for each in breaks if len(each) > 2]
    assert len(ribs) > 15
    skipped = [np.diff([one.bone for one in each]).max() == 2 for each in ribs]
    assert 0.2 < np.mean(skipped) < 0.9
    assert np.mean([np.ptp([one.share for one in each]) for each in ribs]) > 0.05


@pytest.mark.parametrize("seed", [360, 871])
def test_a_stoop_covers_the_apices_and_broadens_the_middle_of_the_chest(seed: int) -> None:
    healthy, pixels = (render(seed, r, "A", 160)[0] for r in ([], [Request("Kyphosis", severity=1.0)]))
    form = form_of(describe(seed, "A"))
    beam = Beam.aim(describe(seed, "A"), form, 160)
    level, off = beam.y - form.apex, np.abs(beam.x)
    for place in ((level > 1) & (level < 4) & (off > 2.5) & (off < 6), (level > 5) & (level < 9) & (off < 4)):
        assert (pixels - healthy)[place].mean() > 0.04


def test_a_bone_with_less_mineral_makes_a_darker_film() -> None:
    healthy = render(8, [], "A", SIZE)[0]
    pixels, masks = render(8, [Request("Osteopenia", severity=1.0)], "A", SIZE)
    assert (pixels - healthy)[masks["Osteopenia"]].mean() < -0.005


def test_a_course_goes_through_its_ends_and_a_loop_closes() -> None:
    points = [(0.0, 0.0, 0.0), (3.0, 1.0, 0.0), (4.0, 6.0, 1.0)]
    line = smooth_course(points)
    assert np.allclose(line[0], points[0]) and np.allclose(line[-1], points[-1])
    assert np.linalg.norm(np.diff(line, axis=0), axis=1).max() < 1.0
    ring = ellipse_loop((1.0, 2.0, 3.0), 2.0, 1.0, 0.3)
    assert np.allclose(ring[0], ring[-1]) and np.allclose(ring[:-1].mean(0), (1, 2, 3))


def test_a_bend_leaves_what_it_does_not_bend() -> None:
    form, large = bent(0, Request("Cardiomegaly", severity=1.0))
    assert replace(large, heart_width=form.heart_width, heart_x=form.heart_x) == form
