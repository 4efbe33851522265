"""A table as text in one of five formats."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from explorer.evaluation.metric_table import MetricTable

Format = Literal["text", "csv", "json", "markdown", "latex"]


def text_of(table: MetricTable, output: Format) -> str:
    """The table in a format, ending with a line break; each format is a module with a `render`."""
    return cast(str, import_module(f"{__name__}.as_{output}").render(table))
