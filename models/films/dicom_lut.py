"""Lookup tables in a DICOM header: modality and VOI LUTs, and color palettes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.films.dicom_names import element_name
from models.films.dicom_walker import DicomHeader
from models.films.film import UnreadableRadiograph

LUT_DESCRIPTOR, LUT_DATA = 0x00283002, 0x00283006
PALETTE_DESCRIPTORS = (0x00281101, 0x00281102, 0x00281103)
PALETTE_DATA = (0x00281201, 0x00281202, 0x00281203)
LUT_TAGS = frozenset((LUT_DESCRIPTOR, LUT_DATA, *PALETTE_DESCRIPTORS, *PALETTE_DATA))
MAX_MISSING_SHARE = 0.01  # share of a table's entries that may be missing at the end

GrayValues = NDArray[np.float64]


def apply_lut(values: GrayValues, item: DicomHeader) -> tuple[GrayValues, float] | None:
    """Return the table entries for values (n,) and the largest entry; None if the item is damaged."""
    descriptor, data = item.words(LUT_DESCRIPTOR), item.raw(LUT_DATA)
    found = _table(descriptor, data, item.encoding.little)
    if found is None:
        return None
    first, table = found
    places = np.clip(np.rint(values - _signed_first(first, len(table), values)), 0, len(table) - 1).astype(np.int64)
    return table[places].astype(np.float64), float(table.max())


def _signed_first(first: int, entries: int, values: GrayValues) -> int:
    """Return the first mapped value, with the sign for which the table covers the values.

    Files with implicit VR do not state the sign, and files with explicit VR are often wrong.
    """
    word = first % 65536
    ways = sorted((word, word - 65536), key=lambda way: way != first)
    reaching = [way for way in ways if way <= values.max() and values.min() < way + entries]
    return (reaching or ways)[0]


def _table(descriptor: tuple[int, ...], data: memoryview, little: bool) -> tuple[int, NDArray[np.uint16]] | None:
    """Return the first mapped value and the table (entries,), which has one or two bytes per entry."""
    if len(descriptor) != 3:
        return None
    entries, first, bits = (descriptor[0] & 0xFFFF) or 1 << 16, descriptor[1], descriptor[2]
    if len(data) >= 2 * entries or (bits > 8 and len(data) // 2 >= (1 - MAX_MISSING_SHARE) * entries):
        words = np.frombuffer(data[: len(data) // 2 * 2], "<u2" if little else ">u2")
        return first, words[:entries].astype(np.uint16)
    if len(data) >= entries and (bits <= 8 or len(data) <= entries + 1):
        return first, np.frombuffer(data[:entries], np.uint8).astype(np.uint16)
    return None


def apply_palette(stored: NDArray[Any], header: DicomHeader) -> NDArray[np.uint16]:
    """Return 16-bit colors (h, w, 3) for palette indices (h, w). Raises UnreadableRadiograph if damaged."""
    tables = []
    for descriptor, data in zip(PALETTE_DESCRIPTORS, PALETTE_DATA, strict=True):
        table = _table(header.words(descriptor), header.raw(data), header.encoding.little)
        if table is None:
            raise UnreadableRadiograph(
                "The DICOM's color palette is missing or damaged",
                f"{element_name(descriptor)} should hold three numbers, and {element_name(data)} "
                "as many entries as the first says. "
                "Export the film as gray (MONOCHROME2).",
            )
        tables.append(table)
    # The bit depth of the entries comes from the largest entry, because descriptors are often wrong.
    used = max(8, max(int(shades.max()) for _, shades in tables).bit_length())
    channels = [
        np.rint(shades * (65535 / (2**used - 1))).astype(np.uint16)[
            np.clip(stored.astype(np.int64) - first, 0, len(shades) - 1)
        ]
        for first, shades in tables
    ]
    return np.stack(channels, axis=-1)
