"""Places labels beside the points of a figure without overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LETTER_PX, TEXT_LINE_PX, LABEL_GAP_PX = (
    6.4,
    15,
    9,
)  # px: letter width at 12 px, line height, gap between point and label
_MARK = 6  # px around a point that no label may cover
LabelBox = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class LabeledPoint:
    """A named point, in px from the left and the top, with the ends of its interval."""

    name: str
    x: float
    y: float
    high: float
    low: float


def label_positions(
    marks: Sequence[LabeledPoint], size: tuple[int, int], kept: Sequence[LabelBox] = ()
) -> dict[str, str]:
    """Plotly's text position for each label; labels without free space inside `size` are omitted.

    Earlier points choose first. Labels go left or right, because intervals take the space above and below. Boxes in
    `kept` stay free for other text.
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


def _boxes(mark: LabeledPoint) -> list[tuple[str, LabelBox]]:
    wide = len(mark.name) * LETTER_PX
    right, left = mark.x + LABEL_GAP_PX, mark.x - LABEL_GAP_PX
    rows = {"middle": mark.y - TEXT_LINE_PX / 2, "top": mark.y - TEXT_LINE_PX - 3, "bottom": mark.y + 3}
    return [
        (f"{row} {side}", (start, top, start + wide, top + TEXT_LINE_PX))
        for row, top in rows.items()
        for side, start in (("right", right), ("left", left - wide))
    ]


def _inside(box: LabelBox, size: tuple[int, int]) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]


def _overlap(one: LabelBox, other: LabelBox) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
