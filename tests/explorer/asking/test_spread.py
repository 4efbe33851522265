"""When the wording decides."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.asking.prompts import Prompts, prompts_of
from explorer.asking.spread import place_of, spread_of
from models.prompts.templates import TEMPLATES

FOUR: Prompts = prompts_of("mass", TEMPLATES[:3], ("lump",))
FILMS = np.linspace(-1, 1, 201)[:, None] + np.array([0, 0, 0, 0, 0.0])


def test_pairs_come_alone_and_paraphrases_in_the_first_template() -> None:
    assert [each.positive for each in FOUR.alone] == [("mass",), ("there is mass",), ("evidence of mass",), ("lump",)]
    assert FOUR.templates == 3 and len(FOUR.all) == 5


@pytest.mark.parametrize(
    ("margins", "unstable"), [([0.3, 0.2, 0.4, 0.5, 0.1], False), ([0.3, 0.2, -0.4, 0.5, 0.1], True)]
)
def test_one_prompt_in_four_on_the_other_side_is_unstable(margins: list[float], unstable: bool) -> None:
    for films in (None, FILMS):
        spread = spread_of(FOUR, np.array(margins), 10.0, 0.0, films)
        assert spread.unstable is unstable
        assert spread.rule.startswith(f"{int(unstable)} of 4 prompts")


def test_the_offset_of_a_prompt_is_no_disagreement() -> None:
    offsets = np.array([0, 0.8, -0.8, 0.5, -0.5])
    spread = spread_of(FOUR, 0.1 + offsets, 10.0, 0.0, FILMS + offsets)
    assert not spread.unstable
    assert spread.percentiles == (pytest.approx(55, abs=0.3), pytest.approx(55, abs=0.3))
    assert spread_of(FOUR, 0.1 + offsets, 10.0, 0.0, None).unstable  # without films nobody can tell


def test_low_median_and_high_are_scores() -> None:
    spread = spread_of(FOUR, np.array([0, -0.1, 0, 0, 0.1]), 10.0, 0.0, None)
    assert (spread.low, spread.median, spread.high) == pytest.approx((0.269, 0.5, 0.731), abs=1e-3)
    assert [each.paraphrase for each in spread.prompts] == [False, False, False, True]


def test_equal_films_count_half() -> None:
    assert place_of(1.0, np.array([0.0, 1.0, 1.0, 2.0])) == 50
