"""F1, precision and recall of several models on the same cases."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats, ratio
from explorer.metrics.case_counts import CaseCounts
from explorer.metrics.joint_ranking import JointEvaluate
from explorer.metrics.place_sums import PlaceSums


def call_metrics(labels: Floats, called: npt.NDArray[np.int8]) -> JointEvaluate:
    """Return 3 metrics (3, models, findings, resamples) from labels (n, findings) and calls (models, n, findings).

    Calls are 1 called, 0 not called, -1 without a threshold. If a model has thresholds for the finding but not for this
    case, set the case's label to NaN. The metrics are undefined for a model without any threshold and for a finding
    without positives; precision is also undefined without calls.
    """
    present = labels == 1
    sums = [_hits_and_false_alarms(labels[:, k], called[:, :, k] == 1) for k in range(labels.shape[1])]
    judged = np.asarray((called >= 0).any(axis=1))  # (models, findings)
    each_present = present.T.astype(np.float64)

    def evaluate(counts: CaseCounts) -> Floats:
        values = np.empty((3, len(called), len(sums), counts.floats.shape[1]))
        positives = each_present @ counts.floats
        for k, each in enumerate(sums):
            hits, false_alarms = each.sums(counts.by_case).astype(np.float64)
            known = positives[k] * judged[:, k, None]  # 0, hence undefined, for a model without thresholds
            calls = hits + false_alarms
            values[0, :, k] = ratio(2 * hits, (calls + known) * (known > 0))
            values[1, :, k] = ratio(hits, calls * (known > 0))
            values[2, :, k] = ratio(hits, known)
        return values

    return evaluate


def _hits_and_false_alarms(labels: Floats, called: npt.NDArray[np.bool_]) -> PlaceSums:
    """Prepare sums over calls (models, n): hits at index 0, false alarms at index 1."""
    by_case = np.ascontiguousarray(called.T) & ~np.isnan(labels)[:, None]
    return PlaceSums.of(np.broadcast_to((labels != 1).astype(np.int32)[:, None], by_case.shape), by_case, 2)
