"""What a way of asking needs to be told, chosen on seen findings as if they were unseen: 24 known and 6 asked.

No label of an unseen finding is looked at. In each round six seen findings are taken out of the classifier and out of
every caption, the projection is solved anew without them, and the ways are asked for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.metrics import auroc
from explorer.workshop.shipping.zero_shot.ways import dual_branch, from_seen, prototype_scores, standardized
from models.array_types import Floating
from models.exact_products import row_products
from models.training.shipping.vlm.folder import Projection
from models.training.shipping.vlm.lit import Directions, EvidenceLines, fit_projection

ASKED, ROUNDS = 6, 5
TEMPERATURES = (0.02, 0.05, 0.1, 0.2)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST = (5, 10, 20, 40, 80)


@dataclass(frozen=True, slots=True, eq=False)
class Tower:
    """A frozen classifier on some films: pooled features (n, d), logits (n, s), its last layer, its calibration."""

    features: NDArray[np.float32]
    logits: NDArray[np.float32]
    weight: NDArray[np.float32]
    bias: NDArray[np.float32]
    known: EvidenceLines

    def evidence(self) -> Floating:
        """Calibrated logits (n, s)."""
        return self.known.of(self.logits)

    def only(self, kept: Sequence[int]) -> Tower:
        """As if it knew no findings but those."""
        rows = list(kept)
        lines = EvidenceLines(self.known.slopes[rows], self.known.shifts[rows])
        return Tower(self.features, self.logits[:, rows], self.weight[rows], self.bias[rows], lines)

    def solved(self, where: Directions) -> Projection:
        """Its projection into the text space."""
        return fit_projection(self.weight, self.bias, self.known, where, self.known.of(self.logits)).rounded()


@dataclass(frozen=True, slots=True)
class Chosen:
    """Parameters of the ways, and the mean AUROC on findings asked as if unseen that each was best with."""

    temperature: float
    share: float
    dual: float
    most: int
    prototypes: float
    text: float


def choose(
    tower: Tower,
    labels: NDArray[np.floating],
    directions_of: Callable[[Sequence[int]], Directions],
    asked: NDArray[np.float32],
    normal: int,
) -> Chosen:
    """On validation films with `labels` (n, s) of the seen findings; `asked` (s, t) are the directions of their words.

    `directions_of` learns directions from captions of the findings it is given. Normal is always known.
    """
    random = np.random.default_rng(0)
    abnormal = [k for k in range(labels.shape[1]) if k != normal]
    duals = np.zeros((len(TEMPERATURES), len(SHARES)))
    prototypes, texts = np.zeros(len(MOST)), 0.0
    for _ in range(ROUNDS):
        out = sorted(random.choice(abnormal, min(ASKED, len(abnormal) - 1), replace=False).tolist())
        kept = [k for k in range(labels.shape[1]) if k not in out]
        left = tower.only(kept)
        text = margins(left.solved(directions_of(kept)), left.features, asked[out])
        said = standardized(text, text)
        like = likeness(asked[out], asked[kept])

        def worth(scores: Floating, out: Sequence[int] = out) -> float:
            return float(np.nanmean(auroc(labels[:, out], scores))) / ROUNDS

        texts += worth(text)
        for place, temperature in enumerate(TEMPERATURES):
            branch = from_seen(left.evidence(), like, temperature)
            branch = standardized(branch, branch)
            duals[place] += [worth(dual_branch(said, branch, share)) for share in SHARES]
        prototypes += [worth(prototype_scores(tower.features, tower.features, text, most)) for most in MOST]
    row, column = np.unravel_index(duals.argmax(), duals.shape)
    best = int(prototypes.argmax())
    return Chosen(
        TEMPERATURES[int(row)], SHARES[int(column)], float(duals.max()), MOST[best], float(prototypes.max()), texts
    )


def margins(solved: Projection, features: NDArray[np.float32], asked: NDArray[np.float32]) -> NDArray[np.float32]:
    """What an image-text model answers (n, u) of features (n, d), asked along `asked` (u, t)."""
    return row_products(solved.embed(features).astype(np.float16), asked)


def likeness(one: Floating, other: Floating) -> Floating:
    """Cosines (u, s) of directions (u, t) and (s, t)."""
    lengths: Floating = np.linalg.norm(one, axis=1)[:, None] * np.linalg.norm(other, axis=1)
    return (one @ other.T) / lengths
