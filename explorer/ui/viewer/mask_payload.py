"""Exact masks as JSON, for the viewer: in Simulate and for cases of a simulated cohort."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from explorer.simulator import GLOBAL

# Written as a call because `global` is a Python keyword.
MaskPayload = TypedDict("MaskPayload", {"finding": str, "size": list[int], "bits": str, "share": float, "global": bool})


def masks_payload(masks: Mapping[str, NDArray[np.bool_]]) -> list[MaskPayload]:
    """The masks (h, w) of a film by finding. `bits`: row by row, eight pixels a byte, the first in the highest bit.

    `share` is the masked share of the film; `global` findings change a whole region, which is their mask.
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
