"""Luck of the best of several tries: known values, a simulation, and models that share their errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from explorer.metrics.best_of_tries import largest_of_normals, luck_of_models, luck_of_tries


@pytest.mark.parametrize(("tries", "expected"), [(1, 0), (2, 1 / math.sqrt(math.pi)), (3, 1.5 / math.sqrt(math.pi))])
def test_closed_forms(tries: int, expected: float) -> None:
    assert largest_of_normals(tries) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("tries", "expected"), [(5, 1.16296), (10, 1.53875), (100, 2.50759)])
def test_tabulated_values(tries: int, expected: float) -> None:
    # Expected values of the largest normal order statistic (Harter, Biometrika 1961; 48: 151-165).
    assert largest_of_normals(tries) == pytest.approx(expected, abs=1e-5)


def test_a_simulation_gives_the_same() -> None:
    dice = np.random.default_rng(7)
    tries, deviation, correlation, runs = 5, 0.02, 0.6, 40_000
    shared = dice.normal(size=(runs, 1)) * math.sqrt(correlation)
    own = dice.normal(size=(runs, tries)) * math.sqrt(1 - correlation)
    scores = deviation * (shared + own)
    lead = scores.max(axis=1) - deviation * shared[:, 0]  # over the truth moved by what all models share
    found = luck_of_tries(tries, deviation, correlation)
    assert lead.mean() == pytest.approx(found.expected, abs=4 * lead.std() / math.sqrt(runs))
    assert np.quantile(lead, 0.95) == pytest.approx(found.limit, abs=0.0005)
    assert np.corrcoef(scores[:, 0], scores[:, 1])[0, 1] == pytest.approx(correlation, abs=0.02)


def test_one_try_has_no_lead_and_bad_values_are_errors() -> None:
    assert luck_of_tries(1, 0.02, 0.5).expected == pytest.approx(0, abs=1e-12)
    for values in ((0, 0.02, 0.5), (5, -0.02, 0.5), (5, 0.02, 1.0)):
        with pytest.raises(ValueError, match="tries|deviation"):
            luck_of_tries(*values)


def test_luck_of_models_worked_by_hand() -> None:
    # Centered: (-1, 1), (1, -1), (0, 0): the largest minus the mean of 0 is 1, 1, 0.
    found = luck_of_models([[0.0, 7.0], [2.0, 5.0], [1.0, 6.0]])
    assert found is not None
    assert found.expected == pytest.approx(2 / 3)
    assert found.limit == pytest.approx(1)


def test_models_that_move_together_have_no_luck() -> None:
    together = np.random.default_rng(1).normal(size=(50, 1)) + np.array([[0.1, 0.4, 0.2]])
    found = luck_of_models(together)
    assert found is not None and found.expected == pytest.approx(0, abs=1e-12)
    assert luck_of_models(together[:, :1]) is None
    assert luck_of_models([[1.0, math.nan], [1.0, 2.0]]) is None
