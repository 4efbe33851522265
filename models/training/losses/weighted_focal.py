"""Focal loss with a weight for each finding: rare findings count more, well-classified ones little."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional

from models.training.losses.checks import check_counts, check_range
from models.training.losses.class_weights import check_weighting, weights_by


@dataclass(frozen=True, slots=True)
class WeightedFocal:
    """-w_i (1 - q)^gamma log q for positives of finding i, -(1 - q)^gamma log q for others; q is the true state's p.

    Source: Lin et al., ICCV 2017, Equation 4 (focal loss, gamma 2); weights: Cui et al., CVPR 2019, Section 4, who
    combine both as the class-balanced focal loss. CXR-LT 2023 T2 (section 3.2.2) names a "weighted focal loss" without
    a formula: that only positives are weighted, by class_weights.py, is Tailscope's choice.
    """

    positives: tuple[float, ...]  # (k,) number of films with the finding
    films: int
    gamma: float = 2.0
    weights: str = "effective-number"  # or inverse-frequency
    beta: float = 0.9999  # of the effective number

    def __post_init__(self) -> None:
        """Raise ValueError if a count or a parameter is out of range."""
        check_counts(self.positives, self.films)
        check_range("gamma", self.gamma, 0)
        check_weighting(self.weights, self.beta)

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return the loss per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        weights = weights_by(self.weights, self.positives, self.beta)
        right = logits * (2 * labels - 1)  # log odds of the true state
        # From log(1 - q), because a power of a q rounded to 1 has no finite slope if gamma is below 1.
        focus = (self.gamma * functional.logsigmoid(-right)).exp()
        balance = labels * logits.new_tensor(weights) + (1 - labels)
        return -(balance * focus * functional.logsigmoid(right)).sum(1)
