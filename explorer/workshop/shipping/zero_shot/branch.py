"""CXR-LT 2026 Task 2 B: prompts and a trained branch on cosines, with shuffled texts and small turns at inference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.metrics import auroc
from explorer.workshop.shipping.zero_shot.proxy import (
    ASKED_FINDINGS,
    BRANCH_SHARES,
    CHOICE_ROUNDS,
    Tower,
    text_margins,
)
from explorer.workshop.shipping.zero_shot.ways import dual_branch, standardize
from models.array_types import Float32, Floating
from models.training.cosine_branch import CosineBranch, train_cosine_branch
from models.training.shipping.vlm.folder import Projection
from models.training.shipping.vlm.lit import Directions

Train = Callable[[Float32, Float32, Float32], CosineBranch]


@dataclass(frozen=True, slots=True, eq=False)
class LabeledFeatures:
    """Pooled features (n, d) of the frozen network on training films, with their noted labels (n, s)."""

    features: Float32
    labels: Float32

    def branch(self, kept: Sequence[int], texts: Float32, train: Train = train_cosine_branch) -> CosineBranch:
        """Return the branch trained on the findings `kept` with their `texts` (s, t)."""
        return train(self.features, self.labels[:, list(kept)], texts[list(kept)])


def choose_branch_share(
    training: LabeledFeatures,
    tower: Tower,
    labels: NDArray[np.floating],
    directions_of: Callable[[Sequence[int]], Directions],
    texts: Float32,
    normal: int,
    train: Train = train_cosine_branch,
) -> float:
    """Return the branch's share that ranks seen findings best when they are asked as if unseen.

    As in `proxy.choose_parameters`, six findings are removed in each round, from the branch's training, too. `tower`
    and `labels` (m, s) are validation films, `texts` (s, t) the findings' directions; Normal is always known.
    """
    random = np.random.default_rng(0)
    abnormal = [k for k in range(labels.shape[1]) if k != normal]
    worth = np.zeros(len(BRANCH_SHARES))
    for _ in range(CHOICE_ROUNDS):
        out = sorted(random.choice(abnormal, min(ASKED_FINDINGS, len(abnormal) - 1), replace=False).tolist())
        kept = [k for k in range(labels.shape[1]) if k not in out]
        text = text_margins(tower.only(kept).solved(directions_of(kept)), tower.features, texts[out])
        branch = training.branch(kept, texts, train).logits(tower.features, texts[out])
        for place, share in enumerate(BRANCH_SHARES):
            mixed = dual_branch(standardize(text, text), standardize(branch, branch), share)
            worth[place] += float(np.nanmean(auroc(labels[:, out], mixed)))
    return BRANCH_SHARES[int(worth.argmax())]


def branch_scores(
    views: Sequence[Float32],
    known: Sequence[Float32],
    solved: Projection,
    branch: CosineBranch,
    asked: Float32,
    share: float,
) -> Floating:
    """Return the mixed, standardized scores (n, u) of the texts `asked` (u, t).

    `views` are the pooled features (n, d) of the films and of the films turned; each branch is averaged over them.
    `known` are those of the validation films, whose mean and deviation standardize.
    """

    def mean(of: Sequence[Float32], scores: Callable[[Float32], Floating]) -> Floating:
        averaged: Floating = np.mean([scores(features) for features in of], axis=0)
        return averaged

    def text(features: Float32) -> Floating:
        return text_margins(solved, features, asked)

    def trained(features: Float32) -> Floating:
        return branch.logits(features, asked)

    parts = [standardize(mean(views, way), mean(known, way)) for way in (text, trained)]
    return dual_branch(parts[0], parts[1], share)
