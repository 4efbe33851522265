"""A metrics table as text in one of five formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from explorer.analysis.challenge_table.metric_table import MetricTable

Format = Literal["text", "csv", "json", "markdown", "latex"]


def format_table(table: MetricTable, output: Format) -> str:
    """Return the table in a format, ending with a line break."""
    from explorer.cli.formats.for_programs import metrics_csv, metrics_json
    from explorer.cli.formats.grid import ALL_METRICS, METRIC_BLOCKS, grids_of_text, long_figure, metric_grids
    from explorer.cli.formats.sentences import about
    from explorer.core.result_table import ResultTable, table_in

    if output == "csv":
        return metrics_csv(table)
    if output == "json":
        return metrics_json(table)
    blocks = [ALL_METRICS] if output == "markdown" else METRIC_BLOCKS
    found = grids_of_text(table) if output == "text" else metric_grids(table, blocks, long_figure)
    return table_in(output, ResultTable("", about(table), tuple(found), ()))
