"""What every loss asks of its parameters, refused in a sentence before training begins."""

from __future__ import annotations

import math


def within(name: str, value: float, low: float, high: float = math.inf) -> None:
    """Nothing where `low` <= value <= `high` and the value is finite.

    Raises ValueError otherwise.
    """
    if not (math.isfinite(value) and low <= value <= high):
        most = "" if math.isinf(high) else f" and at most {high:g}"
        raise ValueError(f"{name} is {value:g}. Choose a finite number of at least {low:g}{most}.")


def counted(positives: tuple[float, ...], films: int) -> None:
    """Nothing where each of the k findings is on one of the `films` at least, and on no more than there are.

    Raises ValueError otherwise: weights and margins grow without limit as a finding's films go to none.
    """
    if not positives:
        raise ValueError("There is no finding. Give the number of positive films of each.")
    for column, number in enumerate(positives):
        if not 1 <= number <= films:  # also where it is NaN
            raise ValueError(
                f"The finding in column {column} is on {number:g} of {films:,} films. Leave it out of training, "
                "or correct its count: each finding needs one film at least."
            )
