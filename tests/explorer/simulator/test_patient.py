"""No two patients are built alike: age, habitus and posture show, and none of it is a finding."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from explorer.simulator import CENTERS, Center, Patient, describe
from explorer.simulator.anatomy.form import Form, form_of
from explorer.simulator.anatomy.head import chin, jaw
from explorer.simulator.beam import Beam

PATIENTS = {center: [describe(seed, center) for seed in range(160)] for center in CENTERS}
BOTH = [(patient, form_of(patient)) for patients in PATIENTS.values() for patient in patients]


def mean(of: Callable[[Form], float], where: Callable[[Patient], bool]) -> float:
    return float(np.mean([of(form) for patient, form in BOTH if where(patient)]))


def test_age_shows_in_aorta_bones_back_and_lungs() -> None:
    for of, grows in (
        (lambda form: form.aorta_bulge, True),
        (lambda form: form.aorta_radius, True),
        (lambda form: form.spine_round, True),
        (lambda form: form.bone, False),
        (lambda form: form.lung, False),
    ):
        young, old = mean(of, lambda patient: patient.age < 40), mean(of, lambda patient: patient.age > 80)
        assert (old > 1.05 * young) if grows else (old < 0.95 * young)


def test_habitus_shows_in_domes_heart_and_width_of_the_chest() -> None:
    for of, grows in (
        (lambda form: form.dome_right - form.apex, False),
        (lambda form: form.heart_width, True),
        (lambda form: form.half_width, True),
        (lambda form: form.wall, True),
        (lambda form: form.rib_slope, False),
    ):
        slender, obese = (mean(of, who) for who in (lambda p: p.habitus < -0.6, lambda p: p.habitus > 1.1))
        assert (obese > 1.05 * slender) if grows else (obese < 0.95 * slender)


@pytest.mark.parametrize("center", CENTERS)
def test_no_healthy_form_is_a_finding(center: Center) -> None:
    for patient in PATIENTS[center]:
        form = form_of(patient)
        assert form.heart_width < 0.5 * 2 * form.half_width
        assert abs(form.spine_bend) < 0.9 and form.spine_round <= 0.25 and form.aorta_stretch <= 0.62
        assert abs(patient.rotation) <= 0.17 and -0.14 <= patient.lean <= 0.2


def test_leaning_back_lifts_what_is_in_front() -> None:
    patient = next(patient for patient in PATIENTS["B"] if patient.lean > 0.08)
    beam = Beam.aim(patient, form_of(patient), 64)
    front, back = (beam.on_film(0.0, beam.center_y, z)[1] for z in (6.0, -6.0))
    assert back - front > 0.9
    assert beam.project(np.array([[0.0, beam.center_y, 6.0]]))[0, 1] == pytest.approx(
        (front - beam.top) / beam.pixel - 0.5
    )


def test_the_chin_hangs_into_some_portable_films_and_into_no_upright_one() -> None:
    seen: dict[str, list[bool]] = {"PA": [], "AP": []}
    for patient, form in BOTH:
        beam = Beam.aim(patient, form, 64)
        soft, bone = chin(form, beam), jaw(form, beam)
        seen[patient.view].append(soft is not None and float(soft.max()) > 1)
        assert np.min(bone) >= 0 and (soft is None or np.isfinite(soft).all() and soft.min() >= 0)
    assert 0.05 < np.mean(seen["AP"]) < 0.5 and np.mean(seen["PA"]) < 0.03
