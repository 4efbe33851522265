"""Small arrays of labels, scores and weights for property tests: tied, constant, of one class, unknown, weighted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from explorer.core.arrays import Floats


@dataclass(frozen=True)
class Cases:
    labels: Floats  # (n, findings)
    scores: Floats  # (n, findings)
    weights: Floats | None  # (n,)

    @property
    def n(self) -> int:
        return len(self.labels)

    def known(self, finding: int) -> tuple[Floats, Floats, Floats]:
        """Labels, scores and weights of the cases that count for a finding."""
        weights = np.ones(self.n) if self.weights is None else self.weights
        chosen = ~np.isnan(self.labels[:, finding]) & (weights > 0)
        return self.labels[chosen, finding], self.scores[chosen, finding], weights[chosen]

    def at(self, rows: np.ndarray) -> Cases:
        """The cases of these rows, in their order, with repetitions."""
        weights = None if self.weights is None else self.weights[rows]
        return Cases(self.labels[rows], self.scores[rows], weights)


@st.composite
def cases(draw: st.DrawFn, max_cases: int = 30) -> Cases:
    n, findings = draw(st.integers(1, max_cases)), draw(st.integers(1, 3))
    size = n * findings
    label_values = draw(st.sampled_from([(0.0, 1.0), (0.0, 1.0, np.nan), (0.0, 0.0, 0.0, 1.0), (1.0,), (0.0, np.nan)]))
    score = draw(st.sampled_from([st.just(0.3), st.sampled_from([0.0, 0.2, 0.4, 0.5, 1.0]), st.floats(0, 1)]))
    labels = draw(st.lists(st.sampled_from(label_values), min_size=size, max_size=size))
    scores = draw(st.lists(score, min_size=size, max_size=size))
    weight = st.one_of(st.just(0.0), st.floats(1e-3, 10))
    weights = draw(st.one_of(st.none(), st.lists(weight, min_size=n, max_size=n)))
    shape = (n, findings)
    return Cases(
        np.array(labels).reshape(shape),
        np.array(scores).reshape(shape),
        None if weights is None else np.array(weights),
    )
