"""Class-wise ensemble: each finding weighs the networks by how well they rank it on validation films."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.array_types import Bools, Float32
from models.training.network import predict


@dataclass(frozen=True, slots=True)
class ClassWiseEnsemble:
    """A weighted mean logit of several networks, with weights for each finding that are chosen on validation films.

    A network weighs AP^`power` for a finding, with AP its average precision on validation films; `power` = 0 weighs all
    equally, a large one takes the best network alone. CXR-LT 2023 T5 (section 3.2.5) ensembles class-wise without a
    formula; this one is Tailscope's.
    """

    power: float = 4.0

    def __post_init__(self) -> None:
        if not 0 <= self.power <= 1000:
            raise ValueError(f"The power of a class-wise ensemble is {self.power}; it must be from 0 to 1000.")

    def fitted(self, logits: Sequence[Float32], labels: Float32) -> FindingWeights:
        """Return the inference with weights from each network's validation `logits` (n, k) and `labels` (n, k).

        Unknown labels (NaN) are left out. A finding that does not have both states weighs all networks equally.
        """
        precision = np.array(
            [[_precision(labels[:, k], each[:, k]) for k in range(labels.shape[1])] for each in logits]
        )
        shares = (precision / precision.max(0)) ** self.power
        return FindingWeights(shares / shares.sum(0))


@dataclass(frozen=True, slots=True, eq=False)
class FindingWeights:
    """The mean logit of m networks with `weights` (m, k) that sum to 1 for each finding."""

    weights: NDArray[np.float64]

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        each = np.stack([predict(network, pixels, len(findings)) for network in networks])
        mean: Float32 = np.einsum("mk,mnk->nk", self.weights, each).astype(np.float32)
        return mean


def _precision(labels: Float32, logits: Float32) -> float:
    """Return the average precision of the films with known labels (n,); 1 if they do not have both states."""
    known = ~np.isnan(labels)
    present = labels[known] > 0.5
    return _average_precision(present, logits[known]) if present.any() and not present.all() else 1.0


def _average_precision(present: Bools, scores: Float32) -> float:
    """Return the sum, over thresholds from high to low, of precision times the gain of recall; ties share one."""
    order = np.argsort(-scores, kind="stable")
    last = np.append(scores[order][1:] != scores[order][:-1], True)  # the last film of each threshold
    hits, films = np.cumsum(present[order])[last], np.flatnonzero(last) + 1
    return float((np.diff(hits, prepend=0) * hits / films).sum() / hits[-1])
