"""The leaderboard as text in one of five formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from explorer.analysis.board_report import BoardReport
from explorer.analysis.board_rows import as_csv, as_json
from explorer.analysis.board_text import as_latex, as_markdown, as_text

_FORMATS: Mapping[str, Callable[[BoardReport], str]] = MappingProxyType(
    {"text": as_text, "csv": as_csv, "json": as_json, "markdown": as_markdown, "latex": as_latex}
)


def board_in(name: str, report: BoardReport) -> str:
    """The report in the format of this name; ends with a line break. Raises KeyError for another name."""
    return _FORMATS[name](report)
