"""Distribution of one model's scores of a finding, by label and center."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analysis.one_finding.scores import FindingScores
from explorer.core.arrays import Floats

SPREAD_BINS = 30  # equal-width bins from the lowest to the highest score
MAX_SHOWN_CENTERS = 6  # shown, largest first


@dataclass(frozen=True, slots=True, eq=False)
class ScoreSpread:
    """Numbers of films with and without the finding by bin, both (bins,); `center` is None for all films."""

    center: str | None
    present: Floats
    absent: Floats


def score_spreads(one: FindingScores, model: int) -> tuple[Floats, tuple[ScoreSpread, ...]]:
    """Return bin edges (bins + 1,) and the distribution over all labeled films, then by center.

    Films are not weighted. Edges and distributions are empty if no film is labeled.
    """
    scores, labels = one.scores[model][one.known], one.labels[one.known]
    if not len(scores):
        return np.empty(0), ()
    edges = np.histogram_bin_edges(scores, SPREAD_BINS)
    centers = one.centers[one.known]
    return edges, tuple(
        ScoreSpread(
            center, *(np.histogram(scores[here & (labels == label)], edges)[0].astype(float) for label in (1, 0))
        )
        for center, here in [
            (None, np.full(len(scores), True)),
            *((each, centers == each) for each in _centers(centers)),
        ]
    )


def _centers(centers: np.ndarray[tuple[int], np.dtype[np.object_]]) -> Iterator[str]:
    names, counts = np.unique(centers.astype(str), return_counts=True)
    if len(names) > 1:
        yield from names[np.argsort(-counts, kind="stable")][:MAX_SHOWN_CENTERS].tolist()
