"""Draws boxes around masks, for comparisons that use boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects, label

from explorer.simulator.request import GLOBAL

MAX_BOXES = 4  # boxes per finding and film; a mask with more pieces gets a single box
MIN_PIECE_SHARE = 0.03  # share of the mask that a piece needs for its own box


def mask_boxes(masks: Mapping[str, NDArray[np.bool_]]) -> Iterator[tuple[str, float, float, float, float]]:
    """Yield finding, left, top, width and height in fractions of the film's sides; skips global findings."""
    for finding, mask in masks.items():
        if finding in GLOBAL or not mask.any():
            continue
        pieces, count = label(mask)
        sizes = np.bincount(pieces.ravel())[1:]
        places = find_objects(pieces)
        large = [places[piece] for piece in range(count) if sizes[piece] >= MIN_PIECE_SHARE * mask.sum()]
        for rows, columns in large if len(large) <= MAX_BOXES else find_objects(mask.astype(np.uint8)):
            height, width = mask.shape
            yield (
                finding,
                columns.start / width,
                rows.start / height,
                (columns.stop - columns.start) / width,
                (rows.stop - rows.start) / height,
            )
