"""Agreement of a review's readers, worked by hand and by scikit-learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from explorer.core.result_table import table_in
from explorer.school.reviews.agreement_table import agreement_table
from explorer.school.reviews.ratings import Ratings
from explorer.school.reviews.review import Side, Site, Vote
from tests.explorer.school.reviews.made_reviews import FINDINGS, kept, own, ratings_by, review_of
from tests.support.wording import Wording


def drawn(films: int = 40, readers: int = 3) -> Ratings:
    """Readers who name each finding with some errors."""
    random = np.random.default_rng(4)
    truth = random.random((films, 3)) < 0.4
    by_reader = []
    for _ in range(readers):
        seen = truth ^ (random.random((films, 3)) < 0.15)
        named = [own(*(name for name, there in zip(FINDINGS, row, strict=True) if there)) for row in seen]
        by_reader.append(dict(enumerate(named)))
    return ratings_by(review_of([None] * films), by_reader)


def rows_of(ratings: Ratings, part: str) -> list[dict]:
    return [row for row in agreement_table(ratings, resamples=40).rows if row["part"] == part]


def test_four_films_worked_by_hand() -> None:
    """Mass by three readers on four films: 111, 110, 000, 001. The majority is 1, 1, 0, 0.

    Agreement: pairs alike 3, 1, 3 and 1 of 3, (1 + 1/3 + 1 + 1/3) / 4 = 2/3. Present are 6 of 12 ratings, so that e is
    1/2 for Fleiss and AC1, and both are (2/3 - 1/2) / (1/2) = 1/3. With the majority, 10 of 12 ratings agree; each side
    has 6 present, e = 1/2, kappa (5/6 - 1/2) / (1/2) = 2/3.
    """
    seen = ["1100", "1100", "1001"]  # by reader, then by film
    readers = [{film: own(*(["Mass"] if bit == "1" else [])) for film, bit in enumerate(bits)} for bits in seen]
    row = rows_of(ratings_by(review_of([None] * 4, ("Mass",)), readers), "finding")[0]
    assert (row["films"], row["present"], row["ties"]) == (4, 0.5, 0)
    assert row["agreement"] == pytest.approx(2 / 3)
    assert (row["fleiss"], row["ac1"]) == pytest.approx((1 / 3, 1 / 3))
    assert row["kappa_majority"] == pytest.approx(2 / 3)


def test_kappas_are_scikit_learns() -> None:
    ratings = drawn()
    present = ratings.present  # (films, readers, findings)
    flat = present.transpose(0, 2, 1).reshape(-1, 3)
    majority = (flat.sum(1) >= 2).astype(float)
    every = next(row for row in rows_of(ratings, "finding") if row["name"] == "all findings")
    expected = cohen_kappa_score(flat.reshape(-1), np.repeat(majority, 3))
    assert every["kappa_majority"] == pytest.approx(expected, abs=1e-9)
    for reader, row in enumerate(rows_of(ratings, "reader")):
        assert row["kappa_majority"] == pytest.approx(cohen_kappa_score(flat[:, reader], majority), abs=1e-9)
    for row, (one, other) in zip(rows_of(ratings, "pair"), [(0, 1), (0, 2), (1, 2)], strict=True):
        assert row["kappa"] == pytest.approx(cohen_kappa_score(flat[:, one], flat[:, other]), abs=1e-9)
        assert row["differ"] == (flat[:, one] != flat[:, other]).sum()


def test_readers_against_themselves() -> None:
    """Reader 1 repeats two films of three findings and changes one of six labels: 5/6 agree."""
    review = review_of([None] * 3)
    repeats = [kept(0, 0, own("Mass"), again=True), kept(0, 1, own("Nodule"), again=True)]
    votes = {0: own("Mass"), 1: own("Mass", "Nodule"), 2: own()}
    row = rows_of(ratings_by(review, [votes, votes], repeats), "reader")[0]
    assert (row["repeats"], row["own_agreement"]) == (2, pytest.approx(5 / 6))


def test_verdicts_have_a_row_of_their_own() -> None:
    """Two readers, films: all all, all mostly. Half agree; shares .75, .25, 0: AC1 e = (.1875 + .1875) / 2 = .1875."""
    agree, mostly = Vote("agree all"), Vote("agree mostly")
    ratings = ratings_by(review_of([("Mass",), ("Mass",)]), [{0: agree, 1: agree}, {0: agree, 1: mostly}])
    row = next(row for row in rows_of(ratings, "finding") if row["name"] == "verdict")
    assert (row["films"], row["agreement"]) == (2, 0.5)
    assert row["ac1"] == pytest.approx((0.5 - 0.1875) / (1 - 0.1875))


def test_sides_and_places_are_compared_where_two_readers_say_them() -> None:
    """Sides of a nodule on two films: right right, right left. As for verdicts: half agree, AC1 e = .1875.

    Only one reader says a place, and one says the side of a mass: neither can be compared.
    """

    def at(side: Side, **more: Site) -> Vote:
        return replace(own("Nodule", "Mass"), sites={"Nodule": Site(side), **more})

    readers = [{0: at("right"), 1: at("right", Mass=Site("left", "base"))}, {0: at("right"), 1: at("left")}]
    rows = {row["name"]: row for row in rows_of(ratings_by(review_of([None] * 2), readers), "finding")}
    assert (rows["side of findings"]["films"], rows["side of findings"]["agreement"]) == (2, 0.5)
    assert rows["side of findings"]["ac1"] == pytest.approx((0.5 - 0.1875) / (1 - 0.1875))
    assert "place of findings" not in rows


def test_the_table_reads_well_and_says_what_was_left_out(wording: Wording) -> None:
    review = review_of([("Mass",), ("Nodule",)])
    agree = Vote("agree all")
    ratings = ratings_by(
        review,
        [{0: agree, 1: agree}, {0: Vote("disagree", removed=frozenset({"Mass"})), 1: Vote("disagree")}],
        [kept(0, 0, agree, revision=2)],
    )
    table = agreement_table(ratings, resamples=40)
    wording(table_in("text", table), "1 vote disagrees", "1 vote was replaced", "R1 and R2", "f0")
    header, *lines = table_in("csv", table).splitlines()
    assert header.startswith("part,name,films") and len(lines) == len(table.rows)
    for name in ("markdown", "latex"):
        assert "R2" in table_in(name, table)


def test_without_votes_there_is_a_table_without_figures(wording: Wording) -> None:
    table = agreement_table(ratings_by(review_of([None]), [{}, {}, {}]), resamples=40)
    wording(table_in("text", table), "0 films of 1")
