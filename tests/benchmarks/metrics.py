"""What exact bootstraps cost: `python -m tests.benchmarks.metrics` prints `name value goal`, exits 1 if one is missed.

Against a loop over scikit-learn on the same resamples, at the size of a challenge: 75,422 cases, 40 findings from 40 %
down to 0.03 %, scores tied at four decimals, 1,000 resamples. The loop is timed on its first 5 resamples, all findings
in one call, and extrapolated; the error is the largest over these 5 x 40 values. Both take turns with the same machine,
twice, and the faster time of each counts.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from explorer.core.arrays import Floats
from explorer.metrics import metrics
from explorer.metrics.bootstrap import bootstrap
from tests.benchmarks.timing import Figure

CASES, FINDINGS, RESAMPLES, LOOPED = 75_422, 40, 1000, 5

Loop = Callable[[Floats, Floats], Floats]  # the labels and scores of a resample -> (findings,)

LOOPS: dict[str, tuple[metrics.Metric, Loop]] = {
    "AP": (metrics.average_precision, lambda labels, scores: average_precision_score(labels, scores, average=None)),
    "AUROC": (metrics.auroc, lambda labels, scores: roc_auc_score(labels, scores, average=None)),
    "F1": (metrics.f1, lambda labels, scores: f1_score(labels, scores >= 0.5, average=None)),
}


def long_tail() -> tuple[Floats, Floats]:
    """Labels and scores (75,422, 40): the rarest finding has about 23 positives."""
    rng = np.random.default_rng(0)
    labels = (rng.random((CASES, FINDINGS)) < np.geomspace(0.4, 0.0003, FINDINGS)).astype(float)
    logits = rng.normal(size=labels.shape) + 1.5 * labels - 2
    return labels, np.round(1 / (1 + np.exp(-logits)), 4)


def scikit_learn(loop: Loop, labels: Floats, scores: Floats) -> Floats:
    """The plain loop over the first resamples (5, findings)."""
    samples = []
    for r in range(LOOPED):
        rows = np.random.default_rng([0, r]).integers(0, CASES, CASES)
        samples.append(loop(labels[rows], scores[rows]))
    return np.array(samples)


def compared(name: str, metric: metrics.Metric, loop: Loop, labels: Floats, scores: Floats) -> Iterator[Figure]:
    """Seconds of both, their ratio and the largest error."""
    ours, looped = [], []
    for _ in range(2):
        start = time.perf_counter()
        expected = scikit_learn(loop, labels, scores)
        middle = time.perf_counter()
        samples = bootstrap(labels, scores, metric, RESAMPLES).samples
        looped.append(middle - start)
        ours.append(time.perf_counter() - middle)
    seconds, extrapolated = min(ours), min(looped) * RESAMPLES / LOOPED
    yield Figure(f"{name}, 1,000 resamples", seconds, "s")
    yield Figure(f"{name}, loop, extrapolated from 5", extrapolated, "s")
    yield Figure(f"{name}, loop / ours", extrapolated / seconds, "x", 50, least=True)
    yield Figure(f"{name}, largest error", float(np.abs(samples[:LOOPED] - expected).max()) * 1e15, "e-15", 1e6)


def alone(name: str, metric: metrics.Metric, labels: Floats, scores: Floats) -> Figure:
    """Seconds of a metric that scikit-learn does not have."""
    start = time.perf_counter()
    bootstrap(labels, scores, metric, RESAMPLES)
    return Figure(f"{name}, 1,000 resamples", time.perf_counter() - start, "s")


def peak_gigabytes() -> float:
    """The most memory that this process has held, everything imported included."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 if sys.platform == "darwin" else 1 / 1024) / 1e9  # bytes there, KiB elsewhere


def main() -> int:
    """Print every figure; 1 where a goal is missed."""
    labels, scores = long_tail()
    print(f"{CASES:,} cases, {FINDINGS} findings, {RESAMPLES:,} resamples, {os.cpu_count()} cores")
    print(f"The loop over scikit-learn is timed on {LOOPED} resamples and extrapolated to {RESAMPLES:,}.")
    figures: list[Figure] = []
    for name, (metric, loop) in LOOPS.items():
        figures += compared(name, metric, loop, labels, scores)
    figures += [alone("ECE", metrics.ece, labels, scores), alone("Brier", metrics.brier, labels, scores)]
    figures.append(Figure("peak memory", peak_gigabytes(), "GB", 2))
    for figure in figures:
        print(figure)
    return int(any(figure.missed for figure in figures))


if __name__ == "__main__":
    raise SystemExit(main())
