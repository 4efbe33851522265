"""One row per line and metric, for programs and spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from explorer.cli.formats.words import metric_name
from explorer.evaluation.lines import Line
from explorer.evaluation.table import Table

FORMULA_STARTS = ("=", "+", "-", "@")

Cells = dict[str, str | float | None]


def render(table: Table) -> str:
    """The table as CSV. A blank center is all of them; where `value` is blank, `undefined` says why."""
    rows = [cells for line in table.lines for cells in _cells(line)]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _cells(line: Line) -> Iterator[Cells]:
    for metric, estimate in line.estimates.items():
        yield {
            "center": _plain(line.center),
            "level": line.part.level,
            "name": line.part.name,
            "frequency_group": line.part.group,
            "n": line.n,
            "n_positive": line.positives,
            "metric": metric_name(line, metric),
            "value": _rounded(estimate.value),
            "ci_low": _rounded(estimate.low),
            "ci_high": _rounded(estimate.high),
            "findings": estimate.counted,
            "findings_left_out": estimate.left_out,
            "resamples_incomplete": estimate.incomplete,
            "undefined": estimate.why,
        }


def _plain(text: str | None) -> str | None:
    """A name from a file is quoted where a spreadsheet would take it for a formula."""
    return f"'{text}" if text and text.startswith(FORMULA_STARTS) else text


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)
