"""Reader studies of ratings with gaps: what is kept, and what is left out."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from explorer.core.reader_study import Incomplete, ReaderRating, complete_study

TRUTH = {"a": 1, "b": 0, "c": 1, "d": 0, "nobody's": 0}


def rated(*lines: str, modality: str = "alone") -> Iterable[ReaderRating]:
    """Ratings from lines such as `R1 a1 b2`: a reader, then cases with their ratings."""
    for line in lines:
        reader, *cells = line.split()
        yield from (ReaderRating(reader, cell[0], modality, float(cell[1:])) for cell in cells)


def test_a_complete_study_keeps_everyone_and_cases_nobody_rated_are_not_in_it() -> None:
    study, left = complete_study(rated("R1 a1 b2", "R2 b4 a3"), TRUTH, {"net": {"a": 0.5, "b": 0.25, "c": 1}})
    assert (study.readers, study.cases, study.modalities) == (("R1", "R2"), ("a", "b"), ("alone",))
    np.testing.assert_array_equal(study.ratings, [[[1, 2], [3, 4]]])
    np.testing.assert_array_equal(study.models["net"], [0.5, 0.25])
    assert not (left.readers or left.cases or left.models)


def test_whoever_lacks_most_is_left_out_first() -> None:
    lines = ("R1 a1 b1 c1 d1", "R2 a1 b1 c1", "R3 a1 b1 c1", "R4 d1")
    study, left = complete_study(rated(*lines), TRUTH, {"net": {"a": 0.5}})
    assert study.readers == ("R1", "R2", "R3") and study.cases == ("a", "b", "c")
    assert left.readers == (Incomplete("R4", 1, 4),), "a quarter of its ratings, where case d has half"
    assert left.cases == (Incomplete("d", 1, 3),)
    assert left.models == (Incomplete("net", 1, 3),) and not study.models


def test_a_rating_is_needed_in_every_modality() -> None:
    ratings = [*rated("R1 a1 b1", "R2 a1 b1"), *rated("R1 a1 b1", "R2 a1", modality="with AI")]
    study, left = complete_study(ratings, TRUTH, {})
    assert study.ratings.shape == (2, 1, 2) and left.readers == (Incomplete("R2", 3, 4),)


def test_without_a_rating_the_study_is_empty() -> None:
    study, left = complete_study((), TRUTH, {"net": {}})
    assert not study.readers and not study.cases and not left.readers
