"""The map in the file is the map on the page: its colors, its scale, its place."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.exports.dicom.shown_map import MAGMA, OPACITY, magma, shown_map
from tests.explorer.analysis.exports.dicom.made_up import CARD, Box, heat

STATIC = Path(__file__).parents[5] / "explorer/ui/static"


def test_colors_and_opacity_are_those_of_the_viewer() -> None:
    script = (STATIC / "viewer/heat.js").read_text(encoding="utf-8")
    assert "".join(re.findall(r'"([0-9a-f]{40,})"', script)) == MAGMA
    assert OPACITY == 0.6
    assert magma(np.array([0.0, 1.0])).tolist() == [[0, 0, 4], [252, 253, 191]]


def test_a_pixel_has_the_value_that_the_viewer_gives_it() -> None:
    """By a plain loop over pixels and the four cells around each, as heat.js does it."""
    shown, box, cells = heat(), Box(), 12
    gray = np.random.default_rng(1).integers(0, 256, (40, 32), dtype=np.uint8)
    drawn = shown.over(gray)
    for y in range(40):
        for x in range(32):
            row, column = (
                min(cells - 1, max(0, (box.offset[side] + (at + 0.5) / length * box.inner[side]) * cells / 512 - 0.5))
                for side, (at, length) in enumerate([(y, 40), (x, 32)])
            )
            top, left = int(row), int(column)
            bottom, right = min(top + 1, cells - 1), min(left + 1, cells - 1)
            v = shown.values.astype(float)
            upper = v[top, left] + (v[top, right] - v[top, left]) * (column - left)
            lower = v[bottom, left] + (v[bottom, right] - v[bottom, left]) * (column - left)
            share = min(1.0, max(0.0, (upper + (lower - upper) * (row - top)) / shown.maximum))
            color = gray[y, x] * (1 - 0.6 * share) + magma(np.array(share)) * 0.6 * share
            assert drawn[y, x] == pytest.approx(color, abs=0.51)


def test_where_there_is_no_heat_the_film_is_as_it_was() -> None:
    gray = np.arange(256, dtype=np.uint8).reshape(16, 16)
    drawn = replace(heat(), values=np.zeros((4, 4), np.float32)).over(gray)
    assert (drawn == gray[..., None]).all()


def test_a_scale_that_is_of_this_film_alone_says_so() -> None:
    values = np.array([[0, 2.5], [1, 0]], np.float32)
    assert CARD.heat_maximum and heat().scale_words.startswith(f"0 to {CARD.heat_maximum:.1f} ")
    own = shown_map("Mass", values, Box(), replace(CARD, heat_maximum=None))
    assert own.maximum == 2.5 and "this film only" in own.scale_words
    assert "this film only" not in heat().scale_words
