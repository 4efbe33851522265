"""Binary cross-entropy in which rare findings count more than common ones."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional

from models.training.losses.checks import check_counts
from models.training.losses.class_weights import check_weighting, weights_by


@dataclass(frozen=True, slots=True)
class WeightedBce:
    """Binary cross-entropy with one weight for each finding, on all its films or only on its positive films.

    The weights come from class_weights.py. Without `positives_only` a finding's whole term is scaled, which hardly
    affects a linear layer on frozen features trained with Adam, because Adam cancels a scale; weights of positives
    alone move the optimum. Source: Cui et al., CVPR 2019, Section 4, who weigh an image by its class: `positives_only`
    is the equivalent for several findings.
    """

    positives: tuple[float, ...]  # (k,) number of films with the finding
    films: int
    weights: str = "effective-number"  # or inverse-frequency
    beta: float = 0.9999  # of the effective number
    positives_only: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError if a count or a parameter is out of range."""
        check_counts(self.positives, self.films)
        check_weighting(self.weights, self.beta)

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return weighted nats per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        weights = weights_by(self.weights, self.positives, self.beta)
        weight = logits.new_tensor(weights)
        each = weight * labels + (1 - labels) if self.positives_only else weight
        return (each * functional.binary_cross_entropy_with_logits(logits, labels, reduction="none")).sum(1)
