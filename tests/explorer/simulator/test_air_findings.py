"""Findings of airways, interstitium, hila, diaphragm and free gas: where they change the film, and which way."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from explorer.simulator import SIDES, Request, render
from explorer.simulator.request import Center, settle

LOCAL = (
    "Adenopathy",
    "Azygos Lobe",
    "Bronchiectasis",
    "Emphysema",
    "Hemidiaphragm Elevation",
    "Hernia",
    "Interstitial Pattern",
    "Pneumoperitoneum",
    "Subcutaneous Emphysema",
    "Vascular Hilar Enlargement",
)
DARKER = ("Emphysema", "Pneumoperitoneum", "Subcutaneous Emphysema")
BRIGHTER = ("Adenopathy", "Azygos Lobe", "Interstitial Pattern", "Vascular Hilar Enlargement")
SIZE = 160
Film = tuple[NDArray[np.float32], NDArray[np.bool_]]


@cache
def film(name: str, severity: float, seed: int = 4, center: Center = "A", side: str | None = None) -> Film:
    """What the finding adds to the twin's film, and its mask."""
    pixels, masks = render(seed, [Request(name, side, severity)], center, SIZE)
    return pixels - twin(seed, center), masks[name]


@cache
def twin(seed: int, center: Center) -> NDArray[np.float32]:
    return render(seed, [], center, SIZE)[0]


@pytest.mark.parametrize("center", ["A", "B"])
@pytest.mark.parametrize("name", LOCAL)
def test_a_local_finding_changes_the_film_within_its_mask(name: str, center: Center) -> None:
    change, mask = film(name, 0.7, center=center)
    near = binary_dilation(mask, iterations=round(0.03 * SIZE))
    assert np.abs(change[near]).sum() > 0.9 * np.abs(change).sum()
    assert (np.abs(change[mask]) > 0.01).mean() > 0.5  # tight: no box around it


@pytest.mark.parametrize("name", LOCAL)
def test_more_severe_is_more_and_subtle_is_there(name: str) -> None:
    subtle, middle, obvious = (float(np.abs(film(name, severity)[0]).sum()) for severity in (0.0, 0.7, 1.0))
    assert 0 < subtle < middle < obvious
    assert np.abs(film(name, 0.0)[0]).max() > 0.012


@pytest.mark.parametrize("name", DARKER)
def test_gas_is_dark(name: str) -> None:
    change, mask = film(name, 1.0)
    assert change[mask].mean() < -0.02


@pytest.mark.parametrize("name", BRIGHTER)
def test_tissue_is_white(name: str) -> None:
    change, mask = film(name, 1.0)
    assert change[mask].mean() > 0.02


@pytest.mark.parametrize("name", [name for name in LOCAL if "both" in SIDES[name]])
def test_it_lies_on_the_side_that_was_asked_for(name: str) -> None:
    half = SIZE // 2
    right, left, both = (film(name, 1.0, side=side)[1] for side in ("right", "left", "both"))
    assert right[:, :half].sum() > 0.9 * right.sum()  # the patient's right is on the image's left
    assert left[:, half:].sum() > 0.9 * left.sum()
    assert both[:, :half].any() and both[:, half:].any()


def test_too_much_air_enlarges_and_darkens_the_lungs_and_too_little_shrinks_them() -> None:
    more, wide = film("Hyperinflated Lung", 1.0)
    less, narrow = film("Hypoexpansion", 1.0)
    risen = narrow & (less > 0.1)  # where the domes have come up
    assert wide.sum() > 1.3 * (narrow & ~risen).sum()
    assert more[wide].mean() < -0.02
    assert less[narrow].mean() > 0.02


@pytest.mark.parametrize("seed", range(3))
def test_they_combine_in_small_lungs(seed: int) -> None:
    names = ("Hypoexpansion", *LOCAL[:6], "Subcutaneous Emphysema")
    pixels, masks = render(seed, [Request(name, severity=1.0) for name in names], "B", SIZE)
    assert np.isfinite(pixels).all()
    assert set(masks) == set(names)
    assert all(mask.any() for mask in masks.values())


def test_interstitial_disease_is_mostly_in_both_lungs() -> None:
    drawn = [settle(seed, ["Interstitial Pattern"])[0].side for seed in range(300)]
    assert 0.74 < drawn.count("both") / 300 < 0.86 and {"right", "left"} < set(drawn)
    assert settle(0, [Request("Interstitial Pattern", "left", 0.5)])[0].side == "left"
