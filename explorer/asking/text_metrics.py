"""Measures a text's performance on the validation films: AUROC and average precision, resampled by patient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.asking.answer import TextMeasurement
from explorer.core.figures import Estimate
from explorer.core.rates import Rate
from explorer.metrics.bootstrap import bootstrap
from explorer.metrics.clustered_rates import clustered_rate
from explorer.metrics.metrics import Metric, auroc, average_precision
from explorer.metrics.thresholds import ThresholdRule, fit_thresholds

TEXT_RESAMPLES = 500


@dataclass(frozen=True, slots=True, eq=False)
class LabeledMargins:
    """Margins (n,) of one text on films with known labels (n,) of the finding."""

    margins: NDArray[np.float64]
    labels: NDArray[np.bool_]
    patients: NDArray[np.int64]
    folds: NDArray[np.uint8]

    @property
    def n(self) -> int:
        return len(self.margins)

    @property
    def positives(self) -> int:
        return int(self.labels.sum())


def ranking_estimates(labelled: LabeledMargins) -> tuple[Estimate | None, Estimate | None]:
    """Return AUROC and average precision with bootstrap intervals over patients; None without both classes."""
    return _estimate(labelled, auroc), _estimate(labelled, average_precision)


def _estimate(labelled: LabeledMargins, metric: Metric) -> Estimate | None:
    drawn = bootstrap(
        labelled.labels[:, None].astype(float),
        labelled.margins[:, None],
        metric,
        TEXT_RESAMPLES,
        unit=labelled.patients,
    )
    value, low, high = (float(each[0]) for each in (drawn.point, drawn.low, drawn.high))
    return None if np.isnan([value, low, high]).any() else Estimate(value, low, high)


def measure_text(
    labelled: LabeledMargins, finding: str, cohort: str, threshold: float | None = None
) -> TextMeasurement:
    """Return a text's performance for its matching finding; `threshold` is a margin not fitted on these films."""
    area, precision = ranking_estimates(labelled)
    called = None if threshold is None else labelled.margins >= threshold
    sensitivity, specificity = cross_fitted_rates(labelled) if called is None else _rates(labelled, called)
    return TextMeasurement(finding, cohort, labelled.n, labelled.positives, area, precision, sensitivity, specificity)


def cross_fitted_rates(labelled: LabeledMargins) -> tuple[Rate | None, Rate | None]:
    """Return cross-fitted sensitivity and specificity: each fold uses a threshold chosen on the others."""
    called = np.zeros(labelled.n, dtype=bool)
    for fold in np.unique(labelled.folds):
        here = labelled.folds == fold
        margin = youden_margin(labelled.labels[~here], labelled.margins[~here])
        if margin is None:
            return None, None
        called[here] = labelled.margins[here] >= margin
    return _rates(labelled, called)


def _rates(labelled: LabeledMargins, called: NDArray[np.bool_]) -> tuple[Rate, Rate]:
    there = labelled.labels
    return (
        clustered_rate(called[there], labelled.patients[there]),
        clustered_rate(~called[~there], labelled.patients[~there]),
    )


def youden_margin(labels: NDArray[np.bool_], margins: NDArray[np.float64]) -> float | None:
    """Return the margin with the largest Youden index; None if no threshold is better than chance."""
    fitted = fit_thresholds(
        labels[:, None].astype(float),
        margins[:, None],
        ("",),
        ThresholdRule("youden"),
        cohort="",
        case_ids=range(len(labels)),
    )
    return fitted.cuts[0].value
