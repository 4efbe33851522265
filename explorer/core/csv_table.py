"""What every CSV table of this project has: cells that a spreadsheet reads as they are, rates, dates."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime

from explorer.core.csv_safe import harmless
from explorer.core.rates import Rate
from models.radiograph import Radiograph

NOT_FOR_MEDICAL_USE = "Not for medical use"
Cells = dict[str, str | float | None]


def csv_text(columns: Sequence[str], lines: Iterable[Cells]) -> str:
    """Lines under their columns; no text starts a formula in a spreadsheet."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=columns)
    writer.writeheader()
    writer.writerows({column: plain(cell) for column, cell in line.items()} for line in lines)
    return text.getvalue()


def rate_cells(name: str, rate: Rate | None) -> Cells:
    """A rate with its interval and its n, as columns that start with a name."""
    low, high = (rate.interval if rate else None) or (None, None)
    value, n = (rate.value, rate.n) if rate else (None, None)
    return {name: value, f"{name}_95_low": low, f"{name}_95_high": high, f"{name}_n": n}


def films_word(film: Radiograph) -> str:
    """What every table of this project says of its films; a film is real unless its file says otherwise."""
    return "SIMULATED" if film.simulated else "real"


def plain(cell: str | float | None) -> str | float | None:
    """A cell that a spreadsheet takes for what it is: text that looks like a formula is quoted, figures are short."""
    if isinstance(cell, str):
        return harmless(cell)
    return None if cell is None else round(cell, 6)


def iso(moment: datetime) -> str:
    """A moment in UTC, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
