"""Hedged findings: subtle ones, and what they are confused with."""

from __future__ import annotations

import numpy as np

from explorer.simulator.cohort_sampling import (
    SEEN_FINDINGS,
    TRAINING_SPLIT,
    has_finding,
    sample_cases,
    training_labels,
)
from explorer.simulator.hedging import LOOK_ALIKES, hedged_findings

CASES = sample_cases(TRAINING_SPLIT)[:3000]


def test_subtle_findings_are_hedged_most() -> None:
    """Of findings of severity s, (1 - s)^2 are hedged: a third of all, and about 0.9 of the subtlest tenth."""
    found = [
        (float(each.severity or 0), each.finding in hedged_findings(case))
        for case in CASES
        for each in case.film.requests
        if each.finding in training_labels(case)
    ]
    severity, hedged = (np.array(column) for column in zip(*found, strict=True))
    for low, high in ((0.0, 0.1), (0.4, 0.6), (0.9, 1.01)):
        chosen = (severity >= low) & (severity < high)
        expected = ((1 - severity[chosen]) ** 2).mean()
        # A look-alike of another hedged finding that is itself noted stays certain, so that only chance differs.
        assert abs(hedged[chosen].mean() - expected) < 4 * (expected * (1 - expected) / chosen.sum()) ** 0.5 + 1e-9


def test_some_hedged_findings_are_absent() -> None:
    pairs = [(case, name) for case in CASES for name in hedged_findings(case)]
    present = np.mean([has_finding(case, name) for case, name in pairs])
    assert 0.5 < present < 0.8, "zeros are wrong for most, ones for the rest"


def test_a_look_alike_is_a_seen_finding_and_never_hedged_alone() -> None:
    assert {*LOOK_ALIKES, *LOOK_ALIKES.values()} <= set(SEEN_FINDINGS)
    for case in CASES[:300]:
        hedged = hedged_findings(case)
        noted = hedged & training_labels(case)
        assert hedged - noted <= {LOOK_ALIKES.get(name) for name in noted}
        assert "Normal" not in hedged


def test_it_is_always_the_same() -> None:
    assert [hedged_findings(case) for case in CASES[:50]] == [hedged_findings(case) for case in CASES[:50]]
