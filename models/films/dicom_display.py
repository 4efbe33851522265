"""The DICOM gray scale pipeline: stored value -> modality LUT -> VOI -> polarity -> [0, 1].

Each step is a function of the stored value alone, so it runs on the table of distinct values and not on the pixels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.films.dicom_pixels import PHOTOMETRIC, is_signed
from models.films.dicom_walker import DicomHeader
from models.films.film import UnreadableRadiograph
from models.films.intensity import grey_levels, robust_stretch, shows_a_film

PADDING, PADDING_LIMIT = 0x00280120, 0x00280121
WINDOW_CENTER, WINDOW_WIDTH, VOI_FUNCTION = 0x00281050, 0x00281051, 0x00281056
INTERCEPT, SLOPE = 0x00281052, 0x00281053
MODALITY_LUT, VOI_LUT, LUT_DESCRIPTOR, LUT_DATA = 0x00283000, 0x00283010, 0x00283002, 0x00283006
PRESENTATION_SHAPE = 0x20500020
PALETTE_DESCRIPTORS = (0x00281101, 0x00281102, 0x00281103)
PALETTE_DATA = (0x00281201, 0x00281202, 0x00281203)
DISPLAY_TAGS = frozenset(
    (PADDING, PADDING_LIMIT, WINDOW_CENTER, WINDOW_WIDTH, VOI_FUNCTION, INTERCEPT, SLOPE, MODALITY_LUT, VOI_LUT)
    + (LUT_DESCRIPTOR, LUT_DATA, PRESENTATION_SHAPE)
    + PALETTE_DESCRIPTORS
    + PALETTE_DATA
)

Values = NDArray[np.float64]


def display(stored: NDArray[Any], header: DicomHeader) -> tuple[NDArray[np.float32], list[str]]:
    """Show stored values (h, w) as a film in [0, 1], air dark, with notes on what was done."""
    levels = grey_levels(stored)
    padding = _padding(levels.values, header)
    counts = np.where(padding, 0, levels.counts)
    if not counts.any():  # a padding value that covers everything is a mistake in the header
        padding, counts = np.zeros_like(padding), levels.counts
    output, notes = _modality(levels.values, header)
    shades, voi_note = _voi(output, counts, header)
    notes.append(voi_note)
    if header.text(PHOTOMETRIC) == "MONOCHROME1" or header.text(PRESENTATION_SHAPE) == "INVERSE":
        # DX demands INVERSE beside MONOCHROME1: both say the same, so one inversion answers both.
        shades = 1 - shades
        notes.append("inverted: low values are stored for bright bone")
    if padding.any():
        shades = np.where(padding, 0.0, shades)
        notes.append("padding shown as air")
    return levels.render(shades), notes


def _padding(values: Values, header: DicomHeader) -> NDArray[np.bool_]:
    bounds = header.words(PADDING, signed=is_signed(header))[:1]
    if not bounds:
        return np.zeros(len(values), dtype=np.bool_)
    bounds += header.words(PADDING_LIMIT, signed=is_signed(header))[:1]
    return (values >= min(bounds)) & (values <= max(bounds))


def _modality(values: Values, header: DicomHeader) -> tuple[Values, list[str]]:
    item = header.item(MODALITY_LUT)
    lut = _lut(item, signed=is_signed(header)) if item else None
    if lut is not None:
        first, table = lut
        return _look_up(values, first, table), ["modality LUT applied"]
    slope = (header.numbers(SLOPE) or (1.0,))[0]
    intercept = (header.numbers(INTERCEPT) or (0.0,))[0]
    if slope == 0:
        return values, ["a rescale slope of 0 was ignored"]
    return values * slope + intercept, []


def _voi(values: Values, counts: NDArray[np.int64], header: DicomHeader) -> tuple[Values, str]:
    """Shades (n,) by the first of LUT, window and percentiles that leaves a picture."""
    item = header.item(VOI_LUT)
    lut = _lut(item, signed=values.min() < 0) if item else None
    if lut is not None:
        first, table = lut
        shades = _look_up(values, first, table) / max(1.0, float(table.max()))
        if shows_a_film(shades, counts):
            return shades, "VOI LUT applied"
    centers, widths = header.numbers(WINDOW_CENTER), header.numbers(WINDOW_WIDTH)
    if not centers or not widths:
        return robust_stretch(values, counts), "no window in the file: scaled between percentiles 0.1 and 99.9"
    center, width, function = centers[0], widths[0], header.text(VOI_FUNCTION)
    if function not in ("LINEAR_EXACT", "SIGMOID"):
        function = "LINEAR"
    if width > 0:
        shades = _window(values, center, width, function)
        if shows_a_film(shades, counts):
            choice = f"first of {len(centers)} windows" if len(centers) > 1 else "window"
            return shades, f"{choice} applied: center {center:g}, width {width:g}, {function}"
    return robust_stretch(values, counts), "unusable window: scaled between percentiles 0.1 and 99.9"


def _window(values: Values, center: float, width: float, function: str) -> Values:
    """PS3.3 C.11.2.1.2 and C.11.2.1.3, with an output range of [0, 1]."""
    if function == "SIGMOID":
        return 1 / (1 + np.exp(np.clip(-4 * (values - center) / width, -700, 700)))
    if function != "LINEAR_EXACT":  # LINEAR counts whole values, so half a step and one step come off
        center, width = center - 0.5, max(width - 1, 1e-6)
    return np.clip((values - center) / width + 0.5, 0.0, 1.0)


def _look_up(values: Values, first: int, table: NDArray[np.uint16]) -> Values:
    places = np.clip(np.rint(values - first), 0, len(table) - 1).astype(np.int64)
    return table[places].astype(np.float64)


def _lut(item: DicomHeader, *, signed: bool) -> tuple[int, NDArray[np.uint16]] | None:
    """First mapped value and table (entries,); None when the item is damaged."""
    descriptor, data = item.words(LUT_DESCRIPTOR), item.raw(LUT_DATA)
    return _table(descriptor, item.words(LUT_DESCRIPTOR, signed=signed), data, item.encoding.little)


def _table(
    descriptor: tuple[int, ...], signed_descriptor: tuple[int, ...], data: memoryview, little: bool
) -> tuple[int, NDArray[np.uint16]] | None:
    if len(descriptor) != 3:
        return None
    entries = (descriptor[0] & 0xFFFF) or 1 << 16
    if len(data) >= 2 * entries:
        table = np.frombuffer(data[: 2 * entries], "<u2" if little else ">u2").astype(np.uint16)
    elif len(data) >= entries:
        table = np.frombuffer(data[:entries], np.uint8).astype(np.uint16)
    else:
        return None
    return signed_descriptor[1], table


def apply_palette(stored: NDArray[Any], header: DicomHeader) -> NDArray[np.uint16]:
    """Colors (h, w, 3), 16-bit, of palette indices (h, w). Raises UnreadableRadiograph when the palette is damaged."""
    tables = []
    for descriptor, data in zip(PALETTE_DESCRIPTORS, PALETTE_DATA, strict=True):
        words = header.words(descriptor)
        table = _table(words, words, header.raw(data), header.encoding.little)
        if table is None:
            raise UnreadableRadiograph(
                "The DICOM's color palette is missing or damaged", "Export the film as gray (MONOCHROME2)."
            )
        tables.append(table)
    # Entries of fewer than 16 bits, whatever the descriptor says of them, are known by the largest of the palette.
    used = max(8, max(int(shades.max()) for _, shades in tables).bit_length())
    channels = [
        np.rint(shades * (65535 / (2**used - 1))).astype(np.uint16)[
            np.clip(stored.astype(np.int64) - first, 0, len(shades) - 1)
        ]
        for first, shades in tables
    ]
    return np.stack(channels, axis=-1)
