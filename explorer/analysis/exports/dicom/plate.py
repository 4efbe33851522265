"""Draws the picture of the secondary capture: the film and its map, with text above and below but never on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from explorer.analysis.exports.dicom.shown_map import Colors, ShownMap, blended
from explorer.core.figures import percent_text, with_hyphens

WARNING = "NOT FOR MEDICAL USE"
MAX_SIDE_PX = 1536  # px; larger films are shrunk
MIN_WIDTH_PX = 640  # px; keeps the text legible
MAX_WINDOW = 1000  # largest window width or level accepted from a page
GUTTER, LINE, FONT, LARGE, BAR = 32, 22, 15, 24, (160, 12)
BLACK, TEXT, MUTED, WARNED = (0, 0, 0), (230, 230, 230), (150, 150, 150), (255, 214, 64)


@dataclass(frozen=True, slots=True)
class Window:
    """The range of grays shown in the picture: `level` and `width` are fractions of the film's range."""

    width: float = 1.0
    level: float = 0.5
    inverted: bool = False

    @classmethod
    def of(cls, width: object, level: object, inverted: object) -> Window:
        """Return the window that a page sent; the full range if it is invalid."""
        if not isinstance(width, int | float) or not isinstance(level, int | float):
            return cls(inverted=inverted is True)
        if not (
            abs(width) < MAX_WINDOW and abs(level) < MAX_WINDOW
        ):  # also rejects NaN and integers too large for a float
            return cls(inverted=inverted is True)
        return cls(min(2.0, max(0.002, float(width))), min(1.0, max(0.0, float(level))), inverted is True)

    @property
    def words(self) -> str:
        return f"Window {percent_text(self.width)} at {percent_text(self.level)} of the film's range" + (
            ", inverted display" if self.inverted else ""
        )

    def grays(self, pixels: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Return the film's pixels in [0, 1] as windowed 8-bit grays."""
        share = (pixels.astype(np.float64) - (self.level - self.width / 2)) / self.width
        gray = np.rint(np.clip(share, 0, 1) * 255).astype(np.uint8)
        return 255 - gray if self.inverted else gray


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """A picture (h, w, 3) with the film at (`top`, `left`); `film` is the film's size there (rows, columns).

    `shrunk` is the number of film pixels per side of a picture pixel.
    """

    pixels: Colors
    top: int
    left: int
    film: tuple[int, int]
    shrunk: float


def draw_plate(
    pixels: NDArray[np.float32],
    lines: Sequence[str],
    *,
    window: Window,
    heat: ShownMap | None = None,
    sides: str = "assumed",
) -> Plate:
    """Draw a film (h, w) in [0, 1] with its map, the warning above and below it, and `lines` of text underneath."""
    gray, shrunk = _shrunk_grays(window.grays(pixels))
    picture = heat.over(gray) if heat else np.repeat(gray[..., None], 3, axis=2)
    height, width = gray.shape
    whole = max(MIN_WIDTH_PX, width + 2 * GUTTER)
    words = [row for line in lines for row in _wrapped(line, whole - 2 * GUTTER)]
    legend = _wrapped(f"{heat.finding}: {heat.scale_words}", whole - 2 * GUTTER - BAR[0] - 12) if heat else []
    top, left = 2 * GUTTER, (whole - width) // 2
    tall = top + height + GUTTER // 2 + LINE * (len(words) + len(legend)) + 2 * GUTTER
    canvas = Image.new("RGB", (whole, tall), BLACK)
    canvas.paste(Image.fromarray(picture), (left, top))
    draw = ImageDraw.Draw(canvas)
    draw.text((whole / 2, GUTTER), WARNING, WARNED, _font(LARGE), anchor="mm")
    draw.text((whole / 2, tall - GUTTER), WARNING, WARNED, _font(LARGE), anchor="mm")
    for name, at in (("R", left - GUTTER / 2), ("L", left + width + GUTTER / 2)):
        draw.text((at, top + FONT), name, TEXT if sides == "stated" else MUTED, _font(FONT), anchor="mm")
    at = top + height + GUTTER // 2
    if heat:
        canvas.paste(Image.fromarray(_bar()), (GUTTER, at + 3))
    for row in legend:
        draw.text((GUTTER + BAR[0] + 12, at), row, TEXT, _font(FONT))
        at += LINE
    for row in words:
        draw.text((GUTTER, at), row, TEXT, _font(FONT))
        at += LINE
    return Plate(np.asarray(canvas), top, left, (height, width), shrunk)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _shrunk_grays(gray: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    shrunk = max(1.0, max(gray.shape) / MAX_SIDE_PX)
    if shrunk == 1:
        return gray, 1.0
    height, width = (max(1, round(side / shrunk)) for side in gray.shape)
    return np.asarray(Image.fromarray(gray).resize((width, height), Image.Resampling.BOX)), shrunk


def _bar() -> Colors:
    width, height = BAR
    share = np.broadcast_to(np.linspace(0, 1, width), (height, width))
    return blended(np.full((height, width, 3), 0x4A, np.uint8), share)


def _wrapped(line: str, room: int) -> list[str]:
    """Wrap a line into rows of at most `room` pixels; longer words are split."""
    rows = [""]
    for word in _visible(line).split():
        longer = f"{rows[-1]} {word}".strip()
        if _font(FONT).getlength(longer) <= room:
            rows[-1] = longer
            continue
        rows.append("")
        for letter in word:
            if _font(FONT).getlength(rows[-1] + letter) > room:
                rows.append("")
            rows[-1] += letter
    return [row for row in rows if row]


def _visible(line: str) -> str:
    """Replace characters that the font lacks with question marks; the structured report keeps them."""
    return "".join(each if each.isprintable() and ord(each) < 0x250 else "?" for each in with_hyphens(line))
