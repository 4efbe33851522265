"""Compares scores with labels, in NumPy: metrics, their bootstrap, thresholds, calibration."""

from explorer.metrics.bootstrap import bootstrap
from explorer.metrics.metrics import (
    Macro,
    Metric,
    auroc,
    average_precision,
    brier,
    ece,
    f1,
    macro,
    precision,
    recall,
    sensitivity,
    specificity,
)

__all__ = [
    "Macro",
    "Metric",
    "auroc",
    "average_precision",
    "bootstrap",
    "brier",
    "ece",
    "f1",
    "macro",
    "precision",
    "recall",
    "sensitivity",
    "specificity",
]
