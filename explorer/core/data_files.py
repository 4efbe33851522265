"""Reads the tables of facts in `explorer/core/data`; their README names the sources."""

from __future__ import annotations

import csv
from pathlib import Path

_DATA = Path(__file__).parent / "data"


def data_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file in `explorer/core/data`, as dicts by column."""
    with (_DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
