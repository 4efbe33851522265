"""Exact masks as plain JSON values, for the viewer: Simulate's and those of the cases of a simulated cohort."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from explorer.simulator import GLOBAL

# Not in a class: `global` is a word of Python's own.
MaskPayload = TypedDict("MaskPayload", {"finding": str, "size": list[int], "bits": str, "share": float, "global": bool})


def masks_payload(masks: Mapping[str, NDArray[np.bool_]]) -> list[MaskPayload]:
    """The masks (h, w) of a film by finding: `bits` by rows, eight pixels a byte, the first in the highest bit.

    `share` is that of the film; `global` findings bend or dim a whole region, and their mask is that region.
    """
    return [
        {
            "finding": finding,
            "size": list(mask.shape),
            "bits": base64.b64encode(np.packbits(mask).tobytes()).decode("ascii"),
            "share": float(mask.mean()),
            "global": finding in GLOBAL,
        }
        for finding, mask in masks.items()
    ]
