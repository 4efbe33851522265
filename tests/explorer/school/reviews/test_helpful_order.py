"""Which film a reader reads next where it is the one that helps most."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.school.reviews.helpful_order import LEFT_TO_CHANCE, helpfulness, open_next
from explorer.school.reviews.review import Reading, Review, ReviewRules, Vote
from explorer.school.reviews.review_database import ReviewDatabase
from tests.explorer.school.reviews.made_reviews import database_of, next_id, own, ratings_by, review_of
from tests.explorer.school.reviews.served_review import served_review, voted

AGREE = Vote("agree all")
NODULE = Vote("agree mostly", frozenset({"Nodule"}))
BOTH = Vote("agree mostly", frozenset({"Nodule"}), frozenset({"Mass"}))
HELPFUL = ReviewRules("everyone", repeats=0.0, order="helpful")


def with_doubts(review: Review, doubts: list[int]) -> Review:
    return replace(
        review, films=tuple(replace(film, doubt=each) for film, each in zip(review.films, doubts, strict=True))
    )


def test_eight_films_ranked_by_hand() -> None:
    """A mass is suggested on all films.

    0 and 1: two readers tie on two labels, on one. 2, 3: one reader, who corrects one label, none. 4, 5: nobody; the
    model differs on three labels, on none. 6, 7: three readers, who differ on one label, on none.
    """
    review = with_doubts(review_of([("Mass",)] * 8), [0, 0, 0, 9, 3, 0, 9, 9])
    readers = [
        {0: BOTH, 1: NODULE, 2: NODULE, 3: AGREE, 6: AGREE, 7: AGREE},
        {0: AGREE, 1: AGREE, 6: NODULE, 7: AGREE},
        {6: AGREE, 7: AGREE},
    ]
    ranks = helpfulness(ratings_by(review, readers))
    assert ranks == [(3, 2), (3, 1), (2, 1), (2, 0), (1, 3), (1, 0), (0, 1), (0, 0)]


def test_a_suggestion_left_uncertain_is_no_correction() -> None:
    review = review_of([("Mass",)] * 2)
    review = replace(review, films=tuple(replace(film, uncertain=("Nodule",)) for film in review.films))
    ranks = helpfulness(ratings_by(review, [{0: AGREE, 1: NODULE}]))
    assert ranks == [(2, 0), (2, 0)]  # deciding an uncertain suggestion corrects nothing


def chance_free(readers: int, places: int) -> int:
    """The first seed with which no place of these readers is left to chance."""
    for seed in range(10_000):
        draws = (np.random.default_rng([seed, who, at]).random() for who in range(readers) for at in range(places))
        if min(draws) >= LEFT_TO_CHANCE:
            return seed
    raise AssertionError("no such seed")


def read_now(database: ReviewDatabase, reader: int) -> Reading:
    """Open a reader's next film, as their page does."""
    place = len(database.voted(reader))
    open_next(database, reader, place)
    return database.readings_of(reader)[place]


def test_the_tied_film_comes_next_and_stays_while_it_is_read(tmp_path: Path) -> None:
    rules = replace(HELPFUL, seed=chance_free(3, 3))
    database = database_of(tmp_path, with_doubts(review_of([None] * 3, rules=rules), [0, 2, 1]))
    first = [read_now(database, 0)]
    assert first[0].film == 1  # nobody has read any: the model differs most from the suggestion there
    database.vote(0, 0, next_id(), own("Mass"))
    assert read_now(database, 1).film == 1  # the film with one reader
    database.vote(1, 0, next_id(), own("Nodule"))
    third = read_now(database, 2)
    assert third.film == 1  # readers tie there
    assert read_now(database, 0).film == 2
    database.vote(0, 1, next_id(), own())
    assert read_now(database, 2) == third  # what a reader sees does not change under their eyes
    database.close()
    again = ReviewDatabase(tmp_path / "small.sqlite")
    assert read_now(again, 2) == third
    again.vote(2, 0, next_id(), own("Mass"))
    assert read_now(again, 2).film == 2


@pytest.mark.parametrize("seed", range(4))
def test_readers_get_their_films_once_in_any_order_and_repeats_after_their_films(tmp_path: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    rules = ReviewRules(per_film=2, repeats=0.3, seed=seed, order="helpful")
    database = database_of(tmp_path, review_of([None] * 20, rules=rules), 4)
    before = [database.readings_of(reader) for reader in range(4)]
    while waiting := [who for who in range(4) if len(database.voted(who)) < len(before[who])]:
        reader = int(random.choice(waiting))
        at = read_now(database, reader).place
        database.vote(reader, at, next_id(), own(*(["Mass"] if random.random() < 0.5 else [])))
    moved = 0
    for reader in range(4):
        after = database.readings_of(reader)
        assert [(each.place, each.again) for each in after] == [(each.place, each.again) for each in before[reader]]
        assert {each.film for each in after} == {each.film for each in before[reader]}
        first = {each.film: each.place for each in after if not each.again}
        assert len(first) == sum(not each.again for each in after)
        assert all(first[each.film] < each.place for each in after if each.again)
        moved += after != before[reader]
    assert moved


def test_the_same_seed_and_votes_give_the_same_films(tmp_path: Path) -> None:
    sequences = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        database = database_of(tmp_path / name, review_of([None] * 12, rules=replace(HELPFUL, seed=5)))
        for turn in range(36):
            at = read_now(database, turn % 3)
            database.vote(turn % 3, at.place, next_id(), own(*(["Mass"] if (at.film + turn) % 2 else [])))
        sequences.append(database.readings())
    assert sequences[0] == sequences[1]


def test_readers_of_a_random_order_keep_it(tmp_path: Path) -> None:
    database = database_of(tmp_path, review_of([None] * 6))
    before = database.readings()
    database.vote(0, 0, next_id(), own("Mass"))
    for reader in range(3):
        read_now(database, reader)
    assert database.readings() == before and not database.is_opened(0, 0)


def test_a_reader_hears_nothing_of_the_reason(tmp_path: Path) -> None:
    """The page gets the same of a film whether it was chosen or came by chance, and the picture of that very film."""
    heard = {}
    for order in ("random", "helpful"):
        (tmp_path / order).mkdir()
        rules = replace(HELPFUL, seed=chance_free(2, 1), order=order)
        with served_review(tmp_path / order, [("Nodule",), ("Mass",), ()], rules=rules) as room:
            assert voted(room.device(0), 0, "agree mostly", added=["Pleural Effusion"]).status == 200
            chosen = room.database.readings_of(0)[0].film
            device = room.device(1)
            picture = device.ask("/picture/0").body
            film, me = device.ask("/film/0").json, device.ask("/me").json
            assert device.ask("/picture/0").body == picture
            heard[order] = {name: sorted(answer) for name, answer in (("film", film), ("me", me))}
            at = room.database.readings_of(1)[0].film
            assert film["suggested"] == list(room.database.review.films[at].suggested or ())
            assert order == "random" or at == chosen
    assert heard["random"] == heard["helpful"]
