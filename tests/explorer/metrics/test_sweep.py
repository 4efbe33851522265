"""Calls from the highest score down, against counting at every threshold."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from explorer.metrics.sweep import Sweep

CASES = st.lists(
    st.tuples(st.sampled_from([0.0, 1.0, float("nan")]), st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.integers(0, 3)),
    max_size=12,
)


@given(CASES)
def test_each_step_calls_what_scores_as_high(cases: list[tuple[float, float, int]]) -> None:
    labels, scores, counts = (np.array([case[each] for case in cases], dtype=float) for each in range(3))
    sweep = Sweep.of(labels, scores)
    hits, false_alarms = sweep.called(counts[None])
    known = ~np.isnan(labels)
    assert sweep.thresholds.tolist() == sorted(set(scores[known]), reverse=True)
    for step, threshold in enumerate(sweep.thresholds):
        called = known & (scores >= threshold)
        assert hits[0, step] == counts[called & (labels == 1)].sum()
        assert false_alarms[0, step] == counts[called & (labels == 0)].sum()
