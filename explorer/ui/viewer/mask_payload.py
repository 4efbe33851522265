"""Exact masks as plain JSON values, for the viewer: Simulate's and those of the cases of a simulated cohort."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.phantom import GLOBAL

Json = dict[str, Any]


def masks_payload(masks: Mapping[str, NDArray[np.bool_]]) -> list[Json]:
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
