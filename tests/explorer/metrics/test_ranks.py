"""Ranks and shares of ranks, against counting in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.arrays import Floats
from explorer.metrics.ranks import rank_shares, ranks


def drawn(seed: int, resamples: int, models: int, missing: float) -> tuple[Floats, Floats]:
    """Values and what breaks their ties, of few levels so that many are the same."""
    dice = np.random.default_rng(seed)
    values, ties = (dice.integers(0, 3, (resamples, models)) / 3 for _ in range(2))
    values[dice.random(values.shape) < missing] = np.nan
    return values, ties


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.booleans())
def test_a_rank_is_one_more_than_the_models_ahead(seed: int, models: int, with_ties: bool) -> None:
    values, ties = drawn(seed, 6, models, 0.1)
    found = ranks(values, ties if with_ties else None)
    for r in range(6):
        keys = [
            (-math.inf if math.isnan(value) else value, tie if with_ties else 0)
            for value, tie in zip(values[r], ties[r], strict=True)
        ]
        assert found[r].tolist() == [1 + sum(other > key for other in keys) for key in keys]


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.sampled_from([0.0, 0.1]))
def test_shares_are_those_of_a_plain_loop(seed: int, models: int, missing: float) -> None:
    values, ties = drawn(seed, 20, models, missing)
    compared = [model for model in range(models) if not np.isnan(values[:, model]).all()]
    used = [r for r in range(20) if not any(math.isnan(values[r, model]) for model in compared)]
    found = rank_shares(values, ties)
    assert found.used == (len(used) if compared else 0)
    if not used or not compared:
        return
    first = dict.fromkeys(compared, 0.0)
    for r in used:
        keys = {model: (values[r, model], ties[r, model]) for model in compared}
        best = [model for model in compared if keys[model] == max(keys.values())]
        for model in best:
            first[model] += 1 / len(best) / len(used)
        for model in compared:
            rank = 1 + sum(other > keys[model] for other in keys.values())
            assert found.of_rank[model, rank - 1] > 0
    assert [found.first[model] for model in compared] == pytest.approx(list(first.values()))
    assert found.first[compared].sum() == pytest.approx(1)
    assert np.nansum(found.of_rank, axis=1)[compared] == pytest.approx(np.ones(len(compared)))


def test_values_that_differ_by_rounding_alone_are_equal() -> None:
    values = np.array([[0.1 + 0.2, 0.3]])
    assert ranks(values).tolist() == [[1, 1]]
    assert ranks(values, np.array([[0.0, 1.0]])).tolist() == [[2, 1]]


def test_nothing_is_said_without_resamples_or_values() -> None:
    for values in (np.empty((0, 2)), np.full((3, 2), np.nan)):
        found = rank_shares(values)
        assert found.used == 0 and np.isnan(found.first).all() and np.isnan(found.of_rank).all()
