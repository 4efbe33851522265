"""Label graph (ML-GCN): last weights come from a graph of findings that occur together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.array_types import Float32
from models.training.heads.head import Head
from models.training.heads.log_sum_exp import pool_log_sum_exp
from models.training.heads.output import HeadOutput
from models.training.label_text import TEXT_WIDTH, label_vectors

LEAK = 0.2  # slope of the leaky ReLU below 0, as in the paper


class LabelGraphHead(Head):
    """Two graph convolutions turn embeddings of the findings' names into their last weights (Chen et al., CVPR 2019).

    W = A leaky(A E U) V with embeddings E (k, t) of the names and the label graph A (k, k) of `label_graph`; the logits
    are W times the pooled features, plus a bias for each finding that the paper does not have. The paper embeds names
    with GloVe and pools by the maximum; here a sentence encoder and log-sum-exp pooling, which CXR-LT 2023 T9 (section
    3.2.9) adds to this head. T9's transformer encoder over image and text features is the head `query-decoder`.
    """

    def __init__(
        self,
        channels: int,
        findings: int,
        dropout: float,
        *,
        hidden: int = 512,
        threshold: float = 0.4,
        neighbors: float = 0.2,
        sharpness: float = 5.0,
    ) -> None:
        """`threshold` and `neighbors` shape the graph, see `label_graph`; `sharpness` is r of log-sum-exp pooling.

        Raises ValueError if one is out of range.
        """
        super().__init__(channels, findings, dropout)
        if hidden < 1 or not 0 < sharpness < float("inf"):
            raise ValueError(f"hidden is {hidden} and sharpness {sharpness}; both must be above 0 and finite.")
        if not (0 < threshold <= 1 and 0 <= neighbors < 1):
            raise ValueError(f"The threshold is {threshold}, from above 0 to 1, and neighbors {neighbors}, below 1.")
        self.threshold, self.neighbors, self.sharpness = threshold, neighbors, sharpness
        self.register_buffer("names", torch.randn(findings, TEXT_WIDTH) * TEXT_WIDTH**-0.5)
        self.register_buffer("graph", torch.eye(findings))
        self.first = nn.Parameter(torch.empty(TEXT_WIDTH, hidden))
        self.second = nn.Parameter(torch.empty(hidden, channels))
        self.bias = nn.Parameter(torch.zeros(findings))
        nn.init.uniform_(self.first, -(hidden**-0.5), hidden**-0.5)
        nn.init.uniform_(self.second, -(channels**-0.5), channels**-0.5)

    def see_labels(self, names: Sequence[str], labels: NDArray[np.float32]) -> None:
        """Take the embeddings of the names and the graph of the labels."""
        self.get_buffer("names").copy_(torch.from_numpy(label_vectors(names)))
        self.get_buffer("graph").copy_(torch.from_numpy(label_graph(labels, self.threshold, self.neighbors)))

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, c, h, w); no auxiliary loss."""
        pooled = pool_log_sum_exp(maps.flatten(2).transpose(1, 2), self.sharpness)
        features = functional.dropout(pooled, self.dropout, self.training)
        graph = self.get_buffer("graph")
        inner = functional.leaky_relu(graph @ self.get_buffer("names") @ self.first, LEAK)
        logits = features @ (graph @ inner @ self.second).T + self.bias
        return HeadOutput(logits, logits.new_zeros(()))

    def last_weights(self) -> Sequence[Tensor]:
        """Return the second convolution's weights (hidden, c)."""
        return [self.second]

    def last_biases(self) -> Tensor:
        """Return the biases (k,)."""
        return self.bias


def label_graph(labels: NDArray[np.float32], threshold: float, neighbors: float) -> Float32:
    """Return the normalized graph (k, k) of training labels (n, k), NaN where unknown.

    Finding j is a neighbor of i if it is on at least the share `threshold` of the films with i (equation 7). A row
    gives `neighbors` to its neighbors together and the rest to itself (equation 8); one without neighbors keeps all.
    Rows sum to 1, so that no further normalization is needed.
    """
    present = (labels == 1).astype(np.float64)
    counts = present.sum(0)
    shares = (present.T @ present) / np.maximum(counts, 1)[:, None]  # share of films with i that have j
    near = shares >= threshold
    np.fill_diagonal(near, False)
    degree = near.sum(1)
    given = np.where(degree > 0, neighbors, 0.0)
    graph: Float32 = (near * (given / np.maximum(degree, 1))[:, None] + np.diag(1 - given)).astype(np.float32)
    return graph
