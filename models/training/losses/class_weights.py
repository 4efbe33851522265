"""Computes one weight per finding from its number of films; the mean over findings is 1."""

from __future__ import annotations

from collections.abc import Sequence

from models.training.losses.checks import check_range

WEIGHTING_RULES = ("effective-number", "inverse-frequency")
MAX_BETA = 0.999999  # with fewer than 100,000 films, this is nearly inverse frequency


def inverse_frequency(positives: Sequence[float]) -> tuple[float, ...]:
    """Return weights (k,) proportional to 1 / n, where n is a finding's positive films (k,), none of them 0.

    Cui et al., CVPR 2019, Section 4: the limit of `effective_number` as beta goes to 1.
    """
    return _with_mean_one([1 / number for number in positives])


def effective_number(positives: Sequence[float], beta: float) -> tuple[float, ...]:
    """Return weights (k,) proportional to 1 / E, with E = (1 - beta^n) / (1 - beta), the effective number of n films.

    `beta` ranges from 0, equal weights, to below 1; the paper tries .9, .99, .999 and .9999.
    Cui et al., CVPR 2019: Proposition 1 defines the effective number, Section 4 uses its inverse as a weight.
    """
    return _with_mean_one([(1 - beta) / (1 - beta**number) for number in positives])


def check_weighting(rule: str, beta: float) -> None:
    """Raise ValueError if there is no such rule, or beta is out of range."""
    check_range("beta", beta, 0, MAX_BETA)
    if rule not in WEIGHTING_RULES:
        raise ValueError(f"weights is {rule!r}. Choose one of {', '.join(WEIGHTING_RULES)}.")


def weights_by(rule: str, positives: Sequence[float], beta: float) -> tuple[float, ...]:
    """Return weights (k,) by one of WEIGHTING_RULES; `beta` is that of the effective number."""
    return inverse_frequency(positives) if rule == "inverse-frequency" else effective_number(positives, beta)


def _with_mean_one(weights: list[float]) -> tuple[float, ...]:
    # A constant mean keeps the size of the whole loss, so that one learning rate suits all weights.
    mean = sum(weights) / len(weights)
    return tuple(weight / mean for weight in weights)
