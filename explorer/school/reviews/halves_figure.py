"""The two halves of a benchmark as a figure: films with each finding, and findings on a film.

As Figures 3 and 4 of REVEAL-CXR (Wei et al., arXiv 2601.15129), one below the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from explorer.core.csv_table import Cells
from explorer.core.result_table import ResultTable
from explorer.core.word_lists import quantity

WIDTH, NAMES, TOP, LINE, GAP = 720, 220, 84, 30, 44  # px
COLORS = {"released": "#0072b2", "held_out": "#e69f00"}  # of Okabe and Ito: told apart by color-blind readers
_BAR = 11  # px
_SCALE = WIDTH - NAMES - 60  # px of the longest bar, which leaves room for its number


def halves_svg(halves: ResultTable) -> str:
    """Return the figure of a table of both halves (`halves_table`) as SVG, findings with most films first."""
    by_finding = sorted(_rows(halves, "finding"), key=lambda row: -_films(row))
    by_number = sorted(_rows(halves, "findings on a film"), key=lambda row: int(str(row["name"])))
    first = _chart("Films with each finding", by_finding, TOP)
    start = TOP + GAP + LINE * len(by_finding)
    second = _chart("Films by their number of findings", by_number, start)
    height = start + LINE * len(by_number) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="13" fill="#222">',
        f"<title>{escape(halves.title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{NAMES}" y="20" font-weight="bold">{escape(halves.title)}</text>',
        *_legend(halves),
        *first,
        *second,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rows(halves: ResultTable, part: str) -> list[Cells]:
    return [row for row in halves.rows if row["part"] == part]


def _count(row: Cells, half: str) -> int:
    return int(row[half] or 0)


def _films(row: Cells) -> int:
    return sum(_count(row, half) for half in COLORS)


def _legend(halves: ResultTable) -> Iterator[str]:
    numbers = _rows(halves, "findings on a film")
    for place, (half, color) in enumerate(COLORS.items()):
        left = NAMES + 200 * place
        films = quantity(sum(_count(row, half) for row in numbers), "film")
        yield f'<rect x="{left}" y="34" width="{_BAR}" height="{_BAR}" fill="{color}"/>'
        yield f'<text x="{left + 18}" y="44">{half.replace("_", " ")}, {films}</text>'


def _chart(title: str, rows: Sequence[Cells], top: int) -> Iterator[str]:
    """Yield a chart whose first pair of bars begins at `top`, each bar with its number of films."""
    longest = max((_count(row, half) for row in rows for half in COLORS), default=0) or 1
    yield f'<text x="{NAMES}" y="{top - 12}" font-weight="bold">{title}</text>'
    for place, row in enumerate(rows):
        middle = top + LINE * place + _BAR
        yield f'<text x="{NAMES - 10}" y="{middle + 4}" text-anchor="end">{escape(str(row["name"]))}</text>'
        for below, (half, color) in enumerate(COLORS.items()):
            films = _count(row, half)
            y = top + LINE * place + _BAR * below
            length = round(_SCALE * films / longest)
            yield f'<rect x="{NAMES}" y="{y}" width="{length}" height="{_BAR - 1}" fill="{color}"/>'
            yield f'<text x="{NAMES + length + 5}" y="{y + _BAR - 2}" font-size="10">{films:,}</text>'
