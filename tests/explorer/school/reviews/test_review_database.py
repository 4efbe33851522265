"""Votes on disk: durable, counted once, replaced with their history."""

from __future__ import annotations

import json
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest

from explorer.school.reviews.review import ReviewRefusal, ReviewRules, Site, Vote
from explorer.school.reviews.review_database import ReviewDatabase, make_review
from explorer.school.reviews.review_tables import TABLES, VERSION
from tests.explorer.school.reviews.made_reviews import database_of, next_id, review_of
from tests.support.killed_reviews import kill_readers
from tests.support.wording import Wording

AGREE = Vote("agree all")
NODULE = {"Nodule": Site("left", "upper zone")}
DISAGREE = Vote("disagree", frozenset({"Nodule"}), frozenset({"Mass"}), 3, "faint", NODULE)


def test_a_review_is_read_as_it_was_written(tmp_path: Path) -> None:
    review = review_of([("Mass",), (), None], rules=ReviewRules(anchors=1, seed=7, repeats=0.5))
    database = database_of(tmp_path, review)
    assert database.review == review
    assert database.codes == ("AAAA0", "AAAA1", "AAAA2")
    assert len(database.readings()) == sum(len(database.readings_of(reader)) for reader in range(3))
    assert stat.S_IMODE((tmp_path / "small.sqlite").stat().st_mode) == 0o600


def test_a_later_vote_replaces_the_earlier_one_which_is_kept(tmp_path: Path) -> None:
    database = database_of(tmp_path, review_of([("Mass",)]))
    assert database.vote(0, 0, next_id(), AGREE) == 1
    assert database.vote(0, 0, next_id(), DISAGREE) == 2
    assert database.last_vote(0, 0) == DISAGREE
    assert [(each.revision, each.vote) for each in database.votes()] == [(1, AGREE), (2, DISAGREE)]
    assert database.voted(0) == {0} and database.voted(1) == frozenset()


def test_the_same_vote_sent_twice_counts_once(tmp_path: Path) -> None:
    database = database_of(tmp_path, review_of([("Mass",), ("Mass",)]))
    sent = next_id()
    assert [database.vote(0, 0, sent, AGREE), database.vote(0, 0, sent, AGREE)] == [1, 1]
    assert len(database.votes()) == 1
    with pytest.raises(ReviewRefusal) as caught:
        database.vote(0, 1, sent, AGREE)
    assert caught.value.status == 409


def test_a_vote_on_a_film_that_a_reader_was_not_given_is_refused(tmp_path: Path, wording: Wording) -> None:
    database = database_of(tmp_path, review_of([("Mass",)]))
    for reader, place in ((0, 1), (9, 0)):
        with pytest.raises(ReviewRefusal) as caught:
            database.vote(reader, place, next_id(), AGREE)
        assert caught.value.status == 404
    wording(caught.value)
    assert not database.votes()


def test_two_open_databases_see_each_others_votes(tmp_path: Path) -> None:
    one = database_of(tmp_path, review_of([("Mass",)]))
    other = ReviewDatabase(tmp_path / "small.sqlite")
    one.vote(0, 0, next_id(), AGREE)
    other.vote(1, 0, next_id(), DISAGREE)
    assert one.votes() == other.votes() and len(one.votes()) == 2
    one.close()
    assert other.last_vote(0, 0) == AGREE


def test_a_taken_name_and_a_file_that_is_no_review_are_refused(tmp_path: Path, wording: Wording) -> None:
    database_of(tmp_path, review_of([("Mass",)])).close()
    with pytest.raises(ReviewRefusal) as caught:
        make_review(tmp_path / "small.sqlite", review_of([("Mass",)]), [], [])
    wording(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.sqlite"]
    (tmp_path / "other.sqlite").write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(ReviewRefusal, match="other cannot be read"):
        ReviewDatabase(tmp_path / "other.sqlite")


def earlier_file(folder: Path) -> Path:
    """A review as the first version wrote it: one film, one reader and one vote."""
    file = folder / "small.sqlite"
    about = {key: value for key, value in asdict(review_of([("Mass",)])).items() if key != "films"}
    with closing(sqlite3.connect(file)) as database:
        database.executescript(TABLES)
        database.execute("INSERT INTO review VALUES (?)", (json.dumps(about),))
        database.execute("INSERT INTO films VALUES (0, 'f0', 'films', 'f0.png', '[\"Mass\"]')")
        database.execute("INSERT INTO readers VALUES (0, 'AAAA0')")
        database.execute("INSERT INTO readings VALUES (0, 0, 0, 0)")
        database.execute("INSERT INTO votes VALUES (0, 0, 1, 'first', '2026-11-28', 'agree all', '[]', '[]', 2, '')")
        database.commit()
    return file


def test_a_file_of_an_earlier_version_keeps_its_votes(tmp_path: Path) -> None:
    file = earlier_file(tmp_path)
    with ThreadPoolExecutor(4) as at_once:
        opened = list(at_once.map(lambda _: ReviewDatabase(file), range(4)))
    assert all(each.review == review_of([("Mass",)]) for each in opened)
    assert opened[0].last_vote(0, 0) == Vote("agree all", certainty=2)
    assert opened[1].vote(0, 0, next_id(), DISAGREE) == 2
    assert [each.vote for each in opened[2].votes()] == [Vote("agree all", certainty=2), DISAGREE]
    for each in opened:
        each.close()


def test_a_file_of_a_later_version_is_refused_and_left_alone(tmp_path: Path, wording: Wording) -> None:
    file = earlier_file(tmp_path)
    with closing(sqlite3.connect(file)) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(ReviewRefusal) as caught:
        ReviewDatabase(file)
    wording(caught.value, "later version")
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT count(*) FROM votes").fetchone() == (1,)


def test_no_acknowledged_vote_is_lost_or_doubled_when_readers_are_killed(tmp_path: Path) -> None:
    """Three processes vote at once, each for its reader, and are killed at random moments."""
    losses = kill_readers(tmp_path, kills=12, seed=3)
    assert losses.kills == 12 and losses.acknowledged > 30
    assert not losses.lost and not losses.doubled
