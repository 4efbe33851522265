"""Outlines of findings as closed polygons in fractions of the film's sides."""

from __future__ import annotations

import numpy as np

from explorer.school.playlists.truth import Mask, Truth, TruthBox
from explorer.school.preparing.prepared import AreaPayload
from models.array_types import Float64

EXACT_SOURCE = "exact, drawn by the simulator with the film"
MAX_DEVIATION_PX = 0.75  # pixels that an outline may deviate from the mask's edge
OUTLINE_DIGITS = 4  # decimals of a fraction: a tenth of a pixel on a film 1,000 pixels wide

Outline = list[tuple[float, float]]


def areas(truth: Truth) -> list[AreaPayload]:
    """Return outlines of the masks and boxes of present findings, in the order of the labels."""
    found: list[AreaPayload] = []
    for finding in truth.present:
        if (mask := truth.masks.get(finding)) is not None:
            found.append({"finding": finding, "outlines": outlines(mask), "source": EXACT_SOURCE})
        boxes = [box for box in truth.boxes if box.finding == finding]
        for source in dict.fromkeys(box.source for box in boxes):
            drawn = [_box_outline(box) for box in boxes if box.source == source]
            found.append({"finding": finding, "outlines": drawn, "source": source})
    return found


def outlines(mask: Mask) -> list[Outline]:
    """Return the outlines of a mask (h, w) and of its holes, with at least three points each."""
    from contourpy import contour_generator  # imported only when a class is prepared

    height, width = mask.shape
    # Padding closes the outlines of regions at the film's edge; level 0.5 is the edge between two pixels.
    padded = np.pad(mask.astype(np.float64), 1)
    lines = contour_generator(z=padded).lines(0.5)
    size = np.array([width, height])
    kept = (_simplified(np.asarray(line)[:-1]) for line in lines)
    return [
        [
            (round(float(x), OUTLINE_DIGITS), round(float(y), OUTLINE_DIGITS))
            for x, y in np.clip((line - 0.5) / size, 0, 1)
        ]
        for line in kept
        if len(line) > 2
    ]


def _simplified(line: Float64) -> Float64:
    """Return a closed line (n, 2), reduced to points that keep it within ROUGH pixels (Douglas and Peucker, 1973)."""
    if len(line) < 4:
        return line
    far = int(np.argmax(np.hypot(*(line - line[0]).T)))
    closed = np.vstack([line, line[:1]])
    kept = np.zeros(len(closed), bool)
    kept[[0, far]] = True
    waiting = [(0, far), (far, len(line))]
    while waiting:
        start, end = waiting.pop()
        if end - start < 2:
            continue
        apart = _distances(closed[start + 1 : end], closed[start], closed[end])
        worst = int(np.argmax(apart))
        if apart[worst] > MAX_DEVIATION_PX:
            middle = start + 1 + worst
            kept[middle] = True
            waiting += [(start, middle), (middle, end)]
    return line[kept[:-1]]


def _distances(points: Float64, start: Float64, end: Float64) -> Float64:
    """Return distances of points (n, 2) from the line through two points, or from the point if both are the same."""
    along = end - start
    length = float(np.hypot(*along))
    if length == 0:
        from_it: Float64 = np.hypot(*(points - start).T)
        return from_it
    away = points - start
    beside: Float64 = np.abs(away[:, 0] * along[1] - away[:, 1] * along[0]) / length
    return beside


def _box_outline(box: TruthBox) -> Outline:
    right, bottom = box.x + box.width, box.y + box.height
    return [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom)]
