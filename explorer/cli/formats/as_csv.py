"""One row per line and metric, for programs and spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from explorer.cli.formats.fields import Fields, estimate_fields, line_fields
from explorer.cli.formats.sentences import figures
from explorer.core.csv_safe import harmless
from explorer.evaluation.lines import MetricsLine
from explorer.evaluation.metric_table import MetricTable


def render(table: MetricTable) -> str:
    """The table as CSV. A blank center is all of them; where `value` is blank, `undefined` says why."""
    rows = [cells for line in table.lines for cells in _cells(line)]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _cells(line: MetricsLine) -> Iterator[Fields]:
    center = {"center": _plain(line.center)}
    for metric, estimate in figures(line):
        figure = {name: _rounded(field) for name, field in estimate_fields(estimate).items()}
        yield {**line_fields(line), **center, "metric": metric, **figure}


def _plain(text: str | None) -> str | None:
    return None if text is None else harmless(text)


def _rounded(field: str | float | None) -> str | float | None:
    return round(field, 6) if isinstance(field, float) else field
