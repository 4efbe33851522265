"""Outlines kept in eighths of their memory."""

from __future__ import annotations

import numpy as np

from explorer.reading.kept_outlines import KeptOutlines
from models.anatomy import Anatomy


def test_unpacked_they_are_as_they_were() -> None:
    random = np.random.default_rng(0)
    masks = {name: random.random((7, 13)) > 0.5 for name in ("right lung", "heart")}  # 91 pixels: not whole bytes
    kept = KeptOutlines.of(Anatomy(masks, ""))
    assert sum(each.nbytes for each in kept.packed.values()) == 24
    found = kept.unpacked()
    assert found.shape == (7, 13) and not found.wrong
    assert set(found) == set(masks)
    assert all((found[name] == mask).all() and found[name].dtype == bool for name, mask in masks.items())
