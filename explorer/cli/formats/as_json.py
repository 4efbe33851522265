"""The table as an object, for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from explorer.cli.formats.words import metric_name
from explorer.evaluation.lines import Line
from explorer.evaluation.table import Table
from explorer.version import version


def render(table: Table) -> str:
    """The table as JSON: null where a figure is undefined, and the reason beside it."""
    answer = {
        "tailscope_version": version(),
        "images": table.images,
        "patients": table.patients,
        **asdict(table.plan),
        "lines": [_line(line) for line in table.lines],
    }
    return json.dumps(answer, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def _line(line: Line) -> dict[str, Any]:
    return {
        "center": line.center,
        "level": line.part.level,
        "name": line.part.name,
        "frequency_group": line.part.group,
        "n": line.n,
        "n_positive": line.positives,
        "metrics": {
            metric_name(line, metric): {
                "value": estimate.value,
                "ci_low": estimate.low,
                "ci_high": estimate.high,
                "findings": estimate.counted,
                "findings_left_out": estimate.left_out,
                "resamples_incomplete": estimate.incomplete,
                "undefined": estimate.why,
            }
            for metric, estimate in line.estimates.items()
        },
    }
