"""What a finding changes in a simulated patient, apart from the film."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.simulator import Request, WrongRequest, describe
from explorer.simulator.anatomy_masks import anatomy_masks
from explorer.simulator.finding_change import diameter, finding_change
from explorer.simulator.version import NEWEST_DRAWING

PATIENT = describe(5, "A", NEWEST_DRAWING)


def test_a_mass_is_denser_and_a_pneumothorax_thinner() -> None:
    mass = finding_change(PATIENT, Request("Mass", "right", 0.6), 128)
    air = finding_change(PATIENT, Request("Pneumothorax", "left", 0.6), 128)
    assert mass.density[mass.mask].mean() > 0.1
    assert air.density[air.mask].mean() < -0.02
    assert np.abs(mass.density[:, 64:]).max() < 0.01  # the other side of the patient
    assert mass.lung[:, :64].sum() > 0.95 * mass.lung.sum()


def test_after_is_before_and_the_change() -> None:
    subtle, severe = (finding_change(PATIENT, Request("Mass", "right", each), 128) for each in (0.1, 0.9))
    assert np.abs((severe.after - severe.density) - (subtle.after - subtle.density)).max() < 1e-4


def test_the_lung_is_the_field_that_readers_outline() -> None:
    change = finding_change(PATIENT, Request("Pleural Effusion", "left", 0.8), 128)
    assert np.array_equal(change.lung, anatomy_masks(5, [], "A", 128, NEWEST_DRAWING)["left lung"])


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (Request("Cardiomegaly", "", 0.5), "cannot be taken out"),
        (Request("Teapot", "right", 0.5), "cannot be taken out"),
        (Request("Pleural Effusion", "both", 0.5), "on both sides is two findings"),
    ],
)
def test_what_is_not_in_one_lung_is_refused(request_: Request, said: str) -> None:
    with pytest.raises(WrongRequest, match=said):
        finding_change(PATIENT, request_, 128)


def test_a_nodule_is_smaller_than_a_mass_and_sizes_are_in_centimeters() -> None:
    def across(finding: str, severity: float, size: int = 512) -> float:
        return diameter(PATIENT, finding_change(PATIENT, Request(finding, "right", severity), size))

    nodule, mass = (across(each, 0.5) for each in ("Nodule", "Mass"))
    assert 0.5 < nodule <= 3 < mass < 12, "a mass is larger than 3 cm (Fleischner glossary)"
    assert across("Mass", 0.9) > mass
    assert across("Mass", 0.5, 256) == pytest.approx(mass, rel=0.03)
