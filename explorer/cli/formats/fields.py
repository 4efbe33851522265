"""What the formats for programs say of a line and of an estimate."""

from __future__ import annotations

from explorer.core.figures import lies_beside
from explorer.evaluation.lines import MetricEstimate, MetricsLine

Fields = dict[str, str | float | None]


def line_fields(line: MetricsLine) -> Fields:
    """A line without its estimates."""
    return {
        "center": line.center,
        "level": line.part.level,
        "name": line.part.name,
        "frequency_group": line.part.group,
        "n": line.n,
        "patients": line.patients,
        "n_positive": line.positives,
        "n_positive_least": line.fewest_positives,
    }


def _contains(estimate: MetricEstimate) -> str:
    return "no" if lies_beside(estimate.value, estimate.low, estimate.high) else "yes"


def estimate_fields(estimate: MetricEstimate) -> Fields:
    """An estimate: None where it is undefined, and the reason."""
    return {
        "value": estimate.value,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
        "findings": estimate.counted,
        "findings_left_out": estimate.left_out,
        "ci_contains_value": None if estimate.low is None else _contains(estimate),
        "resamples_incomplete": estimate.incomplete,
        "undefined": estimate.why,
    }
