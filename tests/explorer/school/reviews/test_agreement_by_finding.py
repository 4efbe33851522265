"""Who disagrees with whom, and on which finding: worked by hand, and by scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from explorer.core.result_table import table_in
from explorer.school.reviews.agreement_by_finding import MAX_PAIRED, grids_by_finding, pair_rows, reader_rows
from explorer.school.reviews.agreement_table import agreement_table
from explorer.school.reviews.ratings import Ratings
from explorer.school.reviews.review import Vote
from tests.explorer.school.reviews.made_reviews import FINDINGS, own, ratings_by, review_of
from tests.support.wording import Wording


def votes(seen: np.ndarray) -> dict[int, Vote]:
    """A reader's votes, from what they see (films, findings)."""
    return {
        film: own(*(name for name, there in zip(FINDINGS, row, strict=True) if there)) for film, row in enumerate(seen)
    }


def drawn(films: int = 40, errors: tuple[float, ...] = (0.1, 0.1, 0.3)) -> Ratings:
    """Readers with different shares of errors; the third confuses nodules most."""
    random = np.random.default_rng(4)
    truth = random.random((films, 3)) < 0.4
    return ratings_by(
        review_of([None] * films), [votes(truth ^ (random.random((films, 3)) < share)) for share in errors]
    )


def test_four_films_worked_by_hand() -> None:
    """A mass by three readers on four films: 1100, 1100, 1001.

    The others of the first two tie on films 2 and 4, so that films 1 and 3 remain: both agree, with one of each kind,
    kappa 1. The others of the third say 1100: they differ on films 2 and 4, agreement 1/2 with half of each, kappa 0.
    Pairs: the first two agree; each differs from the third on two of four films, kappa 0.
    """
    seen = ["1100", "1100", "1001"]
    readers = [{film: own(*(["Mass"] if bit == "1" else [])) for film, bit in enumerate(bits)} for bits in seen]
    ratings = ratings_by(review_of([None] * 4, ("Mass",)), readers)
    rows = reader_rows(ratings, 20)
    assert [(row["name"], row["finding"], row["films"], row["differ"]) for row in rows] == [
        ("R1", "Mass", 2, 0),
        ("R2", "Mass", 2, 0),
        ("R3", "Mass", 4, 2),
    ]
    assert [row["kappa_others"] for row in rows] == pytest.approx([1, 1, 0])
    pairs = pair_rows(ratings, 20)
    assert [(row["name"], row["films"], row["differ"]) for row in pairs] == [
        ("R1 and R2", 4, 0),
        ("R1 and R3", 4, 2),
        ("R2 and R3", 4, 2),
    ]
    assert [row["kappa"] for row in pairs] == pytest.approx([1, 0, 0])


def test_pairs_by_finding_are_scikit_learns() -> None:
    ratings = drawn()
    rows = {(row["finding"], row["name"]): row for row in pair_rows(ratings, 60)}
    assert len(rows) == 9
    for place, finding in enumerate(FINDINGS):
        for one, other in ((0, 1), (0, 2), (1, 2)):
            row = rows[finding, f"R{one + 1} and R{other + 1}"]
            pair = ratings.present[:, one, place], ratings.present[:, other, place]
            assert row["kappa"] == pytest.approx(cohen_kappa_score(*pair), abs=1e-9)
            assert row["kappa_95_low"] <= row["kappa"] <= row["kappa_95_high"]
            assert (row["films"], row["differ"]) == (40, (pair[0] != pair[1]).sum())


def test_a_film_that_only_one_of_a_pair_read_is_not_theirs() -> None:
    first, second, third = ({0: own("Mass"), 1: own(), 2: own("Mass")}, {0: own("Mass"), 1: own()}, {2: own()})
    ratings = ratings_by(review_of([None] * 3, ("Mass",)), [first, second, third])
    rows = pair_rows(ratings, 20)
    assert [(row["name"], row["films"], row["differ"]) for row in rows] == [("R1 and R2", 2, 0), ("R1 and R3", 1, 1)]
    assert rows[1]["kappa_95_low"] is None, "one film has no interval"


def test_of_many_readers_those_who_differ_most_are_paired(wording: Wording) -> None:
    errors = (0.02, 0.02, 0.3, 0.02, 0.3, 0.3, 0.3, 0.3)
    ratings = drawn(errors=errors)
    pairs = pair_rows(ratings, 5)
    paired = {name for row in pairs for name in str(row["name"]).split(" and ")}
    assert paired == {"R3", "R5", "R6", "R7", "R8"} and len(paired) == MAX_PAIRED
    (_, grid) = grids_by_finding(ratings, reader_rows(ratings, 5), pairs)
    assert len(grid.rows) == 10 * 3
    wording(list(grid.notes))


def test_one_reader_has_nobody_to_differ_from() -> None:
    ratings = ratings_by(review_of([None]), [{0: own("Mass")}])
    assert reader_rows(ratings, 5) == pair_rows(ratings, 5) == []


def test_the_review_table_has_both(wording: Wording) -> None:
    table = agreement_table(drawn(6), resamples=20)
    assert [grid.title for grid in table.grids] == [
        "Agreement by finding",
        "Each reader",
        "Pairs of readers",
        "Each reader, by finding",
        "Pairs of readers, by finding",
    ]
    header, *lines = table_in("csv", table).splitlines()
    assert "finding" in header.split(",") and sum(line.startswith("pair by finding") for line in lines) == 9
    wording(table_in("text", table).partition("Each reader, by finding")[2], "R1 and R2")
