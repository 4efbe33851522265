"""What a notebook shows of a cohort and of a film, as HTML in which every name is escaped."""

from __future__ import annotations

from base64 import b64encode
from html import escape

import pandas as pd

from explorer.core.csv_table import NOT_FOR_MEDICAL_USE

_SIDE = 360  # CSS pixels of a film's longer side
_ROW = "display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start"
_MUTED = "opacity:.7;font-size:90%"


def heading(title: str, line: str) -> str:
    """A title over a line of facts."""
    return f'<strong>{escape(title)}</strong><div style="{_MUTED}">{escape(line)} {NOT_FOR_MEDICAL_USE}.</div>'


def table(rows: pd.DataFrame, caption: str) -> str:
    """A frame with three decimals, what is not known as a dash."""
    shown = rows.to_html(index=False, border=0, na_rep="\u2013", float_format="{:.3f}".format, justify="left")
    return f'<div>{shown}<div style="{_MUTED}">{escape(caption)}</div></div>'


def film(title: str, line: str, png: bytes | None, beside: str) -> str:
    """A film's picture with a table beside it; words where there is no picture."""
    if png is None:
        picture = f'<div style="{_MUTED}">The film is not here.</div>'
    else:
        data = b64encode(png).decode("ascii")
        style = f"max-width:{_SIDE}px;max-height:{_SIDE}px;background:#000"
        picture = f'<img alt="{escape(title)}" style="{style}" src="data:image/png;base64,{data}">'
    return f'<div>{heading(title, line)}<div style="{_ROW}">{picture}{beside}</div></div>'
