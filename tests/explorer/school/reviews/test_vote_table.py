"""The exported votes."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

from explorer.school.reviews.review import ReviewFilm, Site, Vote
from explorer.school.reviews.vote_table import VOTE_COLUMNS, votes_csv, write_votes_parquet
from tests.explorer.school.reviews.made_reviews import kept, review_of


def test_csv_and_parquet_carry_corrections_uncertainty_sides_places_and_certainty(tmp_path: Path) -> None:
    review = review_of([("Mass",)])
    sites = {"Nodule": Site("left", "base"), "Mass": Site("both")}
    votes = [
        kept(0, 0, Vote("agree mostly", frozenset({"Nodule"}), certainty=2, note="=1+1", sites=sites)),
        kept(0, 0, Vote("disagree"), revision=2),
    ]
    rows = list(csv.DictReader(votes_csv(review, votes).splitlines()))
    assert [*rows[0]] == VOTE_COLUMNS.names
    first, last = rows
    assert (first["sides"], first["places"], first["certainty"]) == ("Mass: both; Nodule: left", "Nodule: base", "2")
    assert (first["present"], first["counts"], last["counts"], last["present"]) == ("Mass; Nodule", "0", "1", "")
    assert not first["note"].startswith("=")
    write_votes_parquet(review, votes, tmp_path / "votes.parquet")
    stored = pq.read_table(tmp_path / "votes.parquet").to_pylist()
    assert [row["sides"] for row in stored] == ["Mass: both; Nodule: left", ""]
    assert stored[1]["present"] is None and stored[1]["uncertain"] is None


def test_every_column_is_explained() -> None:
    text = (Path(__file__).parents[4] / "docs" / "review.md").read_text(encoding="utf-8")
    table = text.partition("| column |")[2].partition("\n\n")[0]
    named = [name for line in table.splitlines()[2:] for name in re.findall(r"`([a-z_]+)`", line.split("|")[1])]
    assert named == VOTE_COLUMNS.names


def test_an_uncertain_suggestion_stays_visible() -> None:
    review = review_of([("Mass",), ("Mass",)])
    film = ReviewFilm("f0", "films", "f0.png", ("Mass",), ("Nodule",))
    review = replace(review, films=(film, film))
    votes = [kept(0, 0, Vote("agree all")), kept(0, 1, Vote("agree mostly", removed=frozenset({"Nodule"})))]
    rows = list(csv.DictReader(votes_csv(review, votes).splitlines()))
    assert [(row["suggested_uncertain"], row["uncertain"], row["present"]) for row in rows] == [
        ("Nodule", "Nodule", "Mass"),
        ("Nodule", "", "Mass"),
    ]
