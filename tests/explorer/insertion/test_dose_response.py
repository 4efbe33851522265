"""Scores against severity, by a score that is worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from explorer.insertion.dose_response import DoseResponse, crossing_words, dose_response, sweep_words
from explorer.insertion.insertion import Insertion, Lungs, insert, with_fixed_place
from models.anatomy import Anatomy, anatomy
from models.array_types import Float32
from models.radiograph import Radiograph
from tests.explorer.insertion.test_insertion import PATIENT, healthy


@pytest.fixture(scope="module")
def outlined() -> tuple[Radiograph, Anatomy]:
    film = Radiograph.from_pixels(healthy(PATIENT)[0])
    return film, anatomy(film)


@pytest.mark.parametrize(
    ("scores", "crossing", "words"),
    [
        ((0.1, 0.2, 0.3), None, "Not flagged at any severity from 0.00 to 1.00."),
        ((0.1, 0.5, 0.9), 0.5, "Flagged from severity 0.50 on."),
        ((0.6, 0.7, 0.9), 0.0, "Flagged at every severity from 0.00 to 1.00."),
        ((0.6, 0.2, 0.9), 1.0, "Flagged at 2 of 3 severities, not only at the highest ones."),
        ((0.6, 0.7, 0.4), None, "Flagged at 2 of 3 severities, not only at the highest ones."),
    ],
)
def test_the_crossing(scores: tuple[float, ...], crossing: float | None, words: str) -> None:
    found = DoseResponse((0.0, 0.5, 1.0), scores, 0.1)
    assert found.crossing(0.5) == crossing
    assert crossing_words(found, 0.5) == words


def test_a_film_that_is_flagged_without_the_finding_says_so() -> None:
    found = DoseResponse((0.0, 1.0), (0.6, 0.9), 0.55)
    assert sweep_words(found, 0.5) == (
        "Flagged at every severity from 0.00 to 1.00. The film is flagged without it, too."
    )
    assert sweep_words(found, 0.58) == "Flagged at every severity from 0.00 to 1.00."
    assert sweep_words(found, None) == "No threshold is known."


def test_scores_are_those_of_the_films_in_order(outlined: tuple[Radiograph, Anatomy]) -> None:
    film, outlines = outlined

    def added_gray(films: Sequence[Radiograph]) -> Float32:
        return np.array([float(each.pixels.mean() - film.pixels.mean()) for each in films], np.float32)

    found = dose_response(film, outlines, Insertion("Mass", "left", 0.3), added_gray, (0.0, 0.5, 1.0))
    assert found.without == 0
    assert list(found.scores) == sorted(found.scores) and found.scores[0] > 0
    wanted = with_fixed_place(Lungs.outlined(outlines, film), Insertion("Mass", "left", 0.5))
    alone = insert(film.pixels, Lungs.outlined(outlines, film), wanted).film
    assert found.scores[1] == pytest.approx(float(alone.mean() - film.pixels.mean()), abs=1e-6)


def test_a_focal_finding_keeps_its_place(outlined: tuple[Radiograph, Anatomy]) -> None:
    film, outlines = outlined
    lungs = Lungs.outlined(outlines, film)
    points = {with_fixed_place(lungs, Insertion("Nodule", "right", severity)).point for severity in (0.0, 0.4, 1.0)}
    (point,) = points
    assert point is not None and lungs.right[round(point[1]), round(point[0])]
    chosen = Insertion("Nodule", "right", 0.4, point=(3.0, 4.0))
    assert with_fixed_place(lungs, chosen) == chosen
    along = Insertion("Pneumothorax", "right", 0.4)
    assert with_fixed_place(lungs, along) == replace(along)
