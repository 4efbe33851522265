"""Measures scores on the test films by center: AUROC and average precision, as drawn and at natural prevalence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import FrequencyGroup
from explorer.core.groups import group_from_source
from explorer.metrics.bootstrap import Bootstrap, bootstrap, macro_interval
from explorer.metrics.metrics import auroc, average_precision
from explorer.simulator.cohort_sampling import UNSEEN_FINDINGS, SampledCase
from explorer.simulator.request import CENTERS, Center

MetricKind = Literal["AUROC", "AP", "natural AUROC", "natural AP"]
METRIC_KINDS: tuple[MetricKind, ...] = get_args(MetricKind)


@dataclass(frozen=True, slots=True)
class CenterFigures:
    """Metrics of `findings` on a center's test films; the natural ones are weighted to the natural prevalence."""

    findings: tuple[str, ...]
    films: int
    positives: tuple[int, ...]  # by finding
    metrics: Mapping[MetricKind, Bootstrap]

    def macro(self, kind: MetricKind, findings: Sequence[str]) -> tuple[float, float, float]:
        """Return the mean over findings with its 95 % interval."""
        return macro_interval(self.metrics[kind], [self.findings.index(finding) for finding in findings])

    def one(self, kind: MetricKind, finding: str) -> tuple[float, float, float]:
        """Return a finding's metric with its 95 % interval."""
        return self.macro(kind, [finding])


def ranking_figures(
    cases: Sequence[SampledCase], labels: NDArray[np.float32], scores: NDArray[np.float32], findings: Sequence[str]
) -> dict[Center, CenterFigures]:
    """Return the metrics by center; labels and scores (or logits) are (n, findings)."""
    centers = np.array([case.film.center for case in cases])
    weights = np.array([case.weight for case in cases])
    found: dict[Center, CenterFigures] = {}
    for center in CENTERS:
        rows = centers == center
        metrics: dict[MetricKind, Bootstrap] = {}
        for kind in METRIC_KINDS:
            metric = auroc if kind.endswith("AUROC") else average_precision
            weight = weights[rows] if kind.startswith("natural") else None
            metrics[kind] = bootstrap(labels[rows], scores[rows], metric, weights=weight)
        positives = tuple(int(n) for n in labels[rows].sum(0))
        found[center] = CenterFigures(tuple(findings), int(rows.sum()), positives, metrics)
    return found


def findings_by_frequency(findings: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the findings by frequency group of CXR-LT 2026, from head to tail; the six unseen ones form a group."""
    named: dict[str, tuple[str, ...]] = {}
    for group in FrequencyGroup:
        named[group] = tuple(finding for finding in findings if group_from_source(finding, "paper") is group)
    named["unseen"] = tuple(finding for finding in findings if finding in UNSEEN_FINDINGS)
    return {name: members for name, members in named.items() if members}
