"""Renders a cohort or a film as HTML for a notebook; every name is escaped."""

from __future__ import annotations

from base64 import b64encode
from html import escape

import pandas as pd

from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.figures import EN_DASH, fixed

_SIDE = 360  # CSS pixels of a film's longer side
_ROW = "display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start"
_MUTED = "opacity:.7;font-size:90%"


def heading_html(title: str, line: str) -> str:
    """Return a title above a line of facts."""
    return f'<strong>{escape(title)}</strong><div style="{_MUTED}">{escape(line)} {NOT_FOR_MEDICAL_USE}.</div>'


def table_html(rows: pd.DataFrame, caption: str) -> str:
    """Return a frame as a table: text on the left, figures with three decimals on the right, a dash for unknown."""
    head = "".join(_cell("th", name, rows[name]) for name in rows)
    lines = ("".join(_cell("td", value, rows[name]) for name, value in row.items()) for _, row in rows.iterrows())
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div><table><tr>{head}</tr>{body}</table><div style="{_MUTED}">{escape(caption)}</div></div>'


def _cell(tag: str, value: object, column: pd.Series) -> str:
    side = "right" if pd.api.types.is_numeric_dtype(column) else "left"
    if isinstance(value, float):
        text = EN_DASH if value != value else fixed(value, 3)
    else:
        text = EN_DASH if value is None else str(value)
    return f'<{tag} style="text-align:{side}">{escape(text)}</{tag}>'


def film_html(title: str, line: str, png: bytes | None, beside: str) -> str:
    """Return a film's picture with a table beside it; a sentence if there is no picture."""
    if png is None:
        picture = f'<div style="{_MUTED}">The film was not found.</div>'
    else:
        data = b64encode(png).decode("ascii")
        style = f"max-width:{_SIDE}px;max-height:{_SIDE}px;background:#000"
        picture = f'<img alt="{escape(title)}" style="{style}" src="data:image/png;base64,{data}">'
    return f'<div>{heading_html(title, line)}<div style="{_ROW}">{picture}{beside}</div></div>'
