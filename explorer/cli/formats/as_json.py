"""The table as an object, for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from explorer.cli.formats.fields import estimate_fields, line_fields
from explorer.cli.formats.sentences import figures
from explorer.core.version import version
from explorer.evaluation.lines import MetricsLine
from explorer.evaluation.metric_table import MetricTable


def render(table: MetricTable) -> str:
    """The table as JSON: null where a figure is undefined, and the reason beside it."""
    answer = {
        "tailscope_version": version(),
        "images": table.images,
        "patients": table.patients,
        **asdict(table.plan),
        "lines": [_line(line) for line in table.lines],
    }
    return json.dumps(answer, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def _line(line: MetricsLine) -> dict[str, Any]:
    metrics = {metric: estimate_fields(estimate) for metric, estimate in figures(line)}
    return {**line_fields(line), "metrics": metrics}
