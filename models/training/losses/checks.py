"""Checks of the losses' parameters, made before training begins."""

from __future__ import annotations

import math


def check_range(name: str, value: float, low: float, high: float = math.inf) -> None:
    """Raise ValueError unless `low` <= value <= `high` and the value is finite."""
    if not (math.isfinite(value) and low <= value <= high):
        most = "" if math.isinf(high) else f" and at most {high:g}"
        raise ValueError(f"{name} is {value:g}; it must be a finite number of at least {low:g}{most}.")


def check_counts(positives: tuple[float, ...], films: int) -> None:
    """Raise ValueError unless each of the k findings is on at least one and at most all of the `films`.

    Weights and margins would grow without limit as a finding's number of films goes to 0.
    """
    if not positives:
        raise ValueError("There are no findings. Give each finding's number of positive films.")
    for column, number in enumerate(positives):
        if not 1 <= number <= films:  # also refuses NaN
            raise ValueError(
                f"The finding in column {column} is on {number:g} of {films:,} films. Leave it out of training, "
                "or correct its count: each finding needs at least one film."
            )
