"""LDAM: the rarer a finding, the larger the margin by which its positives must be found."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional

from models.training.losses.checks import counted, within
from models.training.losses.class_weights import ALMOST_ONE, effective_number


@dataclass(frozen=True, slots=True)
class Ldam:
    """Binary cross-entropy of scale * (logit - margin of the finding, where it is present).

    The margin is C / n^(1/4), n being the finding's positive films; C is such that the rarest finding's is `margin`.
    `reweighted` multiplies positives' terms by class_weights.effective_number: deferred re-weighting (DRW) is a
    schedule that goes on with `dataclasses.replace(loss, reweighted=True)` after its first epochs.

    What the network means is sigmoid(scale * logit), not sigmoid(logit); the order of films is the same. The paper's
    logits are cosines within -1 and 1, which a scale of 30 suits. Logits that may be of any size want a scale of 1: 30
    makes the loss, and its slope, 30 times as large.

    Source: Cao et al., NeurIPS 2019, Section 3.2 (margins) and Algorithm 1 (deferred re-weighting), margin .5, scale 30
    and beta .9999 as in their code, which has a softmax over exclusive classes. One sigmoid for each finding, margins
    and weights on positives alone: as the CXR-LT 2026 team that used it (Sulake, arXiv 2603.02294) does in its code.
    """

    positives: tuple[float, ...]  # (k,) films that have the finding
    films: int
    margin: float = 0.5
    scale: float = 30.0
    reweighted: bool = False
    beta: float = 0.9999  # of the effective number

    def __post_init__(self) -> None:
        """Raises ValueError where a count or a parameter is out of range."""
        counted(self.positives, self.films)
        within("margin", self.margin, 0)
        within("scale", self.scale, 1e-3)
        within("beta", self.beta, 0, ALMOST_ONE)

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Loss per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        rarest = min(self.positives)
        margins = logits.new_tensor([self.margin * (rarest / number) ** 0.25 for number in self.positives])
        scaled = self.scale * (logits - margins * labels)
        loss = functional.binary_cross_entropy_with_logits(scaled, labels, reduction="none")
        if self.reweighted:
            loss = loss * (labels * logits.new_tensor(effective_number(self.positives, self.beta)) + (1 - labels))
        return loss.sum(1)
