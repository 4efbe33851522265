"""Detects lines of text burned into a film, so that the page can warn before exporting an image.

Burned-in text is crisp: thin strokes, brighter or darker than their surroundings, that form glyphs of similar height
along a line. A lone side marker is not a line. A detection means possible text. No detection does not mean no text:
faint, very small (under 8 px at the working size), very large, slanted or handwritten text is missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from models.connected_parts import Components, Indices, components, group_numbers

Gray = NDArray[np.uint8]

MAX_GLYPHS, MAX_INK_SHARE = 5000, 0.15  # parts, share: more is noise, which would be slow; printed pages have less
MIN_GLYPHS = 5  # "L", "AP" and "PA" are markers; a name or a date has more characters
WORKING_SIDE = 1000  # px: the longest side is resized to between 1 and 2 times this
STROKE_WINDOW = 11  # px: thinner structures count as strokes
GLYPH_HEIGHTS = (5, 64)  # px
FAINT_CONTRAST, CLEAR_CONTRAST = 20, 60  # of 255: minimum for a stroke, and contrast that needs no other evidence
MIN_ALIGNED = 7  # glyph tops plus bottoms that must agree with the line's


@dataclass(frozen=True, slots=True)
class TextRegion:
    """A line of possible text: its upper left corner and size as shares of the film's sides."""

    row: float
    column: float
    height: float
    width: float


def text_regions(pixels: NDArray[np.float32]) -> tuple[TextRegion, ...]:
    """Return possible lines of text in a film (h, w) in [0, 1], from top to bottom; upright or turned by 90 degrees."""
    gray = _working_size(pixels)
    lines: list[tuple[int, ...]] = []
    for shades in (gray, 255 - gray):
        for line in _lines(shades):
            if not any(_overlap(line, other) for other in lines):  # bright letters have dark outlines
                lines.append(line)
    height, width = gray.shape
    return tuple(
        TextRegion(top / height, left / width, (bottom - top) / height, (right - left) / width)
        for top, left, bottom, right in sorted(lines)
    )


def _working_size(pixels: NDArray[np.float32]) -> Gray:
    """Average whole blocks of pixels; enlarge a small film so that its letters separate."""
    longest = max(pixels.shape)
    block = max(1, min(longest // WORKING_SIDE, min(pixels.shape)))
    height, width = (side // block for side in pixels.shape)
    if block > 1:
        rows = pixels[: height * block].reshape(height, block, -1).mean(1)
        pixels = rows[:, : width * block].reshape(height, width, block).mean(2)
    gray = np.round(pixels * 255).astype(np.uint8)
    times = WORKING_SIDE // longest + 1 if longest < 0.7 * WORKING_SIDE else 1
    return np.asarray(Image.fromarray(gray).resize((width * times, height * times), Image.Resampling.BICUBIC))


def _lines(gray: Gray) -> Iterator[tuple[int, ...]]:
    """Yield top, left, bottom and right of each line of bright text."""
    contrast = gray - _sliding_extreme(_sliding_extreme(gray, STROKE_WINDOW, np.minimum), STROKE_WINDOW, np.maximum)
    strokes = _strokes(contrast)
    if strokes.mean() > MAX_INK_SHARE:
        return
    parts = components(strokes)
    for turned, boxes in ((False, parts), (True, parts.transposed())):
        glyphs = boxes[_like_glyphs(boxes)]
        if len(glyphs.top) > MAX_GLYPHS:
            continue
        groups = group_numbers(*_neighbors(glyphs), len(glyphs.top))
        counts = np.bincount(groups, minlength=1)
        for group in np.flatnonzero(counts >= MIN_GLYPHS):
            line = glyphs[groups == group]
            upright = line.transposed() if turned else line
            if _aligned(line) and _stands_out(upright, gray, contrast):
                yield (
                    int(upright.top.min()),
                    int(upright.left.min()),
                    int(upright.bottom.max()),
                    int(upright.right.max()),
                )


def _strokes(contrast: Gray) -> NDArray[np.bool_]:
    """Return a mask of thin bright structures; touching letters are separated at the dimmer gaps between them."""
    shares = np.cumsum(np.bincount(contrast.ravel(), minlength=256)) / contrast.size
    noise = int(np.searchsorted(shares, 0.97))  # text covers little of a film, so the rest sets the noise level
    return (contrast > min(CLEAR_CONTRAST, max(FAINT_CONTRAST, noise))) & (
        contrast > _sliding_extreme(contrast, STROKE_WINDOW - 2, np.maximum) // 5 * 3
    )


def _sliding_extreme(gray: Gray, size: int, extreme: np.ufunc) -> Gray:
    """Return the minimum or maximum over `size` x `size` pixels around each pixel, by doubling: 4 passes for 11."""
    for axis in (0, 1):
        gray = np.moveaxis(gray, axis, 0)
        gray = np.pad(gray, ((size // 2, size // 2), (0, 0)), mode="edge")
        reach = 1
        while reach < size:
            step = min(reach, size - reach)
            gray = extreme(gray[:-step], gray[step:])
            reach += step
        gray = np.moveaxis(gray, 0, axis)
    return gray


def _like_glyphs(boxes: Components) -> NDArray[np.bool_]:
    low, high = GLYPH_HEIGHTS
    upright = (boxes.width <= 2 * boxes.height) & (boxes.height <= 8 * boxes.width)  # two letters may touch
    return upright & (boxes.height >= low) & (boxes.height <= high) & (boxes.area > low)


def _neighbors(glyphs: Components) -> tuple[Indices, Indices]:
    """Return pairs of glyphs that may be neighbors in a line: close, similar in height, on one base or top line."""
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
    """Return whether enough glyphs share a base line or a top line; pieces of crossing wires do not."""
    slack = max(1.0, 0.1 * float(np.median(line.height)))
    on_line = [abs(edge - np.median(edge)) <= slack for edge in (line.bottom, line.top)]
    return int(np.sum(on_line)) >= MIN_ALIGNED


def _stands_out(line: Components, gray: Gray, contrast: Gray) -> bool:
    """Return whether the strokes contrast clearly, or are faint but as bright as anything in the film."""
    boxes = list(zip(line.top, line.bottom, line.left, line.right, strict=True))
    clear = np.median([contrast[top:bottom, left:right].max() for top, bottom, left, right in boxes])
    bright = np.median([gray[top:bottom, left:right].max() for top, bottom, left, right in boxes])
    return bool(clear >= CLEAR_CONTRAST or gray.max() - bright <= 10)


def _overlap(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(one[side] < other[side + 2] and other[side] < one[side + 2] for side in (0, 1))
