"""Fits the projection of a frozen tower into a locked text space in closed form (after LiT: Zhai et al., CVPR 2022).

A film's embedding is an anchor, equally close to all captions, plus the tower's evidence expressed in the text space:
for every finding, a direction that separates captions stating its presence from captions stating its absence. The
margin of a finding's prompts then equals the tower's own evidence for it. Untrained phrases are read by their
similarity to these directions. Two things are learned: evidence from films (the tower's logits, calibrated out of fold)
and directions from captions (ridge regression of claims on embeddings). Gradient descent on the pooled features did
worse, because they are overconfident on the tower's training films.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32, Float64
from models.statistics import fit_platt
from models.training.shipping.vlm.folder import Projection

# Chosen on caption phrases by leaving each out in turn.
RIDGE = 2e-5
CAPTION_WEIGHT = 0.05  # weight of the captions with several claims, relative to the pairs
ANCHOR_LENGTH = 2.0  # length of the anchor, in evidence lengths: keeps margins nearly linear in the evidence
MIN_SLOPE = 0.1  # evidence that ranks no better than chance counts little, and never in reverse


@dataclass(frozen=True, slots=True)
class EvidenceLines:
    """Turns logits into evidence, `slopes` (findings,) * logit + `shifts`; 0 is even odds at 50 % prevalence."""

    slopes: Float64
    shifts: Float64

    def of(self, logits: Float32) -> Float64:
        """Return the evidence (n, findings) of logits (n, findings)."""
        found: Float64 = logits * self.slopes + self.shifts
        return found


@dataclass(frozen=True, slots=True)
class CaptionPairs:
    """Differences (m, d) between present and absent captions, with the finding (m,) and the weight (m,) of each."""

    differences: Float32
    of: NDArray[np.int64]
    weights: Float64


@dataclass(frozen=True, slots=True)
class Directions:
    """The findings' directions in the text space, `findings` (d, findings), and the unit `anchor` (d,)."""

    findings: Float64
    anchor: Float64


def calibrate(labels: Float32, logits: Float32) -> EvidenceLines:
    """Fit Platt's method for every finding to out-of-fold `logits` (n, findings), without the prior log odds."""
    slopes, shifts = np.empty((2, logits.shape[1]))
    for k in range(logits.shape[1]):
        present = labels[:, k] > 0.5
        slope, intercept = fit_platt(present, logits[:, k])
        prior = np.log((present.sum() + 1) / ((~present).sum() + 1))
        slopes[k] = max(slope, MIN_SLOPE)
        # If the slope is not the fitted one, evidence is zero at the mean logit.
        shifts[k] = intercept - prior if slope >= MIN_SLOPE else -MIN_SLOPE * float(logits[:, k].mean())
    return EvidenceLines(slopes, shifts)


def fit_directions(pairs: CaptionPairs, captions: Float32, claimed: Float64) -> Directions:
    """Fit directions to pairs, with equal weight per finding, and to `captions` (t, d) that claim `claimed` (t, k)."""
    count = claimed.shape[1]
    weight = pairs.weights / np.bincount(pairs.of, pairs.weights, count)[pairs.of] / count
    rows = pairs.differences.astype(np.float64)
    spread = (captions - captions.mean(0)).astype(np.float64)
    gram = (rows * weight[:, None]).T @ rows + CAPTION_WEIGHT / len(captions) * spread.T @ spread
    gram += RIDGE * np.eye(rows.shape[1])
    target = (rows * weight[:, None]).T @ np.eye(count)[pairs.of]
    target += CAPTION_WEIGHT / len(captions) * spread.T @ (claimed - claimed.mean(0))
    anchor = np.linalg.solve(gram, captions.mean(0, dtype=np.float64))
    return Directions(np.linalg.solve(gram, target), anchor / np.linalg.norm(anchor))


def fit_projection(
    weight: Float32, bias: Float32, known: EvidenceLines, where: Directions, typical: Float64
) -> Projection:
    """Return the projection of the evidence of a tower whose last layer is `weight` (k, features) and `bias` (k,).

    `typical` evidence (n, k) gives its usual length. The scale compensates for the embedding's length, so that
    scale * margin equals the evidence.
    """
    length = float(np.sqrt(((typical @ where.findings.T) ** 2).sum(1).mean()))
    last = where.findings * known.slopes
    moved = where.findings @ (known.slopes * bias + known.shifts) + ANCHOR_LENGTH * length * where.anchor
    scale = length * float(np.sqrt(1 + ANCHOR_LENGTH**2))
    return Projection((last @ weight).astype(np.float32), moved.astype(np.float32), scale)
