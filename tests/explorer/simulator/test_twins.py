"""A film and its normal twin differ by the disease: within the mask, the more the severer, on the side asked for."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from explorer.simulator import ABNORMAL, CENTERS, GLOBAL, SIDES, Center, Request, render

pytestmark = pytest.mark.slow

SIZE = 160
SEEDS = (21, 22)
LOCAL = [name for name in ABNORMAL if name not in GLOBAL]


@lru_cache(256)
def film(seed: int, center: Center, *requests: Request) -> tuple[NDArray[np.float32], dict[str, NDArray[np.bool_]]]:
    return render(seed, requests, center, SIZE)


def change(seed: int, center: Center, request: Request) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """What the finding changes in the film, and its mask."""
    pixels, masks = film(seed, center, request)
    return np.abs(pixels - film(seed, center)[0]), masks[request.finding]


def widened(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray(binary_dilation(mask, iterations=round(0.03 * SIZE)))


@pytest.mark.parametrize("center", CENTERS)
@pytest.mark.parametrize("name", LOCAL)
def test_a_local_finding_changes_the_film_within_its_mask(name: str, center: Center) -> None:
    for seed in SEEDS:
        for severity in (0.2, 1.0):
            difference, mask = change(seed, center, Request(name, severity=severity))
            assert mask.any() and difference.max() > 0.01, (seed, severity)
            inside = difference[widened(mask)].sum() / difference.sum()
            assert inside >= 0.9, (seed, severity, inside)


@pytest.mark.parametrize("name", ABNORMAL)
def test_a_severe_finding_changes_more_than_a_subtle_one(name: str) -> None:
    subtle, obvious = (
        sum(change(seed, "A", Request(name, severity=severity))[0].sum() for seed in SEEDS) for severity in (0.0, 1.0)
    )
    assert obvious > 1.3 * subtle > 0


@pytest.mark.parametrize("name", sorted(GLOBAL))
def test_a_global_finding_has_the_anatomy_as_its_mask(name: str) -> None:
    difference, mask = change(21, "A", Request(name, severity=1.0))
    assert 0.01 < mask.mean() < 0.7 and difference.max() > 0.05


@pytest.mark.parametrize("name", [name for name in LOCAL if {"right", "left"} <= set(SIDES[name])])
def test_a_finding_lies_on_the_side_asked_for(name: str) -> None:
    for side, half in (("right", np.s_[:, SIZE // 2 :]), ("left", np.s_[:, : SIZE // 2])):
        mask = change(21, "A", Request(name, side, 0.8))[1]
        assert mask[half].sum() < 0.3 * mask.sum(), side
    if "both" in SIDES[name]:
        mask = change(21, "A", Request(name, "both", 0.8))[1]
        assert mask[:, : SIZE // 2].any() and mask[:, SIZE // 2 :].any()


def test_everything_at_once_is_still_a_film() -> None:
    pixels, masks = film(5, "B", *(Request(name, severity=0.7) for name in ABNORMAL))
    assert np.isfinite(pixels).all() and 0 <= pixels.min() and pixels.max() <= 1 and set(masks) == set(ABNORMAL)
