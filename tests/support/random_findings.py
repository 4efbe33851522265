"""One finding of random small cohorts by two models: unknown labels, ties, one class only, weights, missing centers."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from explorer.analysis.one_finding.scores import FindingScores
from explorer.cohorts.schema import NO_CENTER


@st.composite
def findings(draw: st.DrawFn, *, both_classes: bool = False) -> FindingScores:
    """Up to 30 films of at most as many patients; scores have few values, so that many are tied."""
    dice = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(4, 30))
    labels = dice.choice([0.0, 1.0, np.nan], n, p=draw(st.sampled_from([(0.6, 0.3, 0.1), (0.9, 0.1, 0.0), (1, 0, 0)])))
    if both_classes:
        labels[:2] = 0, 1
    weighted = draw(st.booleans())
    return FindingScores(
        finding="Mass",
        models=("one", "other"),
        labels=labels,
        scores=np.round(dice.random((2, n)), draw(st.sampled_from([1, 6]))),
        called=dice.choice([-1, 0, 1], (2, n)).astype(np.int8),
        scales=(None, draw(st.sampled_from([None, 5.0]))),
        centers=dice.choice(np.array(["North", "South", NO_CENTER], dtype=object), n),
        patients=dice.integers(0, n, n),
        weights=dice.integers(1, 5, n).astype(np.float64) if weighted else None,
    )
