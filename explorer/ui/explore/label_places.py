"""Where names stand beside the points of a figure so that none covers another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LETTER, LINE, GAP = 6.4, 15, 9  # px: width of a letter at 12 px, height of a line, from the point to its name
_MARK = 6  # px around a point that no name may cover
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Mark:
    """A point by its name, in px from the left and from the top, and the ends of its interval."""

    name: str
    x: float
    y: float
    high: float
    low: float


def places(marks: Sequence[Mark], size: tuple[int, int], kept: Sequence[Box] = ()) -> dict[str, str]:
    """Plotly's word for the place of each name; a name without a free place inside `size` is left out.

    Those given first have the choice. Names stand left and right of their points: above and below are the intervals.
    Boxes that are `kept` are for other words.
    """
    taken = [*kept]
    taken += [(mark.x - _MARK, mark.y - _MARK, mark.x + _MARK, mark.y + _MARK) for mark in marks]
    taken += [(mark.x - 1, mark.high, mark.x + 1, mark.low) for mark in marks]
    found = {}
    for mark in marks:
        for place, box in _boxes(mark):
            if _inside(box, size) and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                found[mark.name] = place
                break
    return found


def _boxes(mark: Mark) -> list[tuple[str, Box]]:
    wide = len(mark.name) * LETTER
    right, left = mark.x + GAP, mark.x - GAP
    rows = {"middle": mark.y - LINE / 2, "top": mark.y - LINE - 3, "bottom": mark.y + 3}
    return [
        (f"{row} {side}", (start, top, start + wide, top + LINE))
        for row, top in rows.items()
        for side, start in (("right", right), ("left", left - wide))
    ]


def _inside(box: Box, size: tuple[int, int]) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
