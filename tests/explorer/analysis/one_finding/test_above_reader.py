"""How far a model is above a reader: an example by hand, and intervals against scikit-learn, resample by resample."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from explorer.analysis.one_finding.above_reader import above_readers
from explorer.analysis.one_finding.film_readers import FilmReader, film_reader
from explorer.analysis.one_finding.scores import FindingScores
from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import LEVEL
from tests.support.random_findings import findings

RESAMPLES, SEED = 8, 3
NAN = float("nan")


def scored(labels: list[float], scores: list[float]) -> FindingScores:
    n = len(labels)
    called, centers = np.zeros((1, n), dtype=np.int8), np.full(n, "North", dtype=object)
    return FindingScores(
        "Mass", ("net",), np.array(labels), np.array([scores]), called, (None,), centers, np.arange(n), None
    )


# Four films with a mass, four without, and one of unknown label. The reader finds 2 of 4 and spares 3 of 4. Two masses
# score higher than every other film, so the model spares all at that sensitivity. One false alarm (0.7) brings none.
BY_HAND = scored([1, 1, 1, 1, 0, 0, 0, 0, NAN], [0.9, 0.8, 0.4, 0.3, 0.7, 0.5, 0.2, 0.1, 0.6])
READER = FilmReader("R1", np.array([1, 1, 0, 0, 1, 0, 0, 0, 1.0]), np.array([6, 5, 3, 2, 4, 1, 1, 3, 6.0]))


def test_an_example_by_hand() -> None:
    (found,) = above_readers(BY_HAND, 0, [READER])
    assert (found.films, found.positives, found.rated) == (8, 4, 8)
    assert (found.specificity.model, found.specificity.reader) == (1.0, 0.75)
    assert (found.sensitivity.model, found.sensitivity.reader) == (0.5, 0.5)
    # Of 16 pairs the model orders 12; the reader 4 + 4 + 2 and a tie + 2.
    assert (found.area.model, found.area.reader) == (0.75, 12.5 / 16)
    assert found.specificity.difference == 0.25 and np.isnan(found.specificity.low)


def test_the_points_of_the_readers_films_alone_count() -> None:
    halved = np.where(np.arange(9) % 2, NAN, READER.calls)  # films 0, 2, 4, 6, 8
    (found,) = above_readers(BY_HAND, 0, [FilmReader("R2", halved, np.full(9, NAN))])
    assert (found.films, found.positives, found.rated) == (4, 2, 0)
    assert (found.specificity.model, found.specificity.reader) == (1.0, 0.5), "0.9 against 0.7 and 0.2"
    assert np.isnan(found.area.difference)


def test_a_reader_of_one_class_has_no_figure() -> None:
    calls = np.where(BY_HAND.labels == 1, READER.calls, NAN)
    (found,) = above_readers(BY_HAND, 0, [FilmReader("R3", calls, calls)], 4, 0)
    assert np.isnan([found.specificity.difference, found.sensitivity.difference, found.area.low]).all()
    assert above_readers(BY_HAND, 0, []) == ()


@pytest.mark.slow
@given(findings(both_classes=True), st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_intervals_are_quantiles_over_resampled_patients_of_scikit_learns_figures(
    one: FindingScores, seed: int
) -> None:
    dice = np.random.default_rng(seed)
    n = len(one.labels)
    reader = FilmReader("R", dice.choice([0, 1, NAN], n, p=[0.5, 0.4, 0.1]), np.round(6 * dice.random(n)))
    (found,) = above_readers(one, 1, [reader], RESAMPLES, SEED)
    patients, units = np.unique(one.patients, return_inverse=True)
    samples = []
    for r in range(RESAMPLES):
        drawn = np.random.default_rng([SEED, r]).integers(0, len(patients), len(patients))
        counts = np.bincount(drawn, minlength=len(patients))[units] * (1 if one.weights is None else one.weights)
        samples.append(_gaps(one.labels, one.scores[1], reader, counts))
    for figure, read, gap in zip(range(3), (reader.calls, reader.calls, reader.ratings), found.gaps, strict=True):
        column = np.array(samples)[:, figure]
        if len(np.unique(units[one.known & ~np.isnan(read)])) < 2 or np.isnan(column).all():
            assert np.isnan([gap.low, gap.high]).all()
        else:
            assert [gap.low, gap.high] == pytest.approx(np.nanquantile(column, LEVEL), abs=1e-9)


def _gaps(labels: Floats, scores: Floats, reader: FilmReader, counts: Floats) -> tuple[float, float, float]:
    """Specificity, sensitivity and area of the model minus the reader's, in one resample."""
    there = (counts > 0) & ~np.isnan(labels) & ~np.isnan(reader.calls)
    truth, score, call, weight = (each[there] for each in (labels, scores, reader.calls, counts))
    gaps = [NAN, NAN]
    if len(set(truth.tolist())) == 2:
        sensitivity = weight[(truth == 1) & (call == 1)].sum() / weight[truth == 1].sum()
        specificity = weight[(truth == 0) & (call == 0)].sum() / weight[truth == 0].sum()
        rate, caught, _ = roc_curve(truth, score, sample_weight=weight, drop_intermediate=False)
        gaps = [
            _best(1 - caught[::-1], 1 - rate[::-1], 1 - sensitivity) - specificity,
            _best(rate, caught, 1 - specificity) - sensitivity,
        ]
    rated = (counts > 0) & ~np.isnan(labels) & ~np.isnan(reader.ratings)
    if len(set(labels[rated].tolist())) < 2:
        return *gaps, NAN  # type: ignore[return-value]  # two gaps and one
    areas = [
        roc_auc_score(labels[rated], each[rated], sample_weight=counts[rated]) for each in (scores, reader.ratings)
    ]
    return *gaps, areas[0] - areas[1]  # type: ignore[return-value]


def _best(x: Floats, y: Floats, wanted: float) -> float:
    """The highest y at or left of a place on a rising line."""
    return float(max(np.interp(wanted, x, y), y[x <= wanted + 1e-9].max()))


def test_calls_and_ratings_are_placed_by_case() -> None:
    made = film_reader("R1", ["a", "b", "c"], {"a": True, "c": False}, {"b": 4})
    np.testing.assert_array_equal(made.calls, [1, NAN, 0])
    np.testing.assert_array_equal(made.ratings, [NAN, 4, NAN])
