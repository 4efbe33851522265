"""Outlines that cannot be a chest's are recognized, with the reason."""

import numpy as np
import pytest

from models.anatomy.plausible import what_is_unclear, what_is_wrong
from models.array_types import Bools
from tests.models.anatomy.drawn import drawn_chest


def test_a_drawn_chest_is_plausible() -> None:
    assert what_is_wrong(drawn_chest()) == ""


@pytest.mark.parametrize(
    ("name", "rows", "columns", "reason"),
    [
        ("right lung", slice(0), slice(0), "The right lung was not found."),
        ("left lung", slice(0, 100), slice(0, 60), "The left lung was not found."),
        ("heart", slice(40, 45), slice(40, 60), "The heart was not found."),
        ("left lung", slice(10, 26), slice(60, 90), "One lung was not found in full."),
        ("heart", slice(10, 40), slice(40, 60), "The heart was not found between the lungs' lower parts."),
        ("right lung", slice(10, 70), slice(60, 90), "Lungs and heart were not found in their places."),
    ],
)
def test_a_wrong_part_is_named(name: str, rows: slice, columns: slice, reason: str) -> None:
    masks: dict[str, Bools] = {**drawn_chest(), name: np.zeros((100, 100), bool)}
    masks[name][rows, columns] = True
    assert what_is_wrong(masks) == reason


@pytest.mark.parametrize(
    ("sure", "reason"), [(60, ""), (50, "The outline of the heart is too uncertain on this film.")]
)
def test_an_outline_must_be_firm_on_most_of_its_area(sure: int, reason: str) -> None:
    """The heart is possible on 100 cells; more than 55 of them must be sure."""
    outputs = {name: np.full((1, 100), 0.9, np.float32) for name in ("right lung", "left lung", "heart")}
    outputs["heart"][0, sure:] = 0.5
    assert what_is_unclear(outputs) == reason
