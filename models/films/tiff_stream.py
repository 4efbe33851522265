"""Reads a TIFF's first directory before any decoder sees it."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from models.films.film import DamagedData, UnreadableRadiograph
from models.films.square_pixels import PixelShape, shape_by_density

WIDTH, HEIGHT, BITS, COMPRESSION, PHOTOMETRIC, ORIENTATION, SAMPLES = 256, 257, 258, 259, 262, 274, 277
ACROSS, DOWN, RATIONAL = 282, 283, 5  # tags of the pixel densities, and the values' type
PALETTE = 3  # photometric interpretation
STRIPS, ROWS_PER_STRIP, STRIP_BYTES, TILES, TILE_BYTES = 273, 278, 279, 324, 325
# The tags that decoding needs; Pillow warns about odd values in the others, so they are dropped.
PICTURE_TAGS = frozenset(
    (WIDTH, HEIGHT, BITS, COMPRESSION, PHOTOMETRIC, SAMPLES, STRIPS, ROWS_PER_STRIP, STRIP_BYTES, TILES, TILE_BYTES)
    + (266, 284, 317, 320, 322, 323, 338, 339, 347, 530)  # fill order ... predictor, palette, tile size, JPEG tables
)
SINGLE = frozenset((WIDTH, HEIGHT, COMPRESSION, PHOTOMETRIC, SAMPLES, ROWS_PER_STRIP, 266, 284, 317, 322, 323))
TYPE_BYTES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8}
MAX_STRIPS = 50_000


@dataclass(frozen=True, slots=True)
class TiffStream:
    """Facts of a TIFF: `size` is (height, width), `samples` the number of values (up to 16 bits) per decoded pixel.

    `bare` is the file reduced to its first page and picture tags.
    """

    size: tuple[int, int]
    samples: int
    white_is_zero: bool
    orientation: int
    more_pages: bool
    bare: bytes
    shape: PixelShape


def read_tiff(data: bytes) -> TiffStream:
    """Read the first directory. Raises DamagedData, or UnreadableRadiograph for too many strips or tiles."""
    order = "<" if data[:2] == b"II" else ">"
    try:
        (start,) = struct.unpack_from(order + "L", data, 4)
        (count,) = struct.unpack_from(order + "H", data, start)
        entries = [struct.unpack_from(order + "HHL4s", data, start + 2 + 12 * place) for place in range(count)]
        (following,) = struct.unpack_from(order + "L", data, start + 2 + 12 * count)
    except struct.error as error:
        raise DamagedData from error
    kept, values = [], {}
    for tag, kind, number, field in sorted(entries):
        if tag in PICTURE_TAGS:
            _check_entry(len(data), order, tag, kind, number, field)
            kept.append(struct.pack(order + "HHL4s", tag, kind, number, field))
        if kind in (3, 4) and number == 1:
            values[tag] = struct.unpack_from(order + ("H" if kind == 3 else "L"), field)[0]
    if not 0 < values.get(HEIGHT, 0) or not 0 < values.get(WIDTH, 0):
        raise DamagedData
    directory = struct.pack(order + "H", len(kept)) + b"".join(kept) + bytes(4)
    orientation = values.get(ORIENTATION, 1)
    return TiffStream(
        size=(values[HEIGHT], values[WIDTH]),
        samples=_samples(values),
        white_is_zero=values.get(PHOTOMETRIC, 1) == 0,
        orientation=orientation if 1 <= orientation <= 8 else 1,
        more_pages=following != 0,
        bare=data[:start] + directory + data[start + len(directory) :],
        shape=shape_by_density(*(_density(data, order, entries, tag) for tag in (ACROSS, DOWN))),
    )


def _density(data: bytes, order: str, entries: list[tuple[int, int, int, bytes]], tag: int) -> float:
    """Return pixels per unit of length; 0 if the file does not say."""
    for found, kind, number, field in entries:
        (offset,) = struct.unpack(order + "L", field)
        if found == tag and kind == RATIONAL and number == 1 and offset + 8 <= len(data):
            above, below = struct.unpack_from(order + "LL", data, offset)
            return above / below if below else 0.0
    return 0.0


def _samples(values: dict[int, int]) -> int:
    if values.get(PHOTOMETRIC) == PALETTE:
        return 4  # palettes are expanded to colors with transparency
    return max(1, values.get(SAMPLES, 1)) * (2 if values.get(BITS, 1) > 16 else 1)


def _check_entry(size: int, order: str, tag: int, kind: int, number: int, field: bytes) -> None:
    length = TYPE_BYTES.get(kind, 0) * number
    (offset,) = struct.unpack(order + "L", field)
    if length == 0 or (length > 4 and offset + length > size) or (tag in SINGLE and number != 1):
        raise DamagedData
    if tag in (STRIPS, TILES) and number > MAX_STRIPS:
        raise UnreadableRadiograph(
            "The TIFF is cut into too many pieces", f"It has more than {MAX_STRIPS} strips or tiles. Export it again."
        )
