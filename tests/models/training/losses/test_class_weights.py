"""Weights of findings on hand-worked numbers."""

from __future__ import annotations

import pytest

from models.training.losses.class_weights import effective_number, inverse_frequency


def test_inverse_frequency_by_hand() -> None:
    # 1/1, 1/2, 1/4: their mean is 7/12
    assert inverse_frequency([1, 2, 4]) == pytest.approx([12 / 7, 6 / 7, 3 / 7])


def test_effective_number_by_hand() -> None:
    # Proposition 1, beta 1/2: (1 - (1/2)^n) / (1/2) is 1 for one film, 3/2 for two, 15/8 for four.
    # Their inverses are 1, 2/3 and 8/15, in fifteenths 15, 10 and 8: the mean is 11.
    assert effective_number([1, 2, 4], 0.5) == pytest.approx([15 / 11, 10 / 11, 8 / 11])


def test_beta_goes_from_all_alike_to_inverse_frequency() -> None:
    numbers = [3, 40, 500]
    assert effective_number(numbers, 0.0) == (1.0, 1.0, 1.0)
    assert effective_number(numbers, 1 - 1e-9) == pytest.approx(inverse_frequency(numbers), rel=1e-5)


@pytest.mark.parametrize("beta", [0.0, 0.9, 0.9999])
def test_their_mean_is_one_and_the_rarer_counts_no_less(beta: float) -> None:
    for weights in (inverse_frequency([2, 30, 400]), effective_number([2, 30, 400], beta)):
        assert sum(weights) / 3 == pytest.approx(1)
        assert list(weights) == sorted(weights, reverse=True)
