"""Exact outlines of the anatomy lie where the film shows it, and move with what changes the anatomy."""

import numpy as np
import pytest

from explorer.simulator import Center, Request, render
from explorer.simulator.anatomy_masks import STRUCTURES, anatomy_masks
from models.anatomy.cardiothoracic import cardiothoracic_ratio
from models.anatomy.plausible import what_is_wrong
from models.anatomy.structures import STRUCTURES as LEARNED

SIZE = 256


@pytest.mark.parametrize("center", ["A", "B"])
def test_every_structure_is_there_and_the_chest_is_plausible(center: Center) -> None:
    masks = anatomy_masks(5, [], center, SIZE)
    assert tuple(masks) == STRUCTURES == LEARNED
    assert all(mask.shape == (SIZE, SIZE) and mask.any() for mask in masks.values())
    assert what_is_wrong(masks) == ""


def test_lungs_heart_and_diaphragm_do_not_overlap() -> None:
    masks = anatomy_masks(5, [], "A", SIZE)
    apart = [masks[name] for name in STRUCTURES[:2]] + [
        masks["heart"] & ~masks["below diaphragm"],
        masks["mediastinum"],
    ]
    assert np.sum(apart, axis=0).max() == 1


def test_lungs_are_darker_than_heart_and_abdomen() -> None:
    film, _ = render(5, [], "A", SIZE)
    masks = anatomy_masks(5, [], "A", SIZE)
    right, left, heart, _, below = (float(film[masks[name]].mean()) for name in STRUCTURES[:5])
    assert max(right, left) < heart - 0.15 < below


def test_the_ratio_of_a_simulated_film_is_that_of_its_patient() -> None:
    """The simulator draws a severe cardiomegaly with a ratio of 0.69 to 0.70, magnified little on a PA film."""
    healthy = cardiothoracic_ratio(anatomy_masks(5, [], "A", SIZE)).value
    ill = cardiothoracic_ratio(anatomy_masks(5, [Request("Cardiomegaly", "", 1.0)], "A", SIZE)).value
    assert healthy < 0.52 < 0.62 < ill < 0.78


def test_a_raised_dome_moves_the_lung_base_on_its_side() -> None:
    healthy = anatomy_masks(5, [], "A", SIZE)
    raised = anatomy_masks(5, [Request("Hemidiaphragm Elevation", "right", 1.0)], "A", SIZE)
    assert raised["right lung"].sum() < 0.9 * healthy["right lung"].sum()
    assert raised["left lung"].sum() == pytest.approx(healthy["left lung"].sum(), rel=0.03)


def test_fluid_belongs_to_its_lung() -> None:
    healthy = anatomy_masks(5, [], "A", SIZE)
    ill = anatomy_masks(5, [Request("Pleural Effusion", "right", 1.0)], "A", SIZE)
    assert (ill["right lung"] == healthy["right lung"]).all()
