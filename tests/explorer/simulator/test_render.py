"""A film is a pure function of its arguments: same bytes, same patient whatever is asked for and at any size."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.phantom import CENTERS, Center, Request, WrongRequest, describe, render
from tests.support.wording import Wording

ROOT = Path(__file__).parents[3]
SEVERAL = ("Pleural Effusion", "Cardiomegaly", "Central Venous Catheter")


def digest(pixels: NDArray[np.float32], masks: dict[str, NDArray[np.bool_]]) -> str:
    parts = (pixels, *(masks[name] for name in sorted(masks)))
    return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


@pytest.mark.parametrize("center", CENTERS)
def test_pixels_and_masks_are_what_they_are_said_to_be(center: Center) -> None:
    pixels, masks = render(3, SEVERAL, center, 160)
    assert pixels.dtype == np.float32 and pixels.shape == (160, 160) and np.isfinite(pixels).all()
    assert 0 <= pixels.min() and pixels.max() <= 1 and pixels.std() > 0.1
    assert set(masks) == set(SEVERAL)
    assert all(mask.dtype == np.bool_ and mask.shape == (160, 160) and mask.any() for mask in masks.values())


@pytest.mark.slow
@pytest.mark.parametrize("center", CENTERS)
def test_the_same_arguments_give_the_same_bytes_also_in_another_process(center: Center) -> None:
    here = digest(*render(11, SEVERAL, center, 128))
    assert digest(*render(11, SEVERAL, center, 128)) == here
    code = (
        "from tests.explorer.simulator.test_render import *;"
        f"render(5, ['Mass'], 'A', 128); print(digest(*render(11, SEVERAL, {center!r}, 128)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == here


def test_the_order_of_the_requests_and_normal_beside_none_change_nothing() -> None:
    assert digest(*render(2, SEVERAL, "B", 128)) == digest(*render(2, SEVERAL[::-1], "B", 128))
    assert digest(*render(2, [], "B", 128)) == digest(*render(2, ["Normal"], "B", 128))


def test_seeds_and_centers_are_different_patients() -> None:
    films = [render(seed, [], center, 96)[0] for seed in (0, 1) for center in CENTERS]
    assert all(np.abs(one - other).mean() > 0.01 for at, one in enumerate(films) for other in films[:at])


@pytest.mark.parametrize("center", CENTERS)
def test_a_small_film_is_the_large_one_seen_from_farther_away(center: Center) -> None:
    large = render(4, ["Mass"], center, 768)[0].reshape(192, 4, 192, 4).mean((1, 3))
    small = render(4, ["Mass"], center, 192)[0]
    assert np.corrcoef(large.ravel(), small.ravel())[0, 1] > 0.98


def test_patients_are_of_their_center() -> None:
    at = {center: [describe(seed, center) for seed in range(400)] for center in CENTERS}
    portable = {center: np.mean([patient.view == "AP" for patient in patients]) for center, patients in at.items()}
    assert portable["A"] < 0.1 and portable["B"] > 0.6
    for patients in at.values():
        assert 0.35 < np.mean([patient.sex == "F" for patient in patients]) < 0.65
        assert all(18 <= patient.age <= 100 for patient in patients)
    assert describe(7, "A") == describe(7, "A")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, ["Consolidaton"], "A", 128), "'Consolidaton'"),
        ((0, [Request("Nodule", "both")], "A", 128), "cannot be on side"),
        ((0, [Request("Kyphosis", "left")], "A", 128), "Kyphosis cannot be on side 'left'"),
        ((0, [Request("Nodule", "left", 1.5)], "A", 128), "not a severity"),
        ((0, [Request("Nodule", "left", float("nan"))], "A", 128), "not a severity"),
        ((0, ["Nodule", "Nodule"], "A", 128), "twice"),
        ((0, [], "C", 128), "not a center"),
        ((-1, [], "A", 128), "not a seed"),
        ((0, [], "A", 16), "not a film size"),
        ((0, [], "A", 100000), "not a film size"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_words(arguments: tuple, words: str, wording: Wording) -> None:  # type: ignore[type-arg]
    with pytest.raises(WrongRequest, match=words) as caught:
        render(*arguments)
    wording(caught.value)
