"""Which findings are on one side of a film: as the cohort says, or by the boxes around them.

A mirrored film moves such a finding to the other side, so a model may rightly change its call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.cohorts.layout import Folder
from explorer.cohorts.parquet_files import read_table
from models.array_types import Bools

# Of a box's width that lies on one side of the film's middle: hearts and catheters reach across it.
SIDE_SHARE = 0.9
LATERAL = "lateral"


@dataclass(frozen=True, slots=True, eq=False)
class FindingSides:
    """Marks of findings (n, findings): `one_side` are on the left or right only, `unknown` have no stated place."""

    one_side: Bools
    unknown: Bools
    from_boxes: bool


def finding_sides(folder: Folder, cases: Sequence[str], findings: Sequence[str]) -> FindingSides | None:
    """Return the sides of these films' findings; None if the cohort has neither appearances nor boxes of any.

    A cohort with appearances lists all its findings. With boxes, a finding is on one side if all its boxes are. One
    without a box, or of a lateral film, is unknown. Raises DamagedCohort.
    """
    rows = {case: place for place, case in enumerate(cases)}
    columns = {finding: place for place, finding in enumerate(findings)}
    one_side, known = (np.zeros((len(cases), len(findings)), np.bool_) for _ in range(2))
    from_boxes = not folder.appearances.is_file()
    if not from_boxes:
        stated, known[:] = _stated(folder), True
    elif folder.boxes.is_file():
        stated = _boxed(folder)
    else:
        return None
    several: dict[tuple[int, int], set[str]] = {}
    for case, finding, side in stated:
        if case in rows and finding in columns:
            several.setdefault((rows[case], columns[finding]), set()).add(side)
    for place, sides in several.items():
        known[place] = True
        one_side[place] = sides in ({"left"}, {"right"})
    return FindingSides(one_side, ~known, from_boxes) if several else None


def box_side(x: float, width: float) -> str:
    """Return the half of the film in which a box lies, `left` or `right` as the film is seen, or `both`.

    `x` is the box's left edge; both are shares of the film's width.
    """
    left = min(max((0.5 - x) / width, 0.0), 1.0) if width > 0 else float(x < 0.5)
    if left >= SIDE_SHARE:
        return "left"
    return "right" if 1 - left >= SIDE_SHARE else "both"


def _stated(folder: Folder) -> Iterator[tuple[str, str, str]]:
    table = read_table(folder.appearances, ["case", "finding", "side"])
    for case, finding, side in zip(*(table[name].to_pylist() for name in table.column_names), strict=True):
        yield case, finding, side or ""


def _boxed(folder: Folder) -> Iterator[tuple[str, str, str]]:
    films = read_table(folder.cases, ["case", "view"])
    lateral = {
        case
        for case, view in zip(*(films[name].to_pylist() for name in ("case", "view")), strict=True)
        if view == LATERAL
    }
    table = read_table(folder.boxes, ["case", "finding", "x", "width"])
    for case, finding, x, width in zip(*(table[name].to_pylist() for name in table.column_names), strict=True):
        if case not in lateral:
            yield case, finding, box_side(x, width)
