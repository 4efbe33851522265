"""Boxes around masks."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.workshop.lab.phantom_shard import MAX_BOXES, mask_boxes


def test_each_large_piece_has_a_box_of_its_own() -> None:
    mask = np.zeros((40, 80), dtype=bool)
    mask[10:20, 8:16] = mask[30:40, 64:80] = True
    mask[0, 0] = True  # less than a piece
    assert [box for _, *box in mask_boxes({"Mass": mask})] == [
        pytest.approx([0.1, 0.25, 0.1, 0.25]),
        pytest.approx([0.8, 0.75, 0.2, 0.25]),
    ]


def test_many_pieces_have_one_box_and_a_global_finding_none() -> None:
    mask = np.zeros((40, 40), dtype=bool)
    mask[::8, ::8] = True
    assert mask.sum() > MAX_BOXES
    assert [(name, *box) for name, *box in mask_boxes({"Calcified Densities": mask, "Kyphosis": mask})] == [
        ("Calcified Densities", 0, 0, pytest.approx(33 / 40), pytest.approx(33 / 40))
    ]
    assert not list(mask_boxes({"Mass": np.zeros((4, 4), dtype=bool)}))
