"""How one model's scores of a finding are spread, by label and center."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analysis.one_finding.scores import FindingScores
from explorer.core.arrays import Floats

BINS = 30  # of equal width, from the lowest to the highest score
CENTERS = 6  # that are shown, those with the most films


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Films by bin, with the finding and without it, both (bins,); `center` is None for all films together."""

    center: str | None
    present: Floats
    absent: Floats


def spreads(one: FindingScores, model: int) -> tuple[Floats, tuple[Spread, ...]]:
    """The edges (bins + 1,), and the spread of all films with a known label, then of each of several centers.

    Films count the same. Without a film of a known label there is none.
    """
    scores, labels = one.scores[model][one.known], one.labels[one.known]
    if not len(scores):
        return np.empty(0), ()
    edges = np.histogram_bin_edges(scores, BINS)
    centers = one.centers[one.known]
    return edges, tuple(
        Spread(center, *(np.histogram(scores[here & (labels == label)], edges)[0].astype(float) for label in (1, 0)))
        for center, here in [
            (None, np.full(len(scores), True)),
            *((each, centers == each) for each in _centers(centers)),
        ]
    )


def _centers(centers: np.ndarray[tuple[int], np.dtype[np.object_]]) -> Iterator[str]:
    names, counts = np.unique(centers.astype(str), return_counts=True)
    if len(names) > 1:
        yield from names[np.argsort(-counts, kind="stable")][:CENTERS].tolist()
