"""Where findings are, as closed outlines in fractions of the film's sides."""

from __future__ import annotations

import numpy as np

from explorer.school.playlists.truth import DrawnBox, Mask, Truth
from explorer.school.preparing.prepared import AreaPayload
from models.array_types import Float64

EXACT = "exact, drawn by the simulator with the film"
ROUGH = 0.75  # pixels of the mask that an outline may lie beside its edge
DIGITS = 4  # of a fraction: a tenth of a pixel of a film of 1,000

Outline = list[tuple[float, float]]


def areas(truth: Truth) -> list[AreaPayload]:
    """Masks and boxes of the findings that are present, in the order of the labels."""
    found: list[AreaPayload] = []
    for finding in truth.present:
        if (mask := truth.masks.get(finding)) is not None:
            found.append({"finding": finding, "outlines": outlines(mask), "source": EXACT})
        boxes = [box for box in truth.boxes if box.finding == finding]
        for source in dict.fromkeys(box.source for box in boxes):
            drawn = [_around(box) for box in boxes if box.source == source]
            found.append({"finding": finding, "outlines": drawn, "source": source})
    return found


def outlines(mask: Mask) -> list[Outline]:
    """The outlines of a mask (h, w), those of its holes too, each of three points at least."""
    from contourpy import contour_generator  # which nobody needs who does not prepare a class

    height, width = mask.shape
    # A rim of nothing closes the outlines of what reaches the film's edge; halfway lies the edge between two pixels.
    padded = np.pad(mask.astype(np.float64), 1)
    lines = contour_generator(z=padded).lines(0.5)
    size = np.array([width, height])
    kept = (_simplified(np.asarray(line)[:-1]) for line in lines)
    return [
        [(round(float(x), DIGITS), round(float(y), DIGITS)) for x, y in np.clip((line - 0.5) / size, 0, 1)]
        for line in kept
        if len(line) > 2
    ]


def _simplified(line: Float64) -> Float64:
    """A closed line (n, 2) with as few of its points as keep it within ROUGH of itself (Douglas and Peucker, 1973)."""
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
        if apart[worst] > ROUGH:
            middle = start + 1 + worst
            kept[middle] = True
            waiting += [(start, middle), (middle, end)]
    return line[kept[:-1]]


def _distances(points: Float64, start: Float64, end: Float64) -> Float64:
    """How far points (n, 2) are from the line through two; from the one where both are the same."""
    along = end - start
    length = float(np.hypot(*along))
    if length == 0:
        from_it: Float64 = np.hypot(*(points - start).T)
        return from_it
    away = points - start
    beside: Float64 = np.abs(away[:, 0] * along[1] - away[:, 1] * along[0]) / length
    return beside


def _around(box: DrawnBox) -> Outline:
    right, bottom = box.x + box.width, box.y + box.height
    return [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom)]
