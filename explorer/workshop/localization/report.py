"""Formats the results on maps for a terminal and as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.core.csv_table import Cells, csv_text
from explorer.core.figures import difference_text, figure_text, fixed, percent_text, score_text, share_text
from explorer.core.text_grid import in_columns
from explorer.workshop.localization.randomization import RandomizedLayer
from explorer.workshop.localization.summary import MapLine, MapSummary

CSV_COLUMNS = tuple(
    "method by name n patients pointing pointing_95_low pointing_95_high ahead ahead_95_low ahead_95_high "
    "energy overlap level similarity pairs".split()
)


def report_text(found: MapSummary) -> str:
    """Return the results on all hits: one line per method, including chance and the mean mask."""
    lines = [line for line in found.lines if line.part == ("all", "hits")]
    if not lines:
        return "No finding flagged by the model has a mask or box, so there is nothing to measure.\n"
    first = lines[0]
    head = f"{first.n:,} hits of {first.patients:,} patients\n"
    columns = ("method", "pointing game", "less the mean mask's", "energy", "overlap", "similarity")
    rows = [columns, *(_cells(line, found.similarity) for line in lines)]
    return head + "".join(f"{line}\n" for line in in_columns(rows))


def report_csv(found: MapSummary) -> str:
    """Return every line of every part."""
    return csv_text(CSV_COLUMNS, [_csv_line(line, found.similarity) for line in found.lines])


def _csv_line(line: MapLine, similarity: Mapping[str, tuple[float, int]]) -> Cells:
    by, name = line.part
    alike, pairs = similarity.get(line.method, (None, None)) if by == "all" else (None, None)
    values = (
        *(line.method, by, name, line.n, line.patients, line.pointing, *(line.pointing_interval or (None, None))),
        *(line.ahead, *(line.ahead_interval or (None, None)), line.energy, line.overlap, line.level, alike, pairs),
    )
    return dict(zip(CSV_COLUMNS, values, strict=True))


def randomization_text(lines: Sequence[RandomizedLayer]) -> str:
    """Return how similar maps stay while layers are randomized."""
    if not lines:
        return ""
    head = f"Correlation of {lines[0].maps} maps with the originals after a layer and all above it were randomized\n"
    rows = [(each.layer, score_text(each.correlation)) for each in lines]
    return head + "".join(f"{line}\n" for line in in_columns(rows))


def _cells(line: MapLine, similarity: Mapping[str, tuple[float, int]]) -> tuple[str, ...]:
    alike = similarity.get(line.method)
    return (
        line.method,
        figure_text(line.pointing, *(line.pointing_interval or ()), digits=2),
        "" if line.ahead is None else difference_text(line.ahead, *(line.ahead_interval or ()), digits=2),
        "" if line.energy is None else fixed(line.energy, 1),
        "" if line.overlap is None else f"{share_text(line.overlap)} at {percent_text(line.level or 0)}",
        "" if alike is None else f"{score_text(alike[0])}, {alike[1]:,} pairs",
    )
