"""Item difficulty from right and wrong answers of many persons, each of whom answered some items: the Rasch model.

A person of ability t answers an item of difficulty b correctly with probability 1 / (1 + exp(b - t)). Abilities are
normal around 0. Difficulties and the spread of abilities maximize the marginal likelihood (Bock and Aitkin,
Psychometrika 1981; 46: 443-459), difficulties with a weak normal prior, so that an item that all answered correctly has
a finite one (Mislevy, Psychometrika 1986; 51: 177-195). Standard errors are from the observed information (Louis,
Journal of the Royal Statistical Society B 1982; 44: 226-233), with the spread held fixed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy
from numpy.polynomial.hermite_e import hermegauss

from explorer.core.arrays import Floats

NODES = 31  # of the quadrature over abilities
PRIOR_SPREAD = 2.5  # standard deviation of difficulties around their mean; infinite: no prior
_TOLERANCE, _MAX_ROUNDS = 1e-5, 500  # logits; standard errors are tenths
_AT, _WEIGHTS = hermegauss(NODES)
_LEAST_SPREAD = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Rasch:
    """Difficulty (items,) of each item with its standard error, and the standard deviation of abilities.

    Difficulty 0: a person of average ability is right half of the time.
    """

    difficulty: Floats
    error: Floats
    spread: float

    @property
    def solved(self) -> Floats:
        """The probability (items,) that a person of average ability is right."""
        return np.asarray(scipy.special.expit(-self.difficulty))

    def solved_interval(self) -> tuple[Floats, Floats]:
        """Return the 95 % interval of `solved`, low and high (items,)."""
        reach = 1.959963984540054 * self.error
        return np.asarray(scipy.special.expit(-self.difficulty - reach)), np.asarray(
            scipy.special.expit(-self.difficulty + reach)
        )


def fit_rasch(
    person: npt.ArrayLike, item: npt.ArrayLike, right: npt.ArrayLike, prior_spread: float = PRIOR_SPREAD
) -> Rasch:
    """Return the difficulties of items, from answers (n,): numbers of person and item from 0, and whether it is right.

    Raises ValueError if the shapes differ or there is no answer.
    """
    persons, items = (np.asarray(each, dtype=np.intp) for each in (person, item))
    answers = np.asarray(right, dtype=np.float64)
    if not (persons.shape == items.shape == answers.shape) or persons.ndim != 1 or not len(persons):
        raise ValueError("Give one person, one item and one result for each answer.")
    work = _Answers(persons, items, answers, 1 / prior_spread**2)
    difficulty, spread = work.start(), 1.0
    for _ in range(_MAX_ROUNDS):
        posterior = work.posterior(difficulty, spread)
        new = work.better(difficulty, spread, posterior)
        new_spread = max(float(np.sqrt((posterior @ (spread * work.nodes) ** 2).mean())), _LEAST_SPREAD)
        change = max(float(np.abs(new - difficulty).max()), abs(new_spread - spread))
        difficulty, spread = new, new_spread
        if change < _TOLERANCE:
            break
    return Rasch(difficulty, work.errors(difficulty, spread), spread)


@dataclass(slots=True, eq=False)
class _Answers:
    """Answers (n,), and the quadrature (nodes,) over standard normal abilities. `precision` is that of the prior."""

    person: npt.NDArray[np.intp]
    item: npt.NDArray[np.intp]
    right: Floats
    precision: float

    @property
    def nodes(self) -> Floats:
        return np.asarray(_AT)

    def start(self) -> Floats:
        """Return rough difficulties (items,): log odds of a wrong answer, half an answer added to each side."""
        hits, n = (np.bincount(self.item, weights=each) for each in (self.right, np.ones(len(self.item))))
        return np.asarray(np.log((n - hits + 0.5) / (hits + 0.5)))

    def posterior(self, difficulty: Floats, spread: float) -> Floats:
        """Return each person's probabilities (persons, nodes) of the abilities at the nodes."""
        ability = spread * self.nodes
        logit = ability[None] - difficulty[self.item][:, None]
        likelihood = np.where(self.right[:, None] > 0, scipy.special.log_expit(logit), scipy.special.log_expit(-logit))
        total = sums_by(self.person, likelihood, int(self.person.max()) + 1)
        total += np.log(_WEIGHTS)
        total -= total.max(1, keepdims=True)
        weights = np.exp(total)
        return np.asarray(weights / weights.sum(1, keepdims=True))

    def better(self, difficulty: Floats, spread: float, posterior: Floats) -> Floats:
        """Return difficulties after one Newton step for the abilities expected now."""
        chance = scipy.special.expit(spread * self.nodes[None] - difficulty[:, None])
        expected = sums_by(self.item, posterior[self.person], len(difficulty))
        hits = np.bincount(self.item, weights=self.right, minlength=len(difficulty))
        slope = (expected * chance).sum(1) - hits - self.precision * (difficulty - difficulty.mean())
        curvature = (expected * chance * (1 - chance)).sum(1) + self.precision
        return np.asarray(difficulty + np.clip(slope / curvature, -1, 1))

    def errors(self, difficulty: Floats, spread: float) -> Floats:
        """Return standard errors (items,)."""
        posterior, chance = (
            self.posterior(difficulty, spread),
            scipy.special.expit(spread * self.nodes[None] - difficulty[:, None]),
        )
        expected = sums_by(self.item, posterior[self.person], len(difficulty))
        information = np.diag((expected * chance * (1 - chance)).sum(1) + self.precision)
        order = np.argsort(self.person, kind="stable")
        starts = np.flatnonzero(np.diff(self.person[order], prepend=-1))
        for answers in np.split(order, starts[1:]):
            here, weights = self.item[answers], posterior[self.person[answers[0]]]
            seen = chance[here]
            apart = seen - (seen @ weights)[:, None]
            information[np.ix_(here, here)] -= (apart * weights) @ apart.T
        return np.asarray(np.sqrt(np.diag(np.linalg.inv(information))))


def sums_by(group: npt.NDArray[np.intp], values: Floats, groups: int) -> Floats:
    """Return the sum (groups, columns) of the rows of `values` (n, columns) in each group, 0 where there is none."""
    flat = (group[:, None] * values.shape[1] + np.arange(values.shape[1])).ravel()
    summed = np.bincount(flat, weights=values.ravel(), minlength=groups * values.shape[1])
    return np.asarray(summed.reshape(groups, -1))
