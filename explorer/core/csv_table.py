"""What every CSV table of this project has: cells that a spreadsheet reads as they are, rates, dates."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime

from explorer.core.csv_safe import harmless
from explorer.core.rates import Rate
from explorer.core.version import version
from models.radiograph import Radiograph

NOT_FOR_MEDICAL_USE = "Not for medical use"
Cells = dict[str, str | float | None]


def csv_text(columns: Sequence[str], lines: Iterable[Cells], end: str = "\r\n") -> str:
    """Lines under their columns; no text starts a formula in a spreadsheet."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=columns, lineterminator=end)
    writer.writeheader()
    writer.writerows({column: plain(cell) for column, cell in line.items()} for line in lines)
    return text.getvalue()


def rate_cells(name: str, rate: Rate | None) -> Cells:
    """A rate with its interval and its n, as columns that start with a name."""
    low, high = (rate.interval if rate else None) or (None, None)
    value, n = (rate.value, rate.n) if rate else (None, None)
    return {name: value, f"{name}_95_low": low, f"{name}_95_high": high, f"{name}_n": n}


def film_cells(film: Radiograph) -> Cells:
    """What tells a film in every table, without its file's name: whoever has the file finds it by the SHA-256."""
    return {
        "use": NOT_FOR_MEDICAL_USE,
        "films": films_word(film),
        "film_sha256": film.sha256,
        "film_stored_height_px": film.original_size[0],
        "film_stored_width_px": film.original_size[1],
        "film_view": film.view,
    }


def notes_cells(film: Radiograph) -> Cells:
    """What was noted when the film was decoded."""
    return {"film_notes": "; ".join(film.notes)}


def made_cells(made: datetime) -> Cells:
    """Which Tailscope made a table, and when (UTC)."""
    return {"tailscope_version": version(), "made_utc": iso(made)}


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
