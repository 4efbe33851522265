"""The Rasch model: a published example, recovery of known difficulties, standard errors that hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_expit
from scipy.stats import norm

from explorer.core.arrays import Floats
from explorer.metrics.rasch import Rasch, fit_rasch

# Section 6 of the Law School Admission Test: answers of 1,000 persons to 5 items, by pattern (Bock and Lieberman,
# Psychometrika 1970; 35: 179-197), the first item's answer first.
LSAT = {
    "00000": 3, "00001": 6, "00010": 2, "00011": 11, "00100": 1, "00101": 1, "00110": 3, "00111": 4,
    "01000": 1, "01001": 8, "01011": 16, "01101": 3, "01110": 2, "01111": 15, "10000": 10, "10001": 29,
    "10010": 14, "10011": 81, "10100": 3, "10101": 28, "10110": 15, "10111": 80, "11000": 16, "11001": 56,
    "11010": 21, "11011": 173, "11100": 11, "11101": 61, "11110": 28, "11111": 298,
}  # fmt: skip


def matrix_fit(right: Floats, prior_spread: float = float("inf")) -> Rasch:
    """Of answers (persons, items), NaN where there is none."""
    person, item = np.nonzero(~np.isnan(right))
    return fit_rasch(person, item, right[person, item], prior_spread)


def lsat() -> Floats:
    return np.array([[float(each) for each in pattern] for pattern, n in LSAT.items() for _ in range(n)])


def test_a_published_example() -> None:
    """As ltm 1.2 prints (Rizopoulos, Journal of Statistical Software 2006; 17(5)): difficulties over a spread of 1 and
    discrimination 0.7551. Answers were compared with a public listing; ltm's figures are as remembered.
    """
    right = lsat()
    assert right.shape == (1000, 5) and right.mean(0).tolist() == [0.924, 0.709, 0.553, 0.763, 0.87]
    found = matrix_fit(right)
    assert found.spread == pytest.approx(0.7551, abs=5e-4)
    printed = np.array([-3.6153, -1.3224, -0.3176, -1.7301, -2.7802])
    np.testing.assert_allclose(found.difficulty / found.spread, printed, atol=3e-3)


def test_it_maximizes_the_marginal_likelihood_on_a_fine_grid() -> None:
    """An independent computation: no quadrature by Gauss, no EM; with a third of the answers missing."""
    right = simulated(np.random.default_rng(2), 40, np.array([-1.0, 0.0, 0.4, 1.5]), 0.8)
    right[np.random.default_rng(3).random(right.shape) < 0.3] = np.nan
    grid = np.linspace(-6, 6, 241)

    def loss(values: Floats) -> float:
        logit = np.exp(values[-1]) * grid[None, None] - values[None, :-1, None]
        each = np.where(right[:, :, None] > 0, log_expit(logit), log_expit(-logit))
        whole = np.nansum(np.where(np.isnan(right)[:, :, None], 0, each), axis=1)
        return -float(np.log((np.exp(whole) * norm.pdf(grid)).sum(1) * (grid[1] - grid[0])).sum())

    best = minimize(loss, np.zeros(5), method="BFGS")
    found = matrix_fit(right)
    np.testing.assert_allclose(found.difficulty, best.x[:-1], atol=2e-3)
    assert found.spread == pytest.approx(np.exp(best.x[-1]), abs=5e-3)


def simulated(dice: np.random.Generator, persons: int, difficulty: Floats, spread: float) -> Floats:
    chance = expit(dice.normal(0, spread, persons)[:, None] - difficulty[None])
    return (dice.random(chance.shape) < chance).astype(float)


def test_fifty_learners_and_sixty_films_give_known_difficulties_back() -> None:
    correlations, inside = [], []
    for seed in range(8):
        dice = np.random.default_rng(seed)
        difficulty = dice.normal(0, 1.2, 60)
        found = fit_of(simulated(dice, 50, difficulty, 1.0))
        correlations.append(np.corrcoef(found.difficulty, difficulty)[0, 1])
        inside.append((np.abs(found.difficulty - difficulty) < 1.96 * found.error).mean())
    assert min(correlations) >= 0.9
    assert 0.92 < np.mean(inside) < 0.975


def fit_of(right: Floats) -> Rasch:
    person, item = np.nonzero(~np.isnan(right))
    return fit_rasch(person, item, right[person, item])


def test_learners_who_saw_other_films_are_on_one_scale() -> None:
    """Two classes share 20 of 60 films; the second is better, which must not make its films look easier."""
    dice = np.random.default_rng(5)
    difficulty = dice.normal(0, 1.2, 60)
    first, second = (simulated(dice, 60, difficulty - shift, 0.8) for shift in (-0.7, 0.7))
    first[:, 40:], second[:, :20] = np.nan, np.nan
    found = fit_of(np.vstack([first, second]))
    assert np.corrcoef(found.difficulty, difficulty)[0, 1] > 0.9
    shares = np.nanmean(np.vstack([first, second]), axis=0)
    by_shares = -np.log(shares / (1 - shares))
    gaps = [each[:20].mean() - each[40:].mean() for each in (difficulty, found.difficulty, by_shares)]
    assert abs(gaps[1] - gaps[0]) < 0.5 < abs(gaps[2] - gaps[0])


def test_an_item_that_all_answered_correctly_is_easy_and_finite() -> None:
    right = np.ones((20, 3))
    right[:10, 1], right[:, 2] = 0, 0
    found = fit_of(right)
    assert found.difficulty[0] < found.difficulty[1] < found.difficulty[2] and np.isfinite(found.error).all()
    low, high = found.solved_interval()
    assert (low < found.solved).all() and (found.solved < high).all() and found.solved[0] > 0.8


@pytest.mark.parametrize("answers", [([], [], []), ([0, 1], [0], [1]), ([[0]], [[0]], [[1]])])
def test_answers_that_do_not_fit_are_refused(answers: tuple[list[int], list[int], list[int]]) -> None:
    with pytest.raises(ValueError, match="Give one person"):
        fit_rasch(*answers)
