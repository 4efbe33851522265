"""Maps of films as files: kept beside the embeddings, and used only while these are the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts.film_map import features_version, known_map, save_map
from explorer.cohorts.layout import Folder
from explorer.core.map_area import MapArea, WrongArea, area_word
from tests.support.brute_force import map_of
from tests.support.small_cohort import MODEL, Film, write_small
from tests.support.wording import Wording

PLACES = {"b": (40, 60_000), "a": (9, 8), "c": (65_535, 0)}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return written(tmp_path, 1.0)


def written(place: Path, feature: float) -> Folder:
    films = [Film(case, scores={"Mass": 0.5}, features=[feature, 2.0]) for case in PLACES]
    return write_small(place, films, {"Mass": 0.5})


def test_a_map_is_read_back_with_what_made_it(folder: Folder) -> None:
    assert known_map(folder, MODEL) is None
    made = map_of(MODEL, PLACES, features_version(folder, MODEL))
    save_map(folder, MODEL, made)
    known = known_map(folder, MODEL)
    assert known is not None and known.map.cases == ("a", "b", "c") and known.map.made == made.made
    assert {case: known.place(case) for case in PLACES} == PLACES
    assert known.place("") is known.place("bb") is known.place("z") is None
    assert not list(folder.film_maps(MODEL)[-1].parent.glob(".*")), "nothing half written stays"


def test_a_map_of_other_embeddings_is_not_used(folder: Folder, tmp_path: Path) -> None:
    save_map(folder, MODEL, map_of(MODEL, PLACES, features_version(folder, MODEL)))
    assert known_map(folder, MODEL) is not None
    written(tmp_path, 1.5)
    assert known_map(folder, MODEL) is None


@pytest.mark.parametrize("spoil", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: data[::-1]])
def test_a_damaged_map_is_as_none(folder: Folder, spoil: object) -> None:
    save_map(folder, MODEL, map_of(MODEL, PLACES, features_version(folder, MODEL)))
    path = folder.film_maps(MODEL)[-1]
    path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]
    assert known_map(folder, MODEL) is None


def test_what_this_machine_adds_to_a_shipped_cohort_lies_beside_it(folder: Folder, tmp_path: Path) -> None:
    beside = Folder(folder.path, tmp_path / "own")
    save_map(beside, MODEL, map_of(MODEL, PLACES, features_version(folder, MODEL)))
    assert (tmp_path / "own" / "maps" / f"{MODEL}.parquet").is_file() and known_map(folder, MODEL) is None
    known = known_map(beside, MODEL)
    assert known is not None and known.path.is_relative_to(tmp_path / "own")


def test_a_version_is_another_one_for_every_other_map() -> None:
    one = map_of(MODEL, PLACES)
    others = (map_of(MODEL, PLACES | {"a": (9, 9)}), map_of("other", PLACES), map_of(MODEL, PLACES | {"d": (0, 0)}))
    assert len({each.version for each in (one, *others)}) == 4
    assert replace(one, x=one.x.copy()).version == one.version


def test_an_area_is_of_its_map_alone(folder: Folder, wording: Wording) -> None:
    save_map(folder, MODEL, map_of(MODEL, PLACES, features_version(folder, MODEL)))
    known = known_map(folder, MODEL)
    assert known is not None
    corners = ((0, 0), (4000, 0), (4000, 4000), (0, 4000))
    area = known.area(area_word(MapArea(MODEL, known.version, corners, 0)))
    assert area == MapArea(MODEL, known.version, corners, 2), "a and b; c lies to the right"
    with pytest.raises(WrongArea) as refused:
        known.area(area_word(replace(area, map="AAAAAA")))
    wording(refused.value, f"map of {MODEL}")


def test_the_area_counts_as_numpy_does(folder: Folder) -> None:
    rng = np.random.default_rng(0)
    places = {f"{at:03}": (int(x), int(y)) for at, (x, y) in enumerate(rng.integers(0, 65_536, (200, 2)))}
    save_map(folder, MODEL, map_of(MODEL, places, features_version(folder, MODEL)))
    known = known_map(folder, MODEL)
    assert known is not None
    area = known.area(area_word(MapArea(MODEL, known.version, ((100, 200), (3000, 200), (3000, 3500), (100, 3500)), 0)))
    values = np.array(list(places.values()))
    low, high = np.array([100, 200]) * 16 + 8, np.array([3000, 3500]) * 16 + 8
    assert area.films == int(((values >= low) & (values < high)).all(axis=1).sum()) > 50
