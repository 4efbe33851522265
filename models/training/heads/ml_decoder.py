"""ML-Decoder: one query per finding attends to places, but not to other queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.attention import Attending, check_heads
from models.training.heads.head import Head
from models.training.heads.output import HeadOutput
from models.training.label_text import TEXT_WIDTH, label_vectors


class MlDecoderHead(Attending, Head):
    """ML-Decoder (Ridnik et al., WACV 2023, section 2): cross-attention, feed-forward, group fully connected.

    One layer of a transformer decoder without self-attention, because that would only turn film-independent queries
    into other film-independent queries. E = relu(linear(x)) at each place; q = norm(q + q) in place of self-attention;
    q = norm(q + attention(q, E, E)); q = norm(q + feed-forward(q)); then each query has weights for its own group of
    findings. The authors use width 768 and feed-forward 2,048; the values here are smaller, so that two cores can train
    the head.
    """

    def __init__(
        self,
        channels: int,
        findings: int,
        dropout: float,
        *,
        width: int = 256,
        hidden: int = 512,
        attention_heads: int = 8,
        queries: int = 0,
        learned_queries: bool = False,
        text: bool = False,
        inner_dropout: float = 0.1,
    ) -> None:
        """`queries` = 0 gives each finding its own query; fewer are shared by groups. Queries are drawn from a standard
        normal distribution and stay fixed unless `learned_queries`; the projection after them is always learned. With
        `text`, queries are embeddings of the findings' names, as in CXR-LT 2023 T1 (section 3.2.1) and for unseen
        classes in section 3.3 of the paper.
        `inner_dropout` is the decoder's own, as in the paper; `dropout` precedes the last layer, as in the linear head.
        Raises ValueError if these do not fit together.
        """
        super().__init__(channels, findings, dropout)
        check_heads(width, attention_heads)
        if hidden < 1:
            raise ValueError(f"The feed-forward layer has {hidden} units; it needs at least 1.")
        if not 0 <= queries <= findings:
            raise ValueError(f"{queries} queries for {findings} findings: use 1 to {findings}, or 0 for one each.")
        if not 0 <= inner_dropout < 1:
            raise ValueError(f"The inner dropout is {inner_dropout}; it must be a share in [0, 1).")
        group = math.ceil(findings / (queries or findings))
        count = math.ceil(findings / group)  # with 20 queries for 30 findings, 5 would have no finding
        self.inner_dropout = inner_dropout
        self.embed = nn.Linear(channels, width)
        if text and (queries or learned_queries):
            raise ValueError("Text queries are the findings' names. Remove `queries` and `learned_queries`, or `text`.")
        self.text = text
        if text:
            self.register_buffer("names", torch.randn(count, TEXT_WIDTH) * TEXT_WIDTH**-0.5)
            self.project = nn.Linear(TEXT_WIDTH, width)
        elif learned_queries:
            self.queries = nn.Parameter(torch.randn(count, width))
        else:
            self.register_buffer("queries", torch.randn(count, width))
        self.add_projections(width, attention_heads)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.widen, self.narrow = nn.Linear(width, hidden), nn.Linear(hidden, width)
        self.groups = nn.Parameter(torch.empty(count, width, group))
        self.bias = nn.Parameter(torch.zeros(findings))
        nn.init.xavier_normal_(self.groups)

    def see_labels(self, names: Sequence[str], labels: NDArray[np.float32]) -> None:
        """Take the findings' names as queries, if the head asks by text; the labels are not used."""
        if self.text:
            self.get_buffer("names").copy_(torch.from_numpy(label_vectors(names)))

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, c, h, w); no auxiliary loss."""
        return self.decode(maps.flatten(2).transpose(1, 2))

    def decode(self, rows: Tensor, seen: Tensor | None = None) -> HeadOutput:
        """Return logits (n, k) of places (n, p, c), of which `seen` (n, p) marks those that exist."""
        places = functional.relu(self.embed(rows))
        queries = self.project(self.get_buffer("names")) if self.text else cast(Tensor, self.queries)
        asked = queries.expand(len(rows), -1, -1)
        asked = self.norms[0](asked + self._drop(asked))
        attended = self.attend(asked, places, seen, self.inner_dropout if self.training else 0.0)
        asked = self.norms[1](asked + self._drop(attended))
        asked = self.norms[2](asked + self._drop(self.narrow(self._drop(functional.relu(self.widen(asked))))))
        asked = functional.dropout(asked, self.dropout, self.training)
        # Findings are ordered by group; the last group may be short.
        logits = torch.einsum("nqd,qdg->nqg", asked, self.groups).flatten(1)[:, : self.findings] + self.bias
        return HeadOutput(logits, logits.new_zeros(()))

    def last_weights(self) -> Sequence[Tensor]:
        """Return the groups' weights (queries, width, findings per query)."""
        return [self.groups]

    def last_biases(self) -> Tensor:
        """Return the biases (k,)."""
        return self.bias

    def _drop(self, rows: Tensor) -> Tensor:
        return functional.dropout(rows, self.inner_dropout, self.training)
