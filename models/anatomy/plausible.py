"""Says why outlines of a chest cannot be right: sizes, sides and order of lungs and heart."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from models.array_types import Bools, Float32

LUNG_SHARES = (0.03, 0.40)  # of the film's area, each lung
HEART_SHARES = (0.02, 0.30)
LUNG_RATIO = 0.35  # the smaller lung's area as a share of the larger one's
SURE, POSSIBLE = 0.75, 0.25  # outputs of the network
FIRM_SHARE = 0.55  # 2 of 100 NIH films have less, as have gray squares, noise and other parts of the body


def what_is_wrong(masks: Mapping[str, Bools]) -> str:
    """Return why the outlines are implausible, as a sentence for readers; "" if they are plausible."""
    right, left, heart = (masks[name] for name in ("right lung", "left lung", "heart"))
    for name, mask, (least, most) in (
        ("The right lung", right, LUNG_SHARES),
        ("The left lung", left, LUNG_SHARES),
        ("The heart", heart, HEART_SHARES),
    ):
        if not least <= mask.mean() <= most:
            return f"{name} was not found."
    if min(right.mean(), left.mean()) < LUNG_RATIO * max(right.mean(), left.mean()):
        return "One lung was not found in full."
    places = [float(np.flatnonzero(mask.any(0)).mean()) for mask in (right, heart, left)]
    if not places[0] < places[1] < places[2]:
        return "Lungs and heart were not found in their places."
    rows = [float(np.flatnonzero(mask.any(1)).mean()) for mask in (right, heart, left)]
    if rows[1] < max(rows[0], rows[2]):
        return "The heart was not found between the lungs' lower parts."
    return ""


def what_is_unclear(outputs: Mapping[str, Float32]) -> str:
    """Return which part is unclear, as a sentence for readers, from the network's outputs (h, w) from 0 to 1.

    The area where a structure is sure must be most of the area where it is possible.
    """
    for name in ("right lung", "left lung", "heart"):
        sure, possible = (int((outputs[name] > cut).sum()) for cut in (SURE, POSSIBLE))
        if sure < FIRM_SHARE * possible:
            return f"The outline of the {name} is too uncertain on this film."
    return ""
