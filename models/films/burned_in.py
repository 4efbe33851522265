"""Lines of text burned into a film, so that a page can warn before it exports an image.

Burned-in text is crisp: thin strokes, brighter or darker than all around, that break into glyphs of one height along
a line. A lone side marker is not a line. What is found *may* be text. That nothing is found says nothing: text that is
faint, very small (under 8 px at the working size), very large, slanted or handwritten is missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from models.connected_parts import Components, Ints, components, joined

Grey = NDArray[np.uint8]

MOST_GLYPHS, MOST_INK = 5000, 0.15  # parts, share of the film: a printed page has less; noise has more and takes long
LEAST_GLYPHS = 5  # "L", "AP" and "PA" are markers; a name or a date has more
WORKING_SIDE = 1000  # px: the longest side is brought to 1 to 2 times this
STROKE = 11  # px: what is thinner stands out
GLYPH_HEIGHTS = (5, 64)  # px
FAINT, CLEAR = 20, 60  # of 255: by the first strokes stand out at least; by the second, or they are as bright as any
LEAST_ALIGNED = 7  # tops and bottoms of glyphs at the same height as the line's, together


@dataclass(frozen=True, slots=True)
class Region:
    """A line of text that may be burned in: its upper left corner and size as shares of the film's sides."""

    row: float
    column: float
    height: float
    width: float


def text_regions(pixels: NDArray[np.float32]) -> tuple[Region, ...]:
    """Where text may be burned into a film (h, w) in [0, 1], from the top down; upright or turned by 90 degrees."""
    grey = _working_size(pixels)
    lines: list[tuple[int, ...]] = []
    for shades in (grey, 255 - grey):
        for line in _lines(shades):
            if not any(_overlap(line, other) for other in lines):  # around bright letters there are dark ones
                lines.append(line)
    height, width = grey.shape
    return tuple(
        Region(top / height, left / width, (bottom - top) / height, (right - left) / width)
        for top, left, bottom, right in sorted(lines)
    )


def _working_size(pixels: NDArray[np.float32]) -> Grey:
    """Means of whole blocks of pixels; a small film is enlarged so that its letters come apart."""
    longest = max(pixels.shape)
    block = max(1, min(longest // WORKING_SIDE, min(pixels.shape)))
    height, width = (side // block for side in pixels.shape)
    if block > 1:
        rows = pixels[: height * block].reshape(height, block, -1).mean(1)
        pixels = rows[:, : width * block].reshape(height, width, block).mean(2)
    grey = np.round(pixels * 255).astype(np.uint8)
    times = WORKING_SIDE // longest + 1 if longest < 0.7 * WORKING_SIDE else 1
    return np.asarray(Image.fromarray(grey).resize((width * times, height * times), Image.Resampling.BICUBIC))


def _lines(grey: Grey) -> Iterator[tuple[int, ...]]:
    """Top, left, bottom and right of the lines of bright text."""
    out = grey - _slide(_slide(grey, STROKE, np.minimum), STROKE, np.maximum)
    strokes = _strokes(out)
    if strokes.mean() > MOST_INK:
        return
    parts = components(strokes)
    for turned, boxes in ((False, parts), (True, parts.transposed())):
        glyphs = boxes[_like_glyphs(boxes)]
        if len(glyphs.top) > MOST_GLYPHS:
            continue
        groups = joined(*_neighbors(glyphs), len(glyphs.top))
        counts = np.bincount(groups, minlength=1)
        for group in np.flatnonzero(counts >= LEAST_GLYPHS):
            line = glyphs[groups == group]
            upright = line.transposed() if turned else line
            if _aligned(line) and _stands_out(upright, grey, out):
                yield (
                    int(upright.top.min()),
                    int(upright.left.min()),
                    int(upright.bottom.max()),
                    int(upright.right.max()),
                )


def _strokes(out: Grey) -> NDArray[np.bool_]:
    """Where thin bright things stand out; between letters that touch they stand out less than on them."""
    shares = np.cumsum(np.bincount(out.ravel(), minlength=256)) / out.size
    noise = int(np.searchsorted(shares, 0.97))  # a film has little text: what it is full of is none, unless it is clear
    return (out > min(CLEAR, max(FAINT, noise))) & (out > _slide(out, STROKE - 2, np.maximum) // 5 * 3)


def _slide(grey: Grey, size: int, extreme: np.ufunc) -> Grey:
    """Minimum or maximum over `size` x `size` pixels around each, by doubling: 4 passes for 11."""
    for axis in (0, 1):
        grey = np.moveaxis(grey, axis, 0)
        grey = np.pad(grey, ((size // 2, size // 2), (0, 0)), mode="edge")
        reach = 1
        while reach < size:
            step = min(reach, size - reach)
            grey = extreme(grey[:-step], grey[step:])
            reach += step
        grey = np.moveaxis(grey, 0, axis)
    return grey


def _like_glyphs(boxes: Components) -> NDArray[np.bool_]:
    low, high = GLYPH_HEIGHTS
    upright = (boxes.width <= 2 * boxes.height) & (boxes.height <= 8 * boxes.width)  # two letters may be one part
    return upright & (boxes.height >= low) & (boxes.height <= high) & (boxes.area > low)


def _neighbors(glyphs: Components) -> tuple[Ints, Ints]:
    """Pairs of glyphs that may follow each other in a line: near, alike in height, on one base or top line."""
    order = np.argsort(glyphs.left, kind="stable")
    lefts = glyphs.left[order]
    first = np.searchsorted(lefts, glyphs.right - 1, "left")
    behind = np.searchsorted(lefts, glyphs.right + 2 * glyphs.height, "right")
    counts = np.maximum(behind - first, 0)
    one = np.repeat(np.arange(len(lefts)), counts)
    nth = np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts)
    other = order[first[one] + nth]
    a, b = glyphs[one], glyphs[other]
    tall, short = np.maximum(a.height, b.height), np.minimum(a.height, b.height)
    near = (b.left - a.right <= 1.2 * tall) & (2 * short >= tall)
    shared = np.minimum(a.bottom, b.bottom) - np.maximum(a.top, b.top)
    apart = np.minimum(abs(a.bottom - b.bottom), abs(a.top - b.top))
    fits = near & (shared >= 0.6 * short) & (apart <= 0.3 * tall)
    return one[fits], other[fits]


def _aligned(line: Components) -> bool:
    """Whether enough glyphs stand on one line or hang from one; the pieces of crossing wires do neither."""
    slack = max(1.0, 0.1 * float(np.median(line.height)))
    on_line = [abs(edge - np.median(edge)) <= slack for edge in (line.bottom, line.top)]
    return int(np.sum(on_line)) >= LEAST_ALIGNED


def _stands_out(line: Components, grey: Grey, out: Grey) -> bool:
    """Whether the strokes are clear against their surroundings, or faint but as bright as anything in the film."""
    boxes = list(zip(line.top, line.bottom, line.left, line.right, strict=True))
    clear = np.median([out[top:bottom, left:right].max() for top, bottom, left, right in boxes])
    bright = np.median([grey[top:bottom, left:right].max() for top, bottom, left, right in boxes])
    return bool(clear >= CLEAR or grey.max() - bright <= 10)


def _overlap(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(one[side] < other[side + 2] and other[side] < one[side + 2] for side in (0, 1))
