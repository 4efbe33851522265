"""Films at the levels of perturbations: what is random, and how strengths are matched."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from models.films.film import Radiograph
from models.perturbations.film import SIDES, levels, perturbed, working_film
from models.perturbations.match import dials_for, mean_similarity
from models.perturbations.registry import PERTURBATIONS, SIMILARITIES, STRENGTHS, matched_dials
from models.perturbations.similarity import structural_similarity

BLOBS = np.random.default_rng(0).random((8, 8)).repeat(12, 0).repeat(12, 1).astype(np.float32)
FILM = Radiograph.from_pixels(BLOBS)
LARGE = np.random.default_rng(0).random((480, 480), np.float32)  # so fine that the least change of resolution shows


def test_every_kind_has_a_source_and_five_dials_from_weak_to_strong() -> None:
    for name, kind in PERTURBATIONS.items():
        assert kind.name == name and kind.source and kind.title
        if not kind.has_dial:
            assert name not in matched_dials()
            continue
        dials = matched_dials()[name]
        ascending = kind.least < kind.most
        assert len(dials) == len(STRENGTHS) and list(dials) == sorted(dials, reverse=not ascending)
        assert all(min(kind.least, kind.most) <= dial <= max(kind.least, kind.most) for dial in dials)


def test_the_thirteen_corruptions_of_medmnist_c_are_there_with_five_severities() -> None:
    theirs = [kind for kind in PERTURBATIONS.values() if kind.severities]
    assert len(theirs) == 13 and all(len(kind.severities) == 5 for kind in theirs)
    assert PERTURBATIONS["detector-blur"].severities[0] * 224 == pytest.approx(0.8)  # torchvision's, for 3 pixels
    assert len(levels(scale="medmnist-c")) == 65
    assert {level.name for level in levels(["pixelation", "flip"], "medmnist-c")} == {
        f"pixelation-c{strength}" for strength in STRENGTHS
    }


def test_on_or_off_kinds_have_one_level() -> None:
    assert [level.name for level in levels(["flip", "rotation"])] == ["flip", *(f"rotation-{n}" for n in STRENGTHS)]


@pytest.mark.parametrize("level", levels(), ids=lambda level: level.name)
def test_a_film_is_changed_alike_whenever_it_is_changed(level: object) -> None:
    first, second = (perturbed(Radiograph.from_pixels(LARGE), level, "film").pixels for _ in range(2))
    assert_allclose(first, second, rtol=0, atol=0)
    assert first.shape == LARGE.shape and first.dtype == np.float32
    assert first.min() >= 0 and first.max() <= 1
    assert not np.array_equal(first, LARGE)


def test_another_film_is_changed_in_its_own_way_and_each_to_one_side_at_all_strengths() -> None:
    weak, *_, strong = levels(["shift"])
    assert not np.array_equal(perturbed(FILM, strong, "a").pixels, perturbed(FILM, strong, "b").pixels)
    once = perturbed(FILM, weak, "a").pixels - BLOBS
    more = perturbed(FILM, strong, "a").pixels - BLOBS
    assert np.corrcoef(once.ravel(), more.ravel())[0, 1] > 0.5


def test_a_large_film_is_reduced_before_it_is_changed_and_a_small_one_is_not() -> None:
    large = Radiograph.from_pixels(np.linspace(0, 1, 1024 * 600, dtype=np.float32).reshape(1024, 600))
    assert working_film(large).pixels.shape == (512, 300)
    assert working_film(large, "medmnist-c").pixels.shape == (SIDES["medmnist-c"], 131)
    assert working_film(FILM) is FILM


def test_similarity_of_flat_pictures_is_that_of_their_means() -> None:
    one, two = (np.full((32, 32), gray, np.float32) for gray in (0.5, 0.25))
    by_hand = (2 * 0.5 * 0.25 + 1e-4) / (0.5**2 + 0.25**2 + 1e-4)
    assert structural_similarity(one, two) == pytest.approx(by_hand, abs=1e-4)
    assert structural_similarity(BLOBS, BLOBS) == pytest.approx(1, abs=1e-5)
    assert structural_similarity(BLOBS, 1 - BLOBS) < 0.2


def test_dials_are_found_that_leave_the_wanted_similarity() -> None:
    films = {"film": FILM}
    for name in ("gamma-up", "gaussian-noise", "brightness-down"):
        kind = PERTURBATIONS[name]
        for dial, target in zip(dials_for(films, kind), SIMILARITIES, strict=True):
            assert mean_similarity(films, kind, dial) == pytest.approx(target, abs=0.01)


def test_what_cannot_be_reached_is_said() -> None:
    with pytest.raises(ValueError, match="does not reach a similarity of 0.1"):
        dials_for({"film": FILM}, PERTURBATIONS["brightness-up"], [0.1])
