"""F1, precision, recall and the balanced error of several models on the same cases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats, ratio
from explorer.metrics.case_counts import CaseCounts, Units, columns_once, computed_once
from explorer.metrics.joint_ranking import JointEvaluate
from explorer.metrics.place_sums import PlaceSums


def call_metrics(labels: Floats, called: npt.NDArray[np.int8]) -> JointEvaluate:
    """Return 3 metrics (3, models, findings, resamples) from labels (n, findings) and calls (models, n, findings).

    Calls are 1 called, 0 not called, -1 without a threshold. If a model has thresholds for the finding but not for this
    case, set the case's label to NaN. The metrics are undefined for a model without any threshold and for a finding
    without positives; precision is also undefined without calls.
    """
    findings, present, absent = range(labels.shape[1]), labels == 1, labels == 0
    sums = _sums_of_calls(labels, called)
    judged = np.asarray((called >= 0).any(axis=1))  # (models, findings)
    each_present = columns_once(lambda: present.T.astype(np.float64))

    def evaluate(counts: CaseCounts) -> Floats:
        values = np.empty((3, len(called), len(findings), counts.floats.shape[1]))
        positives = present.sum(axis=0)[:, None] if counts.once else each_present(counts)
        for k in findings:
            if counts.once:
                calls = called[:, :, k] == 1
                both = np.array([np.count_nonzero(calls & of[:, k], axis=1)[:, None] for of in (present, absent)])
            else:
                both = sums(counts)[k].sums(counts.drawn)
            hits, false_alarms = both.astype(np.float64)
            values[:, :, k] = f1_precision_recall(hits, false_alarms, positives[k] * judged[:, k, None])
        return values

    return evaluate


def balanced_errors(labels: Floats, called: npt.NDArray[np.int8]) -> JointEvaluate:
    """Return 1 - (sensitivity + specificity) / 2 as (1, models, findings, resamples); arguments as for `call_metrics`.

    Undefined without positives or without negatives, and for a model without any threshold.
    """
    findings, present, absent = range(labels.shape[1]), labels == 1, labels == 0
    sums = _sums_of_calls(labels, called)
    judged = np.asarray((called >= 0).any(axis=1))  # (models, findings)
    columns = columns_once(lambda: np.concatenate([present.T, absent.T]).astype(np.float64))

    def evaluate(counts: CaseCounts) -> Floats:
        positives, negatives = np.split(columns(counts), 2)
        values = np.empty((1, len(called), len(findings), counts.floats.shape[1]))
        for k in findings:
            hits, false_alarms = sums(counts)[k].sums(counts.drawn).astype(np.float64)
            some = judged[:, k, None]
            missed = 1 - ratio(hits, positives[k] * some)
            values[0, :, k] = (missed + ratio(false_alarms, negatives[k] * some)) / 2
        return values

    return evaluate


def f1_precision_recall(hits: Floats, false_alarms: Floats, positives: Floats) -> Floats:
    """Return the three metrics (3, ...) of counts, NaN where undefined; no positives for a model without thresholds."""
    calls = hits + false_alarms
    some = positives > 0
    return np.stack([ratio(2 * hits, (calls + positives) * some), ratio(hits, calls * some), ratio(hits, positives)])


def _sums_of_calls(labels: Floats, called: npt.NDArray[np.int8]) -> Callable[[CaseCounts], list[PlaceSums]]:
    """Return a function that prepares the sums of each finding's calls when they are first needed."""
    return computed_once(
        lambda units: [
            _hits_and_false_alarms(labels[:, k], called[:, :, k] == 1, units) for k in range(labels.shape[1])
        ]
    )


def _hits_and_false_alarms(labels: Floats, called: npt.NDArray[np.bool_], units: Units | None) -> PlaceSums:
    """Prepare sums over calls (models, n): hits at index 0, false alarms at index 1."""
    by_case = np.ascontiguousarray(called.T) & ~np.isnan(labels)[:, None]
    return PlaceSums.of(
        np.broadcast_to((labels != 1).astype(np.int32)[:, None], by_case.shape), by_case, 2, units=units
    )
