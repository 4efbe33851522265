"""The projection of a frozen tower into a locked text space, in closed form (after LiT: Zhai et al., CVPR 2022).

A film's embedding is an anchor, to which all captions are equally near, plus what the tower finds, written in the text
space: for every finding, the direction along which the captions that call it present part from those that call it
absent. The margin of a finding's prompts is then the tower's own evidence for it. Words that were never trained with
are read by their likeness to these directions. Two things are learned: the tower's evidence from films (its own logits,
calibrated out of fold) and the directions from captions (ridge regression of claims on embeddings). Gradient descent on
the pooled features did worse: they are far too sure of the films that the tower was trained on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32, Float64
from models.statistics import fit_platt
from models.training.shipping.vlm.folder import Projection

# Chosen on phrases of the captions, each left out in turn.
RIDGE = 2e-5
CAPTIONS = 0.05  # weight of the captions of several claims beside the pairs
OFFSET = 2.0  # length of the anchor in those of the evidence: margins stay nearly linear in the evidence
LEAST_SLOPE = 0.1  # evidence that ranks no better than chance says little, and never the reverse


@dataclass(frozen=True, slots=True)
class EvidenceLines:
    """Logits to evidence: `slopes` (findings,) * logit + `shifts`, 0 where a finding is as likely as not when half of
    the films have it."""

    slopes: Float64
    shifts: Float64

    def of(self, logits: Float32) -> Float64:
        """Evidence (n, findings)."""
        found: Float64 = logits * self.slopes + self.shifts
        return found


@dataclass(frozen=True, slots=True)
class Pairs:
    """Differences (m, d) of a present and an absent caption, the finding (m,) of each, and its weight (m,)."""

    differences: Float32
    of: NDArray[np.int64]
    weights: Float64


@dataclass(frozen=True, slots=True)
class Directions:
    """Where findings lie in the text space: `findings` (d, findings), and the unit `anchor` (d,)."""

    findings: Float64
    anchor: Float64


def calibrate(labels: Float32, logits: Float32) -> EvidenceLines:
    """Platt's method for every finding on `logits` (n, findings) out of fold, its prior odds taken off."""
    slopes, shifts = np.empty((2, logits.shape[1]))
    for k in range(logits.shape[1]):
        present = labels[:, k] > 0.5
        slope, intercept = fit_platt(present, logits[:, k])
        prior = np.log((present.sum() + 1) / ((~present).sum() + 1))
        slopes[k] = max(slope, LEAST_SLOPE)
        # A line that is not the fitted one is 0 at the mean logit.
        shifts[k] = intercept - prior if slope >= LEAST_SLOPE else -LEAST_SLOPE * float(logits[:, k].mean())
    return EvidenceLines(slopes, shifts)


def directions(pairs: Pairs, captions: Float32, said: Float64) -> Directions:
    """Learn from pairs, every finding weighing the same, and from `captions` (t, d) that claim `said` (t, k)."""
    count = said.shape[1]
    weight = pairs.weights / np.bincount(pairs.of, pairs.weights, count)[pairs.of] / count
    rows = pairs.differences.astype(np.float64)
    spread = (captions - captions.mean(0)).astype(np.float64)
    gram = (rows * weight[:, None]).T @ rows + CAPTIONS / len(captions) * spread.T @ spread
    gram += RIDGE * np.eye(rows.shape[1])
    target = (rows * weight[:, None]).T @ np.eye(count)[pairs.of]
    target += CAPTIONS / len(captions) * spread.T @ (said - said.mean(0))
    anchor = np.linalg.solve(gram, captions.mean(0, dtype=np.float64))
    return Directions(np.linalg.solve(gram, target), anchor / np.linalg.norm(anchor))


def projection(weight: Float32, bias: Float32, known: EvidenceLines, where: Directions, typical: Float64) -> Projection:
    """The projection that embeds the evidence of a tower whose last layer is `weight` (k, features) and `bias` (k,).

    `typical` evidence (n, k) says how long it usually is. The scale undoes the length of the embedding: scale * margin
    is the evidence.
    """
    length = float(np.sqrt(((typical @ where.findings.T) ** 2).sum(1).mean()))
    last = where.findings * known.slopes
    moved = where.findings @ (known.slopes * bias + known.shifts) + OFFSET * length * where.anchor
    scale = length * float(np.sqrt(1 + OFFSET**2))
    return Projection((last @ weight).astype(np.float32), moved.astype(np.float32), scale)
