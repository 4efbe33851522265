"""A metrics table for programs: CSV with one row per line and metric, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from explorer.analysis.challenge_table.lines import MetricEstimate, MetricsLine
from explorer.analysis.challenge_table.metric_table import MetricTable
from explorer.cli.formats.sentences import line_figures
from explorer.core.csv_table import Cells, csv_text
from explorer.core.figures import outside_interval
from explorer.core.version import version


def metrics_csv(table: MetricTable) -> str:
    """Return the table as CSV. A blank center means all centers; if `value` is blank, `undefined` gives the reason."""
    rows = [cells for line in table.lines for cells in _rows(line)]
    return csv_text(list(rows[0]), rows, end="\n")


def _rows(line: MetricsLine) -> Iterator[Cells]:
    for metric, estimate in line_figures(line):
        yield {**_line_cells(line), "metric": metric, **_estimate_cells(estimate)}


def metrics_json(table: MetricTable) -> str:
    """Return the table as JSON. Undefined figures are null, with the reason."""
    answer = {
        "tailscope_version": version(),
        "images": table.images,
        "patients": table.patients,
        **asdict(table.plan),
        "lines": [_line(line) for line in table.lines],
    }
    return json.dumps(answer, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def _line(line: MetricsLine) -> dict[str, Any]:
    metrics = {metric: _estimate_cells(estimate) for metric, estimate in line_figures(line)}
    return {**_line_cells(line), "metrics": metrics}


def _line_cells(line: MetricsLine) -> Cells:
    """The cells of a line that do not depend on the metric."""
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


def _interval_contains_value(estimate: MetricEstimate) -> str:
    return "no" if outside_interval(estimate.value, estimate.low, estimate.high) else "yes"


def _estimate_cells(estimate: MetricEstimate) -> Cells:
    """The cells of an estimate: None if it is undefined, and the reason."""
    return {
        "value": estimate.value,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
        "findings": estimate.counted,
        "findings_left_out": estimate.left_out,
        "ci_contains_value": None if estimate.low is None else _interval_contains_value(estimate),
        "resamples_incomplete": estimate.incomplete,
        "undefined": estimate.why,
    }
