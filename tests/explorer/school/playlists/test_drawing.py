"""Films drawn from a slice: balanced, each patient once, the same for a seed whatever the order of rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.findings import Outcome
from explorer.school.playlists.drawing import BALANCES, Balance, SlicePair, draw_from_slice, draw_pairs, slice_pairs
from explorer.school.playlists.playlist import WrongPlaylist
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.small_cohort import Film, store_of, write_small
from tests.support.wording import Wording

_pairs = st.lists(
    st.builds(
        SlicePair,
        case=st.integers(0, 14).map(lambda number: f"film-{number}"),
        finding=st.sampled_from(["Hernia", "Mass", "Nodule"]),
        outcome=st.sampled_from([None, *map(str, Outcome)]),
        patient=st.just(""),
    ),
    max_size=40,
    unique_by=lambda pair: (pair.case, pair.finding),
).map(lambda pairs: [SlicePair(p.case, p.finding, p.outcome, f"patient {int(p.case[5:]) // 2}") for p in pairs])


@given(_pairs, st.integers(1, 20), st.integers(0, 3), st.sampled_from(BALANCES), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_a_draw_is_of_the_seed_and_the_slice_alone(
    pairs: list[SlicePair], n: int, seed: int, balance: Balance, random: Random
) -> None:
    found, _ = draw_pairs(pairs, n, seed, balance)
    mixed = list(pairs)
    random.shuffle(mixed)
    assert draw_pairs(mixed, n, seed, balance)[0] == found
    assert set(found) <= set(pairs)
    offered = [pair for pair in pairs if balance != "outcome" or pair.outcome]
    films = {pair.case for pair in offered}
    assert len({pair.case for pair in found}) == len(found) == min(n, len(films))  # as many as there are, each once
    patients = {pair.patient for pair in offered}
    assert len({pair.patient for pair in found}) == min(n, len(patients))  # a patient twice only after all were there


@given(st.integers(1, 30), st.integers(0, 5), st.sampled_from(["finding", "outcome"]))
def test_groups_of_their_own_patients_come_equally_often(n: int, seed: int, balance: Balance) -> None:
    names = ("Hernia", "Mass", "Nodule") if balance == "finding" else tuple(map(str, Outcome))
    pairs = [
        SlicePair(f"{name} {number}", name if balance == "finding" else "Mass", name, f"{name} {number}")
        for name in names
        for number in range(3 if name == names[0] else 40)  # of the first there are few
    ]
    found, notes = draw_pairs(pairs, n, seed, balance)
    counts = Counter(pair.finding if balance == "finding" else pair.outcome for pair in found)
    others = [counts[name] for name in names[1:]]
    assert max(others) - min(others) <= 1
    assert counts[names[0]] == 3 or max(others) - counts[names[0]] <= 1
    assert ", ".join(f"{name} {counts[name]}" for name in sorted(counts)) + "." == notes[-1]


def test_seeds_differ_and_an_order_is_by_chance() -> None:
    pairs = [SlicePair(f"{number:02}", "Mass", None, f"{number}") for number in range(40)]
    draws = {tuple(pair.case for pair in draw_pairs(pairs, 10, seed, "none")[0]) for seed in range(20)}
    assert len(draws) == 20 and all(list(each) != sorted(each) for each in draws)


def test_what_is_not_as_wished_is_said(wording: Wording) -> None:
    pairs = [
        SlicePair("a", "Mass", None, "one"),
        SlicePair("b", "Mass", "miss", "one"),
        SlicePair("c", "Mass", "hit", "two"),
    ]
    assert len(draw_pairs(pairs, 3, 0, "none")[1]) == 1
    wording(draw_pairs(pairs, 3, 0, "none")[1], "2 patients", "1 film")
    left_out, fewer, counts = draw_pairs(pairs, 4, 0, "outcome")[1]
    assert counts == "hit 1, miss 1."
    wording(left_out, "1 pair")
    wording(fewer, "2 films", "4")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    labels = [{"Mass": "present", "Hernia": "absent"}, {"Mass": "absent", "Hernia": "present"}, {"Mass": "absent"}]
    films = [
        Film(f"film-{place}", labels[place % 3], {"Mass": place / 12, "Hernia": 1 - place / 12}, f"p{place // 2}")
        for place in range(12)
    ]
    return store_of(write_small(tmp_path_factory.mktemp("drawing"), films, {"Mass": 0.5, "Hernia": 0.5}))


def test_a_slice_becomes_films_with_questions(store: Store) -> None:
    missed = Slice("small", "reader", outcomes=(Outcome.MISS, Outcome.HIT))
    found = draw_from_slice(store, missed, 6, 1, "finding", "present")
    assert len(found.films) == 6 and {film.cohort for film in found.films} == {"small"}
    there = {(pair.case, pair.finding) for pair in slice_pairs(store, missed)}
    assert {(film.case, film.question.finding) for film in found.films} <= there
    assert Counter(film.question.finding for film in found.films) == {"Mass": 3, "Hernia": 3}
    assert all(film.question.finding is None for film in draw_from_slice(store, missed, 4, 1).films)


def test_a_slice_without_films_and_a_pair_of_real_ones_are_refused(store: Store) -> None:
    with pytest.raises(WrongPlaylist, match="no film to draw"):
        draw_from_slice(store, Slice("small", "reader", finding="Mass", low=2.0), 5, 0)
    with pytest.raises(WrongPlaylist, match="no twin"):
        draw_from_slice(store, Slice("small", "reader"), 5, 0, kind="pair")


def test_a_patient_with_films_at_two_centers_is_one(tmp_path: Path, wording: Wording) -> None:
    films = [Film(center, {}, {"Mass": 0.5}, "1", center) for center in ("North", "South")]
    with_both = store_of(write_small(tmp_path, films, {}))
    assert len(draw_from_slice(with_both, Slice("small", "reader"), 2, 0).notes) == 1
    wording(draw_from_slice(with_both, Slice("small", "reader"), 2, 0).notes, "1 patient", "1 film")


def test_a_film_keeps_what_it_was_chosen_for_and_which_model_chose_it(tmp_path: Path) -> None:
    films = [
        Film(f"A-{number}", {"Mass": "present", "Hernia": "absent"}, {"Mass": number / 10, "Hernia": 0.1}, center="A")
        for number in range(6)
    ]
    store = store_of(write_small(tmp_path, films, {"Mass": 0.5, "Hernia": 0.5}))
    cohort = store.cohorts()[0].name
    model = store.models(cohort)[0].model
    missed = draw_from_slice(store, Slice(cohort, model, outcomes=(Outcome.MISS,)), 3, 0).films
    assert {(film.target, film.picked_by) for film in missed} == {("Mass", model)}
    labeled = draw_from_slice(store, Slice(cohort, model), 3, 0).films
    assert {(film.target, film.picked_by) for film in labeled} == {("", "")}
    asked = draw_from_slice(store, Slice(cohort, model), 3, 0, "outcome", "present").films
    assert {(film.target, film.picked_by) for film in asked} == {("", model)}
