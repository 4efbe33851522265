"""Chooses the parameters of the ways of asking on seen findings treated as unseen: 24 known and 6 asked.

No label of an unseen finding is used. In each round, six seen findings are removed from the classifier and from all
captions, the projection is refitted without them, and each way of asking is then tried on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.metrics import auroc
from explorer.workshop.shipping.zero_shot.ways import dual_branch, from_seen, prototype_scores, standardize
from models.array_types import Floating
from models.exact_products import row_products
from models.training.shipping.vlm.folder import Projection
from models.training.shipping.vlm.lit import Directions, EvidenceLines, fit_projection

ASKED_FINDINGS, CHOICE_ROUNDS = 6, 5
TEMPERATURES = (0.02, 0.05, 0.1, 0.2)
BRANCH_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
PROTOTYPE_FILMS = (5, 10, 20, 40, 80)


@dataclass(frozen=True, slots=True, eq=False)
class Tower:
    """A frozen classifier on some films: pooled features (n, d), logits (n, s), its last layer and its calibration."""

    features: NDArray[np.float32]
    logits: NDArray[np.float32]
    weight: NDArray[np.float32]
    bias: NDArray[np.float32]
    known: EvidenceLines

    def evidence(self) -> Floating:
        """Return calibrated logits (n, s)."""
        return self.known.of(self.logits)

    def only(self, kept: Sequence[int]) -> Tower:
        """Return the tower reduced to the findings `kept`."""
        rows = list(kept)
        lines = EvidenceLines(self.known.slopes[rows], self.known.shifts[rows])
        return Tower(self.features, self.logits[:, rows], self.weight[rows], self.bias[rows], lines)

    def solved(self, where: Directions) -> Projection:
        """Return the tower's projection into the text space."""
        return fit_projection(self.weight, self.bias, self.known, where, self.known.of(self.logits)).rounded()


@dataclass(frozen=True, slots=True)
class ChosenParameters:
    """The chosen parameters, with the mean AUROC that each way reached on findings treated as unseen."""

    temperature: float
    share: float
    dual: float
    most: int
    prototypes: float
    text: float


def choose_parameters(
    tower: Tower,
    labels: NDArray[np.floating],
    directions_of: Callable[[Sequence[int]], Directions],
    asked: NDArray[np.float32],
    normal: int,
) -> ChosenParameters:
    """Choose on validation films with `labels` (n, s) of the seen findings, asked along directions `asked` (s, t).

    `directions_of` fits directions to captions of the given findings. Normal is always known.
    """
    random = np.random.default_rng(0)
    abnormal = [k for k in range(labels.shape[1]) if k != normal]
    duals = np.zeros((len(TEMPERATURES), len(BRANCH_SHARES)))
    prototypes, texts = np.zeros(len(PROTOTYPE_FILMS)), 0.0
    for _ in range(CHOICE_ROUNDS):
        out = sorted(random.choice(abnormal, min(ASKED_FINDINGS, len(abnormal) - 1), replace=False).tolist())
        kept = [k for k in range(labels.shape[1]) if k not in out]
        left = tower.only(kept)
        text = text_margins(left.solved(directions_of(kept)), left.features, asked[out])
        standard_text = standardize(text, text)
        like = direction_cosines(asked[out], asked[kept])

        def worth(scores: Floating, out: Sequence[int] = out) -> float:
            return float(np.nanmean(auroc(labels[:, out], scores))) / CHOICE_ROUNDS

        texts += worth(text)
        for place, temperature in enumerate(TEMPERATURES):
            branch = from_seen(left.evidence(), like, temperature)
            branch = standardize(branch, branch)
            duals[place] += [worth(dual_branch(standard_text, branch, share)) for share in BRANCH_SHARES]
        prototypes += [worth(prototype_scores(tower.features, tower.features, text, most)) for most in PROTOTYPE_FILMS]
    row, column = np.unravel_index(duals.argmax(), duals.shape)
    best = int(prototypes.argmax())
    return ChosenParameters(
        TEMPERATURES[int(row)],
        BRANCH_SHARES[int(column)],
        float(duals.max()),
        PROTOTYPE_FILMS[best],
        float(prototypes.max()),
        texts,
    )


def text_margins(solved: Projection, features: NDArray[np.float32], asked: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return an image-text model's margins (n, u) of features (n, d) along directions `asked` (u, t)."""
    return row_products(solved.embed(features).astype(np.float16), asked)


def direction_cosines(one: Floating, other: Floating) -> Floating:
    """Return cosines (u, s) of directions (u, t) and (s, t)."""
    lengths: Floating = np.linalg.norm(one, axis=1)[:, None] * np.linalg.norm(other, axis=1)
    return (one @ other.T) / lengths
