"""What exact bootstraps cost: `python -m tests.benchmarks.metrics` prints `name value goal`, exits 1 if one is missed.

Against a loop over scikit-learn on the same resamples, at the size of a challenge: 75,422 cases, 40 findings from 40 %
down to 0.03 %, scores tied at four decimals, 1,000 resamples. The loop is timed on its first 5 resamples, all findings
in one call, and extrapolated; the error is the largest over these 5 x 40 values. Both take turns with the same machine,
twice, and the faster time of each counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from explorer.core.arrays import Floats
from explorer.metrics import metrics
from explorer.metrics.bootstrap import bootstrap
from tests.benchmarks.command_line import command, report
from tests.benchmarks.of_process import peak_gigabytes
from tests.benchmarks.timing import Figure

LARGE, SMALL = (75_422, 40, 1000), (2_000, 3, 20)  # cases, findings, resamples
LOOPED = 5

Loop = Callable[[Floats, Floats], Floats]  # the labels and scores of a resample -> (findings,)

LOOPS: dict[str, tuple[metrics.Metric, Loop]] = {
    "AP": (metrics.average_precision, lambda labels, scores: average_precision_score(labels, scores, average=None)),
    "AUROC": (metrics.auroc, lambda labels, scores: roc_auc_score(labels, scores, average=None)),
    "F1": (metrics.f1, lambda labels, scores: f1_score(labels, scores >= 0.5, average=None)),
}


def long_tail(cases: int, findings: int) -> tuple[Floats, Floats]:
    """Labels and scores (cases, findings): the rarest finding has about 23 positives."""
    rng = np.random.default_rng(0)
    labels = (rng.random((cases, findings)) < np.geomspace(0.4, 23 / cases, findings)).astype(float)
    logits = rng.normal(size=labels.shape) + 1.5 * labels - 2
    return labels, np.round(1 / (1 + np.exp(-logits)), 4)


def scikit_learn(loop: Loop, labels: Floats, scores: Floats) -> Floats:
    """The plain loop over the first resamples (5, findings)."""
    samples = []
    for r in range(LOOPED):
        rows = np.random.default_rng([0, r]).integers(0, len(labels), len(labels))
        samples.append(loop(labels[rows], scores[rows]))
    return np.array(samples)


def compared(
    name: str, metric: metrics.Metric, loop: Loop, labels: Floats, scores: Floats, resamples: int
) -> Iterator[Figure]:
    """Seconds of both, their ratio and the largest error."""
    ours, looped = [], []
    for _ in range(2):
        start = time.perf_counter()
        expected = scikit_learn(loop, labels, scores)
        middle = time.perf_counter()
        samples = bootstrap(labels, scores, metric, resamples).samples
        looped.append(middle - start)
        ours.append(time.perf_counter() - middle)
    seconds, extrapolated = min(ours), min(looped) * resamples / LOOPED
    yield Figure(f"{name}, {resamples:,} resamples", seconds, "s")
    yield Figure(f"{name}, loop, extrapolated from 5", extrapolated, "s")
    yield Figure(f"{name}, loop / ours", extrapolated / seconds, "x", 50, least=True)
    yield Figure(f"{name}, largest error", float(np.abs(samples[:LOOPED] - expected).max()) * 1e15, "e-15", 1e6)


def alone(name: str, metric: metrics.Metric, labels: Floats, scores: Floats, resamples: int) -> Figure:
    """Seconds of a metric that scikit-learn does not have."""
    start = time.perf_counter()
    bootstrap(labels, scores, metric, resamples)
    return Figure(f"{name}, {resamples:,} resamples", time.perf_counter() - start, "s")


def measured(small: bool) -> Iterator[Figure | str]:
    """Every figure."""
    cases, findings, resamples = SMALL if small else LARGE
    labels, scores = long_tail(cases, findings)
    yield f"{cases:,} cases, {findings} findings, {resamples:,} resamples"
    yield f"The loop over scikit-learn is timed on {LOOPED} resamples and extrapolated to {resamples:,}."
    for name, (metric, loop) in LOOPS.items():
        yield from compared(name, metric, loop, labels, scores, resamples)
    yield alone("ECE", metrics.ece, labels, scores, resamples)
    yield alone("Brier", metrics.brier, labels, scores, resamples)
    yield Figure("peak memory", peak_gigabytes(), "GB", 2)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
