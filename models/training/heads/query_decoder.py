"""Query decoder: a query for each finding attends to the other findings and to places, in several layers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.expert_layer import ExpertLayer, balance_loss
from models.training.heads.attention import Attention, FeedForward
from models.training.heads.head import Head
from models.training.heads.output import HeadOutput
from models.training.label_text import TEXT_WIDTH, label_vectors


class QueryDecoderHead(Head):
    """A transformer decoder with one query per finding (Liu et al., Query2Label, arXiv 2107.10834, section 3.2).

    Each of its layers adds self-attention among queries, attention to the places, and a feed-forward layer, with a
    layer norm after each; every finding has its own last weights. With `text`, queries are projected embeddings of the
    findings' names instead of free parameters: CXR-LT 2023 T5 (section 3.2.5) aggregates image and label-text features
    by such a network. With `experts`, every feed-forward layer is a mixture of experts with a load loss, as in the
    decoder head of CXR-LT 2026 Task 1 C (section 3.2). No paper of the challenge prints sizes; these suit two cores.
    """

    def __init__(
        self,
        channels: int,
        findings: int,
        dropout: float,
        *,
        layers: int = 1,
        width: int = 256,
        hidden: int = 512,
        attention_heads: int = 8,
        text: bool = False,
        experts: int = 0,
        balance: float = 0.01,
        inner_dropout: float = 0.1,
    ) -> None:
        """`balance` weighs the load loss. Raises ValueError if these do not fit together."""
        super().__init__(channels, findings, dropout)
        if layers < 1 or hidden < 1:
            raise ValueError(
                f"A query decoder cannot have {layers} layers of {hidden} units; use at least one of each."
            )
        if not 0 <= inner_dropout < 1:
            raise ValueError(f"The inner dropout is {inner_dropout}; it must be a share in [0, 1).")
        if not balance >= 0:
            raise ValueError(f"The weight of the balance loss is {balance}; it must be 0 or more.")
        self.balance, self.text = balance, text
        self.embed = nn.Linear(channels, width)
        if text:
            self.register_buffer("names", torch.randn(findings, TEXT_WIDTH) * TEXT_WIDTH**-0.5)
            self.project = nn.Linear(TEXT_WIDTH, width)
        else:
            self.queries = nn.Parameter(torch.randn(findings, width))
        self.layers = nn.ModuleList(
            _DecoderLayer(width, hidden, attention_heads, experts, inner_dropout) for _ in range(layers)
        )
        self.groups = nn.Parameter(torch.empty(findings, width))
        self.bias = nn.Parameter(torch.zeros(findings))
        nn.init.xavier_normal_(self.groups)

    def see_labels(self, names: Sequence[str], labels: NDArray[np.float32]) -> None:
        """Take the findings' names as queries, if the head asks by text; the labels are not used."""
        if self.text:
            self.get_buffer("names").copy_(torch.from_numpy(label_vectors(names)))

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, c, h, w), and the weighted load loss of the experts, if any."""
        places = functional.relu(self.embed(maps.flatten(2).transpose(1, 2)))
        queries = self.project(self.get_buffer("names")) if self.text else self.queries
        asked = queries.expand(len(maps), -1, -1)
        for layer in self.layers:
            asked = layer(asked, places)
        asked = functional.dropout(asked, self.dropout, self.training)
        logits = (asked * self.groups).sum(2) + self.bias
        return HeadOutput(logits, self.balance * balance_loss(self.layers))

    def last_weights(self) -> Sequence[Tensor]:
        """Return each finding's weights (k, width)."""
        return [self.groups]

    def last_biases(self) -> Tensor:
        """Return the biases (k,)."""
        return self.bias


class _DecoderLayer(nn.Module):
    """Self-attention, attention to places, and a feed-forward layer; after each, a layer norm of the sum."""

    def __init__(self, width: int, hidden: int, heads: int, experts: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.among, self.to_places = Attention(width, heads, dropout), Attention(width, heads, dropout)
        plain = FeedForward(width, hidden, dropout)
        self.forward_layer = ExpertLayer(plain, width, experts) if experts else plain
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))

    def forward(self, asked: Tensor, places: Tensor) -> Tensor:
        """Return queries (n, k, d) after attending to each other and to places (n, p, d)."""
        asked = self.norms[0](asked + self._drop(self.among(asked, asked)))
        asked = self.norms[1](asked + self._drop(self.to_places(asked, places)))
        done: Tensor = self.norms[2](asked + self._drop(self.forward_layer(asked)))
        return done

    def _drop(self, rows: Tensor) -> Tensor:
        return functional.dropout(rows, self.dropout, self.training)
