"""LDAM: the rarer a finding, the larger the margin that its positives must exceed."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional

from models.training.losses.checks import check_counts, check_range
from models.training.losses.class_weights import MAX_BETA, effective_number


@dataclass(frozen=True, slots=True)
class Ldam:
    """Binary cross-entropy of scale * (logit - margin), where the finding's margin applies only if it is present.

    The margin is C / n^(1/4) for a finding with n positive films; C makes the rarest finding's margin equal `margin`.
    `reweighted` multiplies positives' terms by class_weights.effective_number: for deferred reweighting (DRW), switch
    to `dataclasses.replace(loss, reweighted=True)` after the first epochs. The network's probability is sigmoid(scale *
    logit), not sigmoid(logit); ranks are the same. The paper's logits are cosines between -1 and 1, which suit a scale
    of 30. Unbounded logits suit a scale of 1, because 30 makes the loss and its slope 30 times as large. Source: Cao et
    al., NeurIPS 2019, Section 3.2 (margins) and Algorithm 1 (deferred reweighting), with margin .5, scale 30 and beta
    .9999 from their code, which uses a softmax over exclusive classes. One sigmoid per finding, with margins and
    weights only for positives, follows the code of the CXR-LT 2026 team that used it (Sulake, arXiv 2603.02294).
    """

    positives: tuple[float, ...]  # (k,) number of films with the finding
    films: int
    margin: float = 0.5
    scale: float = 30.0
    reweighted: bool = False
    beta: float = 0.9999  # of the effective number

    def __post_init__(self) -> None:
        """Raise ValueError if a count or a parameter is out of range."""
        check_counts(self.positives, self.films)
        check_range("margin", self.margin, 0)
        check_range("scale", self.scale, 1e-3)
        check_range("beta", self.beta, 0, MAX_BETA)

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return the loss per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        rarest = min(self.positives)
        margins = logits.new_tensor([self.margin * (rarest / number) ** 0.25 for number in self.positives])
        scaled = self.scale * (logits - margins * labels)
        loss = functional.binary_cross_entropy_with_logits(scaled, labels, reduction="none")
        if self.reweighted:
            loss = loss * (labels * logits.new_tensor(effective_number(self.positives, self.beta)) + (1 - labels))
        return loss.sum(1)
