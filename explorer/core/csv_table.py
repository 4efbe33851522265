"""Parts that all CSV tables share: cells that are safe in a spreadsheet, rates, dates."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime

from explorer.core.csv_safe import formula_safe
from explorer.core.rates import Rate
from explorer.core.version import version
from models.radiograph import Radiograph

NOT_FOR_MEDICAL_USE = "Not for medical use"
Cells = dict[str, str | float | None]


def csv_text(columns: Sequence[str], lines: Iterable[Cells], end: str = "\r\n") -> str:
    """Return lines as CSV under their columns; no text can start a spreadsheet formula."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=columns, lineterminator=end)
    writer.writeheader()
    writer.writerows({column: csv_cell(cell) for column, cell in line.items()} for line in lines)
    return text.getvalue()


def rate_cells(name: str, rate: Rate | None) -> Cells:
    """Return a rate with its interval and n, in columns whose names start with `name`."""
    low, high = (rate.interval if rate else None) or (None, None)
    value, n = (rate.value, rate.n) if rate else (None, None)
    return {name: value, f"{name}_95_low": low, f"{name}_95_high": high, f"{name}_n": n}


def film_id_cells(film: Radiograph) -> Cells:
    """Return the cells that identify a film, without its file name: its owner finds it by the SHA-256."""
    return {
        "use": NOT_FOR_MEDICAL_USE,
        "films": films_word(film),
        "film_sha256": film.sha256,
        "film_stored_height_px": film.original_size[0],
        "film_stored_width_px": film.original_size[1],
        "film_view": film.view,
    }


def notes_cells(film: Radiograph) -> Cells:
    """Return the notes made when the film was decoded."""
    return {"film_notes": "; ".join(film.notes)}


def made_cells(made: datetime) -> Cells:
    """Return the Tailscope version and the time (UTC) at which a table was made."""
    return {"tailscope_version": version(), "made_utc": iso(made)}


def films_word(film: Radiograph) -> str:
    """Return SIMULATED or real, for all tables; a film is real unless its file says otherwise."""
    return "SIMULATED" if film.simulated else "real"


def csv_cell(cell: str | float | None) -> str | float | None:
    """Return a cell that is safe in a spreadsheet: text like a formula is quoted, numbers are rounded."""
    if isinstance(cell, str):
        return formula_safe(cell)
    return None if cell is None else round(cell, 6)


def iso(moment: datetime) -> str:
    """Return a UTC time, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
