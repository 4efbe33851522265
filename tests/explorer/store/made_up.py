"""A small cohort whose every answer can be said beforehand."""

from __future__ import annotations

from explorer.cohorts.schema import CASES
from explorer.store.slices import Slice
from tests.support.brute_force import NAME, Rows

ONE = Slice(NAME, "one")


def rows_of(n: int = 5, findings: tuple[str, ...] = ("Mass", "Nodule")) -> Rows:
    """`n` films, labeled present and absent in turn, scored by two models."""
    cases = [
        dict.fromkeys(CASES.names) | {"case": f"film {i}", "center": "North", "view": "PA", "sex": "F", "age": 40 + i}
        for i in range(n)
    ]
    pairs = [(f"film {i}", finding, i) for i in range(n) for finding in findings]
    labels = [
        {"case": case, "finding": finding, "label": ("present", "absent")[i % 2], "source": "reports"}
        for case, finding, i in pairs
    ]
    scores = [{"case": case, "finding": finding, "score": i / n} for case, finding, i in pairs]
    cuts = [{"finding": finding, "split": None, "threshold": 0.5, "rule": "made up"} for finding in findings]
    return Rows(cases, labels, {"one": scores, "other": scores[::-1]}, {"one": cuts, "other": cuts})
