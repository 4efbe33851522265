"""Draws films beside the same films with their maps on a white sheet, ready to print."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from explorer.analysis.exports.dicom.shown_map import Colors, ShownMap, blended
from explorer.core.figures import with_hyphens
from models.array_types import Bools

DPI = 300
WIDTH_MM = 180.0  # of a page's text in most journals
MARGIN, GAP, FONT, SMALL, LINE = 24, 28, 30, 26, 36  # px at 300 dpi: 30 px are 7 points
WHITE, BLACK, GRAY, OUTLINE = (255, 255, 255), (0, 0, 0), (90, 90, 90), (0, 190, 220)
OUTLINE_PX, BAR = 3, (320, 20)
_MM_PER_INCH = 25.4


@dataclass(frozen=True, slots=True, eq=False)
class SheetFilm:
    """A film (h, w) in [0, 1], its map if it has one, where the finding is if that is known, and lines below it."""

    pixels: NDArray[np.float32]
    heat: ShownMap | None
    place: Bools | None  # (h, w)
    lines: tuple[str, ...]


def draw_sheet(films: Sequence[SheetFilm], title: str, notes: Sequence[str], *, columns: int) -> Image.Image:
    """Return the sheet, 180 mm wide at 300 dpi: films in rows of `columns`, each beside its map, scale, notes."""
    width = round(WIDTH_MM / _MM_PER_INCH * DPI)
    cell = (width - 2 * MARGIN - (columns - 1) * GAP) // columns
    pictures = 1 + any(film.heat is not None for film in films)
    drawn = [_cell(film, cell, pictures) for film in films]
    rows = [drawn[start : start + columns] for start in range(0, len(drawn), columns)]
    heads = _wrapped(title, width - 2 * MARGIN, FONT)
    feet = [line for note in notes for line in _wrapped(note, width - 2 * MARGIN, SMALL)]
    scale = next((film.heat.scale_words for film in films if film.heat is not None), "")
    heights = [max(each.height for each in row) + GAP for row in rows]
    tall = 2 * MARGIN + LINE * (len(heads) + bool(scale) + len(feet)) + GAP + sum(heights)
    sheet = Image.new("RGB", (width, tall), WHITE)
    draw = ImageDraw.Draw(sheet)
    at = MARGIN
    for line in heads:
        draw.text((MARGIN, at), line, BLACK, _font(FONT))
        at += LINE
    at += GAP
    for row, height in zip(rows, heights, strict=True):
        for place, each in enumerate(row):
            sheet.paste(each, (MARGIN + place * (cell + GAP), at))
        at += height
    if scale:
        sheet.paste(Image.fromarray(_scale_bar()), (MARGIN, at + SMALL // 4))
        draw.text((MARGIN + BAR[0] + GAP // 2, at), scale, BLACK, _font(SMALL))
        at += LINE
    for line in feet:
        draw.text((MARGIN, at), line, GRAY, _font(SMALL))
        at += LINE
    return sheet


def sheet_bytes(sheet: Image.Image, kind: str) -> bytes:
    """Return the sheet as `png` or `pdf`, both with their size in print."""
    file = io.BytesIO()
    if kind == "pdf":
        sheet.save(file, "PDF", resolution=DPI)
    else:
        sheet.save(file, "PNG", dpi=(DPI, DPI), optimize=True)
    return file.getvalue()


def _cell(film: SheetFilm, width: int, pictures: int) -> Image.Image:
    """Return a film and, if it has a map, the same film with it, side by side, over its lines.

    There is room for one or two `pictures`, so that all films of a sheet have the same size.
    """
    side = (width - (pictures - 1) * GAP // 4) // pictures
    gray, place = _resized(film.pixels, film.place, side)
    plain = _outlined(np.repeat(gray[..., None], 3, axis=2), place)
    shown = [plain] if film.heat is None else [plain, _outlined(film.heat.over(gray), place)]
    lines = [row for line in film.lines for row in _wrapped(line, width, SMALL)]
    cell = Image.new("RGB", (width, gray.shape[0] + MARGIN // 2 + LINE * len(lines)), WHITE)
    for number, picture in enumerate(shown):
        cell.paste(Image.fromarray(picture), (number * (side + GAP // 4), 0))
    draw, at = ImageDraw.Draw(cell), gray.shape[0] + MARGIN // 2
    for line in lines:
        draw.text((0, at), line, BLACK, _font(SMALL))
        at += LINE
    return cell


def _resized(pixels: NDArray[np.float32], place: Bools | None, width: int) -> tuple[NDArray[np.uint8], Bools | None]:
    """Return the film as 8-bit grays and the finding's place, `width` pixels wide."""
    height = max(1, math.ceil(pixels.shape[0] * width / pixels.shape[1]))
    gray = Image.fromarray(np.rint(np.clip(pixels, 0, 1) * 255).astype(np.uint8))
    small = np.asarray(gray.resize((width, height), Image.Resampling.LANCZOS))
    if place is None:
        return small, None
    return small, np.asarray(Image.fromarray(place).resize((width, height), Image.Resampling.NEAREST))


def _outlined(picture: Colors, place: Bools | None) -> Colors:
    """Draw the edge of the finding's place into a picture (h, w, 3)."""
    if place is None:
        return picture
    inside = place.copy()
    for _ in range(OUTLINE_PX):
        padded = np.pad(inside, 1)
        inside = inside & padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    edge = place & ~inside
    found: Colors = np.where(edge[..., None], np.array(OUTLINE, np.uint8), picture)
    return found


def _scale_bar() -> Colors:
    """Return the colors of a map's scale, from 0 to its maximum, on a gray film."""
    width, height = BAR
    share = np.broadcast_to(np.linspace(0, 1, width), (height, width))
    return blended(np.full((height, width, 3), 0x4A, np.uint8), share)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _wrapped(text: str, room: int, size: int) -> list[str]:
    """Return a text in rows of at most `room` pixels; a longer word gets a row of its own."""
    rows = [""]
    for word in _visible(text).split():
        longer = f"{rows[-1]} {word}".strip()
        if _font(size).getlength(longer) <= room or not rows[-1]:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


def _visible(text: str) -> str:
    """Replace characters that the font lacks with question marks."""
    return "".join(each if each.isprintable() and ord(each) < 0x250 else "?" for each in with_hyphens(text))
