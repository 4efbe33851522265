"""Values of interest: which of a DICOM film's values become black and white, by its table, its window or neither."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from models.films.dicom_lut import Values, look_up
from models.films.dicom_walker import DicomHeader
from models.films.intensity import robust_stretch, shows_a_film

WINDOW_CENTER, WINDOW_WIDTH, VOI_FUNCTION, VOI_LUT = 0x00281050, 0x00281051, 0x00281056, 0x00283010
VOI_TAGS = frozenset((WINDOW_CENTER, WINDOW_WIDTH, VOI_FUNCTION, VOI_LUT))
STRETCHED = "scaled between percentiles 0.1 and 99.9"
FUNCTIONS = {"LINEAR": "LINEAR", "LINEAREXACT": "LINEAR_EXACT", "SIGMOID": "SIGMOID", "SIGMOIDAL": "SIGMOID"}

Shown = tuple[Values, str]  # shades, and how they were made
Unused = tuple[None, str]  # nothing, and why not; empty where the file has none


def voi(values: Values, counts: NDArray[np.int64], header: DicomHeader) -> tuple[Values, str]:
    """Shades (n,) by the first of table, window and percentiles that leaves a picture, and a note on what was done."""
    reasons: list[str] = []
    for shades, words in (_by_table(values, counts, header), _by_window(values, counts, header)):
        if shades is not None:
            return shades, "; ".join([*reasons, words])
        reasons += [words] if words else []
    return robust_stretch(values, counts), f"{'; '.join(reasons) or 'no window in the file'}: {STRETCHED}"


def _by_table(values: Values, counts: NDArray[np.int64], header: DicomHeader) -> Shown | Unused:
    item = header.item(VOI_LUT)
    if item is None:
        return None, ""
    found = look_up(values, item)
    if found is None:
        return None, "the file's VOI LUT is damaged"
    shades = found[0] / max(1.0, found[1])
    return (shades, "VOI LUT applied") if shows_a_film(shades, counts) else (None, "the file's VOI LUT shows nothing")


def _by_window(values: Values, counts: NDArray[np.int64], header: DicomHeader) -> Shown | Unused:
    centers, widths = header.numbers_or_gaps(WINDOW_CENTER), header.numbers_or_gaps(WINDOW_WIDTH)
    if not centers and not widths:
        return None, ""
    if not centers or not widths:
        return None, f"the file's window has no {'width' if centers else 'center'}"
    pairs = [(center, width) for center, width in zip(centers, widths, strict=False) if None not in (center, width)]
    if not pairs:
        return None, "the file's window is not given in numbers"
    center, width = pairs[0]
    assert center is not None and width is not None
    if width <= 0:
        return None, f"the file's window has the width {width:g}"
    function, doubt = _function(header, width)
    shades = window(values, center, width, function)
    numbers = f"center {center:g}, width {width:g}, {function}{doubt}"
    if not shows_a_film(shades, counts):
        return None, f"the file's window shows nothing ({numbers})"
    choice = f"first of {len(pairs)} windows" if len(pairs) > 1 else "window"
    return shades, f"{choice} applied: {numbers}"


def _function(header: DicomHeader, width: float) -> tuple[str, str]:
    """The function of a window as the standard spells it, and what was not clear about it."""
    written = header.text(VOI_FUNCTION).upper()
    function = FUNCTIONS.get(re.sub("[^A-Z]", "", written))
    if written and not function:
        return "LINEAR", ", for a function that is not known"
    if function in (None, "LINEAR") and width < 1:  # LINEAR takes one off the width
        return "LINEAR_EXACT", ", for a width below 1"
    return function or "LINEAR", ""


def window(values: Values, center: float, width: float, function: str) -> Values:
    """PS3.3 C.11.2.1.2 and C.11.2.1.3, with an output range of [0, 1]."""
    if function == "SIGMOID":
        return 1 / (1 + np.exp(np.clip(-4 * (values - center) / width, -700, 700)))
    if function != "LINEAR_EXACT":  # LINEAR counts whole values, so half a step and one step come off
        center, width = center - 0.5, max(width - 1, 1e-6)
    return np.clip((values - center) / width + 0.5, 0.0, 1.0)
