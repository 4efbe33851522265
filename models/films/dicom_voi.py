"""Maps a DICOM film's values to shades of gray by its VOI LUT, its window or percentiles."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from models.films.dicom_lut import GrayValues, apply_lut
from models.films.dicom_walker import DicomHeader
from models.films.intensity import has_visible_grays, robust_stretch

WINDOW_CENTER, WINDOW_WIDTH, VOI_FUNCTION, VOI_LUT = 0x00281050, 0x00281051, 0x00281056, 0x00283010
VOI_TAGS = frozenset((WINDOW_CENTER, WINDOW_WIDTH, VOI_FUNCTION, VOI_LUT))
STRETCHED = "scaled between percentiles 0.1 and 99.9"
FUNCTIONS = {"LINEAR": "LINEAR", "LINEAREXACT": "LINEAR_EXACT", "SIGMOID": "SIGMOID", "SIGMOIDAL": "SIGMOID"}

Shades = tuple[GrayValues, str]  # shades and a note on how they were made
NoShades = tuple[None, str]  # no shades and the reason; empty if the file has no such element


def apply_voi(values: GrayValues, counts: NDArray[np.int64], header: DicomHeader) -> tuple[GrayValues, str]:
    """Return shades (n,) from the first of LUT, window and percentiles that leaves visible grays, and a note."""
    reasons: list[str] = []
    for shades, words in (_by_table(values, counts, header), _by_window(values, counts, header)):
        if shades is not None:
            return shades, "; ".join([*reasons, words])
        reasons += [words] if words else []
    return robust_stretch(values, counts), f"{'; '.join(reasons) or 'no window in the file'}: {STRETCHED}"


def _by_table(values: GrayValues, counts: NDArray[np.int64], header: DicomHeader) -> Shades | NoShades:
    item = header.item(VOI_LUT)
    if item is None:
        return None, ""
    found = apply_lut(values, item)
    if found is None:
        return None, "the file's VOI LUT is damaged"
    shades = found[0] / max(1.0, found[1])
    return (
        (shades, "VOI LUT applied") if has_visible_grays(shades, counts) else (None, "the file's VOI LUT shows nothing")
    )


def _by_window(values: GrayValues, counts: NDArray[np.int64], header: DicomHeader) -> Shades | NoShades:
    centers, widths = header.numbers_or_gaps(WINDOW_CENTER), header.numbers_or_gaps(WINDOW_WIDTH)
    if not centers and not widths:
        return None, ""
    if not centers or not widths:
        return None, f"the file's window has no {'width' if centers else 'center'}"
    pairs = [(center, width) for center, width in zip(centers, widths, strict=False) if None not in (center, width)]
    if not pairs:
        return None, "the file's window is not numeric"
    center, width = pairs[0]
    assert center is not None and width is not None
    if width <= 0:
        return None, f"the file's window has the width {width:g}"
    function, doubt = _function(header, width)
    shades = window(values, center, width, function)
    numbers = f"center {center:g}, width {width:g}, {function}{doubt}"
    if not has_visible_grays(shades, counts):
        return None, f"the file's window shows nothing ({numbers})"
    choice = f"first of {len(pairs)} windows" if len(pairs) > 1 else "window"
    return shades, f"{choice} applied: {numbers}"


def _function(header: DicomHeader, width: float) -> tuple[str, str]:
    """Return the window function in the standard's spelling, and what was unclear about it."""
    written = header.text(VOI_FUNCTION).upper()
    function = FUNCTIONS.get(re.sub("[^A-Z]", "", written))
    if written and not function:
        return "LINEAR", ", because the function is unknown"
    if function in (None, "LINEAR") and width < 1:  # LINEAR subtracts one from the width
        return "LINEAR_EXACT", ", because the width is below 1"
    return function or "LINEAR", ""


def window(values: GrayValues, center: float, width: float, function: str) -> GrayValues:
    """Apply a window by PS3.3 C.11.2.1.2 and C.11.2.1.3, with an output range of [0, 1]."""
    if function == "SIGMOID":
        return 1 / (1 + np.exp(np.clip(-4 * (values - center) / width, -700, 700)))
    if function != "LINEAR_EXACT":  # LINEAR counts whole values: half a step off the center, one step off the width
        center, width = center - 0.5, max(width - 1, 1e-6)
    return np.clip((values - center) / width + 0.5, 0.0, 1.0)
