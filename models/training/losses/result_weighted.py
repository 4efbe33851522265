"""Binary cross-entropy in which findings that another network ranks badly count more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class ResultWeighted:
    """Binary cross-entropy whose positives weigh `weights` (k,), one for each finding; none weighs all 1.

    The lab sets them by `result_weights` of the recipe that is named as `judge`. CXR-LT 2023 T5 (section 3.2.5) weighs
    classes by results on validation films and prints no formula.
    """

    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError for a negative weight."""
        if any(not weight >= 0 for weight in self.weights):
            raise ValueError("A weight of a finding is below 0 or no number.")

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return weighted nats per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        each = functional.binary_cross_entropy_with_logits(logits, labels, reduction="none")
        if self.weights:
            each = each * (labels * logits.new_tensor(self.weights) + (1 - labels))
        return each.sum(1)


def result_weights(precision: Sequence[float]) -> tuple[float, ...]:
    """Return weights (k,) proportional to 1 - AP, of mean 1, from the average precision (k,) on validation films.

    A finding without AP (NaN) weighs 1. If all are perfect, all weigh 1.
    """
    lacks = [1 - each for each in precision if each == each]
    mean = sum(lacks) / len(lacks) if lacks else 0.0
    return tuple((1 - each) / mean if each == each and mean > 0 else 1.0 for each in precision)
