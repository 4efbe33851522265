"""Films laid out in two dimensions by what is alike."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analysis.film_maps import film_map as laid
from explorer.analysis.film_maps.film_map import (
    NoMap,
    film_map,
    interpolate_position,
    map_coordinates,
    normalize_vectors,
)
from explorer.cohorts.film_map import FilmMap
from explorer.core.map_area import MAP_SIDE
from tests.support.wording import Wording

GROUPS, EACH = 3, 30
CASES = tuple(f"film-{at:03}" for at in range(GROUPS * EACH))
PATIENTS = np.arange(len(CASES)) // 2


def grouped() -> np.ndarray:
    """Films of three groups: those of one point the same way, whatever their lengths."""
    rng = np.random.default_rng(0)
    ways = np.repeat(np.eye(12)[:GROUPS], EACH, axis=0)
    return (ways + rng.normal(0, 0.1, (len(CASES), 12))) * rng.uniform(0.5, 2, (len(CASES), 1))


@pytest.fixture(scope="module")
def made() -> FilmMap:
    return film_map("model", CASES, grouped(), PATIENTS, "features")


def test_films_lie_with_their_like(made: FilmMap) -> None:
    assert made.cases == CASES
    places = np.stack([made.x, made.y], axis=1).astype(float)
    middles = places.reshape(GROUPS, EACH, 2).mean(axis=1)
    nearest = np.argmin(((places[:, None] - middles) ** 2).sum(axis=2), axis=1)
    assert nearest.tolist() == np.repeat(np.arange(GROUPS), EACH).tolist()


def test_what_made_it_stands_with_it(made: FilmMap) -> None:
    about = made.made
    assert (about.model, about.features, about.seed, about.asked, about.neighbors) == ("model", "features", 0, 90, 10)
    assert about.library.startswith("scikit-learn 1.") and "90 of 90 films" in about.settings
    assert about.chance == pytest.approx(10 / 89) and about.low <= about.kept <= about.high
    units = grouped() / np.linalg.norm(grouped(), axis=1, keepdims=True)
    places = np.stack([made.x, made.y], axis=1).astype(float)
    shares = []
    for at in range(len(CASES)):
        true = [other for other in np.argsort(-units @ units[at], kind="stable") if other != at][:10]
        far = ((places - places[at]) ** 2).sum(axis=1)
        last = np.sort(np.delete(far, at))[9]
        shares.append(sum(far[other] <= last for other in true) / 10)
    assert about.kept == pytest.approx(np.mean(shares), abs=0.005)  # films that are equally far may be either's


def test_neither_the_order_of_films_nor_their_lengths_count(made: FilmMap) -> None:
    order = np.random.default_rng(1).permutation(len(CASES))
    again = film_map("model", tuple(CASES[at] for at in order), 4 * grouped()[order], PATIENTS[order], "features")
    assert again.version == made.version and again.made == made.made


def test_of_more_films_some_are_laid_out_and_the_others_lie_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laid, "MAX_LAID_OUT", 60)
    told: list[tuple[int, int]] = []
    made = film_map("model", CASES, grouped(), PATIENTS, "features", lambda done, of: told.append((done, of)))
    assert "60 of 90 films" in made.made.settings and told == sorted(told) and told[-1][1] == laid.TSNE_ROUNDS
    test_films_lie_with_their_like(made)


def test_too_few_films_are_refused(wording: Wording) -> None:
    with pytest.raises(NoMap) as refused:
        film_map("model", CASES[:9], grouped()[:9], PATIENTS[:9], "features")
    wording(refused.value, "model", "9 films", "10")


def test_films_that_are_all_alike_have_a_map() -> None:
    made = film_map("model", CASES[:20], np.ones((20, 4)), PATIENTS[:20], "features")
    assert len(made.cases) == 20 and 0 <= made.made.kept <= 1


def test_between_weighs_by_nearness() -> None:
    places = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 20.0]])
    assert interpolate_position(np.array([1.0, 1.0, 2.0]), places).tolist() == pytest.approx([10 / 2.5, 10 / 2.5])
    assert interpolate_position(np.array([0.5, 0.0, 2.0]), places).tolist() == [10, 0], (
        "a copy lies where its film does"
    )


def test_places_keep_their_shape_and_stay_on_the_map() -> None:
    x, y = map_coordinates(np.array([[-4.0, 1.0], [4.0, 1.0], [0.0, 3.0]]))
    across, up = int(x[1]) - int(x[0]), int(y[2]) - int(y[0])
    assert across == pytest.approx(0.94 * MAP_SIDE, abs=2) and up == pytest.approx(across / 4, abs=2)
    assert int(x[0]) + int(x[1]) == pytest.approx(MAP_SIDE, abs=2) and int(y[0]) + int(y[2]) == pytest.approx(
        MAP_SIDE, abs=2
    )


def test_unit_vectors() -> None:
    assert np.allclose(normalize_vectors(np.array([[3.0, 4.0], [0.0, 0.0]])), [[0.6, 0.8], [0, 0]])
