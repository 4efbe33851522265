"""The DICOM grayscale pipeline: stored value -> modality LUT -> VOI -> polarity -> [0, 1].

Each step depends only on the stored value, so it runs on a table of the distinct values instead of on the pixels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.films.dicom_layout import padding_bounds, photometric
from models.films.dicom_lut import LUT_TAGS, GrayValues, apply_lut
from models.films.dicom_voi import VOI_TAGS, apply_voi
from models.films.dicom_walker import DicomHeader
from models.films.intensity import gray_levels

INTERCEPT, SLOPE = 0x00281052, 0x00281053
MODALITY_LUT, PRESENTATION_SHAPE = 0x00283000, 0x20500020
DISPLAY_TAGS = LUT_TAGS | VOI_TAGS | {INTERCEPT, SLOPE, MODALITY_LUT, PRESENTATION_SHAPE}


def display(stored: NDArray[Any], header: DicomHeader) -> tuple[NDArray[np.float32], list[str]]:
    """Convert stored values (h, w) to a film in [0, 1], air dark; also return notes on what was done."""
    levels = gray_levels(stored)
    padding = _padding(levels.values, header)
    counts = np.where(padding, 0, levels.counts)
    if not counts.any():  # a padding value that covers the whole image is a header mistake
        padding, counts = np.zeros_like(padding), levels.counts
    output, notes = _modality(levels.values, header)
    shades, voi_note = apply_voi(output, counts, header)
    notes.append(voi_note)
    if photometric(header) == "MONOCHROME1" or header.text(PRESENTATION_SHAPE).upper() == "INVERSE":
        # DX requires INVERSE with MONOCHROME1: both mean the same, so invert only once.
        shades = 1 - shades
        notes.append("inverted: bone is stored as low values")
    if padding.any():
        shades = np.where(padding, 0.0, shades)
        notes.append("padding shown as air")
    return levels.render(shades), notes


def _padding(values: GrayValues, header: DicomHeader) -> NDArray[np.bool_]:
    bounds = padding_bounds(header)
    if bounds is None:
        return np.zeros(len(values), dtype=np.bool_)
    return (values >= bounds[0]) & (values <= bounds[1])


def _modality(values: GrayValues, header: DicomHeader) -> tuple[GrayValues, list[str]]:
    item = header.item(MODALITY_LUT)
    found = apply_lut(values, item) if item else None
    if found is not None:
        return found[0], ["modality LUT applied"]
    notes = ["the file's modality LUT is damaged and was ignored"] if item else []
    (slope, slope_notes), (intercept, intercept_notes) = (
        _rescale(header, SLOPE, "slope", 1.0),
        _rescale(header, INTERCEPT, "intercept", 0.0),
    )
    notes += [*slope_notes, *intercept_notes]
    if slope == 0:
        return values, [*notes, "a rescale slope of 0 was ignored"]
    return values * slope + intercept, notes


def _rescale(header: DicomHeader, tag: int, name: str, default: float) -> tuple[float, list[str]]:
    numbers = header.numbers(tag)
    unread = bool(header.texts(tag)) and not numbers
    return (numbers or (default,))[0], [f"the rescale {name} is not a number: taken as {default:g}"] * unread
