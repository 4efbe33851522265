"""One weight for each finding, from how many films have it; the mean over findings is 1."""

from __future__ import annotations

from collections.abc import Sequence

ALMOST_ONE = 0.999999  # the most that beta may be; for less than 100,000 films, nearly inverse frequency


def inverse_frequency(positives: Sequence[float]) -> tuple[float, ...]:
    """Weights (k,) in proportion to 1 / n, n being a finding's positive films (k,), none of them 0.

    Cui et al., CVPR 2019, Section 4: the limit of `effective_number` as beta goes to 1.
    """
    return _with_mean_one([1 / number for number in positives])


def effective_number(positives: Sequence[float], beta: float) -> tuple[float, ...]:
    """Weights (k,) in proportion to 1 / E, E = (1 - beta^n) / (1 - beta) being the effective number of n films.

    `beta` from 0, which weighs all alike, to less than 1; the paper tries .9, .99, .999 and .9999.

    Cui et al., CVPR 2019: the effective number is their Proposition 1, its inverse as a weight their Section 4.
    """
    return _with_mean_one([(1 - beta) / (1 - beta**number) for number in positives])


def _with_mean_one(weights: list[float]) -> tuple[float, ...]:
    # As the weights change, the size of the whole loss stays, so that one learning rate serves all of them.
    mean = sum(weights) / len(weights)
    return tuple(weight / mean for weight in weights)
