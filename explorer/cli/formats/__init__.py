"""A metrics table as text in one of five formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from explorer.analysis.challenge_table.metric_table import MetricTable

Format = Literal["text", "csv", "json", "markdown", "latex"]


def text_of(table: MetricTable, output: Format) -> str:
    """Return the table in a format, ending with a line break."""
    from explorer.cli.formats.for_programs import as_csv, as_json
    from explorer.cli.formats.grid import ALL, BLOCKS, grids, grids_of_text, long_figure
    from explorer.cli.formats.sentences import about
    from explorer.core.result_table import ResultTable, table_in

    if output == "csv":
        return as_csv(table)
    if output == "json":
        return as_json(table)
    blocks = [ALL] if output == "markdown" else BLOCKS
    found = grids_of_text(table) if output == "text" else grids(table, blocks, long_figure)
    return table_in(output, ResultTable("", about(table), tuple(found), ()))
