"""Several linear classifiers, weighted for each film by a gate."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.head import Head, draw_classifier
from models.training.heads.output import HeadOutput


class MixtureOfExpertsHead(Head):
    """logits = sum of g_i(x) (W_i x + b_i) over experts i, x the mean over places (Shazeer et al., ICLR 2017, eq. 1).

    The gate g is a softmax of one linear layer without bias (eq. 2), restricted to its `top_k` largest (eq. 3 and 5).
    The noise of eq. 4 is left out, because it serves a load loss that is not used here.
    """

    def __init__(
        self,
        channels: int,
        findings: int,
        dropout: float,
        *,
        experts: int = 4,
        top_k: int = 0,
        balance: float = 0.01,
    ) -> None:
        """`top_k` = 0 uses all experts; `balance` weighs the auxiliary loss (alpha in `load_balance`'s paper).

        Raises ValueError for fewer than two experts, a `top_k` of one or above their number, or a negative weight. If
        only one expert is chosen, its weight is always 1, so the labels would not train the gate.
        """
        super().__init__(channels, findings, dropout)
        if experts < 2 or top_k == 1 or not 0 <= top_k <= experts:
            raise ValueError(f"{top_k} of {experts} experts cannot be chosen; use at least two, or 0 for all.")
        if not balance >= 0:
            raise ValueError(f"The weight of the balance loss is {balance}; it must be 0 or more.")
        self.top_k, self.balance = top_k or experts, balance
        self.gate = nn.Linear(channels, experts, bias=False)
        self.experts = nn.Parameter(torch.empty(experts, findings, channels))
        self.biases = nn.Parameter(torch.zeros(experts, findings))
        draw_classifier(self.experts, findings)
        with torch.no_grad():  # start with nearly equal shares, so that no expert falls behind before it has learned
            self.gate.weight.mul_(0.1)

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, c, h, w), and the weighted balance loss of the batch."""
        features = functional.dropout(maps.mean((2, 3)), self.dropout, self.training)
        choice = self.gate(features).float()  # softmax in full precision even under autocast (Fedus et al., 2.4)
        answers = functional.linear(features, self.experts.flatten(0, 1)).reshape(-1, *self.biases.shape) + self.biases
        logits = (gates(choice, self.top_k)[:, :, None] * answers).sum(1)
        return HeadOutput(logits, self.balance * load_balance(torch.softmax(choice, 1)))

    def last_weights(self) -> Sequence[Tensor]:
        """Return the experts' weights (experts, k, c)."""
        return [self.experts]

    def last_biases(self) -> Tensor:
        """Return the experts' biases (experts, k); gates sum to 1."""
        return self.biases


def load_balance(shares: Tensor) -> Tensor:
    """Return how unevenly the gate's `shares` (n, N) spread films (n,) over N experts: 1 if even, N if one gets all.

    It is N sum(f_i P_i): f_i is the share of films whose first choice is i, P_i the mean share of i, which alone
    carries the gradient (Fedus et al., Switch Transformers, JMLR 2022, eq. 4 to 6, without alpha). For decided shares,
    f = P, 1 is the minimum; undecided shares that contradict the choices can fall slightly below.
    """
    experts = shares.shape[1]
    chosen = functional.one_hot(shares.argmax(1), experts).to(shares.dtype).mean(0)
    return experts * (chosen * shares.mean(0)).sum()


def gates(choice: Tensor, top_k: int) -> Tensor:
    """Return the softmax over the `top_k` largest of `choice` (n, experts); all others are exactly 0."""
    kept, places = choice.topk(top_k, 1)
    return torch.zeros_like(choice).scatter(1, places, torch.softmax(kept, 1))
