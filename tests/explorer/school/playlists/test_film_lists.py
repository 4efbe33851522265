"""Films from a typed list, and from the simulator: what was asked for, and what was not found is said."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.school.playlists.ordered_films import SimulationOrder, ordered_films
from explorer.school.playlists.playlist import FilmQuestion, Playlist, WrongPlaylist
from explorer.school.playlists.playlist_json import checked_playlist
from explorer.school.playlists.typed_films import typed_films
from explorer.school.preparing.ordered_scores import TRAINING_SEEDS
from explorer.simulator.address import make_address, parse_film_address
from explorer.simulator.cohort_sampling import TEST_SPLIT, VALIDATION_SPLIT
from explorer.store.store import Store
from tests.support.small_cohort import Film, write_small
from tests.support.wording import Wording

ASKED = FilmQuestion("findings")
MADE = make_address("A", 5, ["Hernia"])


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    place = tmp_path_factory.mktemp("lists")
    one = write_small(place, [Film("a"), Film("b/1"), Film("both")], {}, name="one")
    other = write_small(place, [Film("c.png"), Film("both")], {}, name="other")
    return Store(lambda: (one, other))


def test_lines_are_found_with_and_without_their_cohort(store: Store, wording: Wording) -> None:
    text = f"a.png\n\n other/both \none, b/1\nb/1.jpg\nc.png\n{MADE}"
    found = typed_films(store, text, ASKED)
    assert [(film.cohort, film.case) for film in found.films] == [
        ("one", "a"), ("other", "both"), ("one", "b/1"), ("other", "c.png"), ("", MADE),
    ]  # fmt: skip
    assert len(found.notes) == 1
    wording(found.notes, "1 line")


def test_what_is_not_found_is_named_and_counted(store: Store, wording: Wording) -> None:
    found = typed_films(store, "\n".join(["a", "phantom://v1/C/1", *(f"x{number}" for number in range(12))]), ASKED)
    assert len(found.films) == 1
    assert found.notes[0].endswith("and 3 more.")
    wording(found.notes[0], "13 lines", "phantom://v1/C/1, x0, ")


def test_a_name_of_several_cohorts_is_taken_from_the_one_that_is_shown(store: Store) -> None:
    for first in ("one", "other"):
        found = typed_films(store, "both", ASKED, first)
        assert found.films[0].cohort == first and f"both of {first}" in found.notes[0]


@pytest.mark.parametrize("text", ["", " \n ", "a\n" * 2001])
def test_an_empty_list_and_an_endless_one_are_refused(store: Store, text: str) -> None:
    with pytest.raises(WrongPlaylist, match="line"):
        typed_films(store, text, ASKED)


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 50), st.sampled_from(["A", "B", "both"]))
def test_an_order_gives_what_it_says_and_always_the_same(n: int, normals: int, seed: int, center: str) -> None:
    order = SimulationOrder(("Hernia", "Mass"), n, seed, center, 0.25, 0.5, min(n, normals))  # type: ignore[arg-type]
    films = [parse_film_address(film.case) for film in ordered_films(order).films]
    assert len({film.seed for film in films}) == n == len(films)
    assert sum(not film.requests for film in films) == order.normals
    made_with = Counter(each.finding for film in films for each in film.requests)
    assert abs(made_with["Hernia"] - made_with["Mass"]) <= 1
    assert all(0.25 <= each.severity <= 0.5 for film in films for each in film.requests if each.severity is not None)
    assert center == "both" or {film.center for film in films} == {center}
    assert all(
        film.seed not in TRAINING_SEEDS and film.seed > VALIDATION_SPLIT.first > TEST_SPLIT.first for film in films
    )
    assert ordered_films(order) == ordered_films(order)


def test_pairs_and_questions_about_one_finding_can_be_kept() -> None:
    for kind in ("pair", "present", "point", "normal", "findings"):
        order = SimulationOrder(("Hernia",), 4, kind=kind, normals=0 if kind == "pair" else 2)  # type: ignore[arg-type]
        assert len(checked_playlist(Playlist("x", ordered_films(order).films)).films) == 4
    assert {film.question.kind for film in ordered_films(SimulationOrder((), 3, normals=3)).films} == {"findings"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"findings": ("Flu",)},
        {"n": 0},
        {"n": 201},
        {"normals": 9},
        {"findings": ()},
        {"low": 0.6},
        {"high": float("nan")},
        {"kind": "pair", "normals": 1},
    ],
    ids=str,
)
def test_an_order_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(WrongPlaylist):
        replace(SimulationOrder(("Hernia",), 8, high=0.5), **wrong)  # type: ignore[arg-type]
