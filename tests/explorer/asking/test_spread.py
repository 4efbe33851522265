"""Answer, threshold and prompts on one scale, and when the wording decides."""

from __future__ import annotations

import re

import numpy as np
import pytest

from explorer.asking.common_scale import percentile_of, scale_ends
from explorer.asking.prompts import QuestionPrompts, question_prompts
from explorer.asking.spread import UNSTABLE_SHARE, prompt_spread
from models.prompts.templates import TEMPLATES
from tests.support.wording import Wording

FOUR: QuestionPrompts = question_prompts("mass", TEMPLATES[:3], ("lump",))
FILMS = np.linspace(-1, 1, 201)[:, None] + np.array([0, 0, 0, 0, 0.0])


def test_pairs_come_alone_and_paraphrases_in_the_first_template() -> None:
    assert [each.positive for each in FOUR.alone] == [("mass",), ("there is mass",), ("evidence of mass",), ("lump",)]
    assert FOUR.templates == 3 and len(FOUR.all) == 5


@pytest.mark.parametrize(
    ("margins", "unstable"), [([0.3, 0.2, 0.4, 0.5, 0.1], False), ([0.3, 0.2, -0.4, 0.5, 0.1], True)]
)
def test_one_prompt_in_four_on_the_other_side_is_unstable(
    margins: list[float], unstable: bool, wording: Wording
) -> None:
    for films in (None, FILMS):
        spread = prompt_spread(FOUR, np.array(margins), 10.0, 0.0, films)
        assert spread.unstable is unstable
        wording(spread.rule, int(unstable), "4 prompts")


def test_the_offset_of_a_prompt_is_no_disagreement() -> None:
    offsets = np.array([0, 0.8, -0.8, 0.5, -0.5])
    spread = prompt_spread(FOUR, 0.1 + offsets, 10.0, 0.0, FILMS + offsets)
    assert not spread.unstable and spread.unit == "percentile"
    assert [each.place for each in spread.prompts] == pytest.approx([55] * 4, abs=0.3)
    assert prompt_spread(FOUR, 0.1 + offsets, 10.0, 0.0, None).unstable  # without films nobody can tell


def test_every_prompt_has_a_score_and_paraphrases_are_marked() -> None:
    spread = prompt_spread(FOUR, np.array([0, -0.1, 0, 0, 0.1]), 10.0, 0.0, None)
    assert [each.score for each in spread.prompts] == pytest.approx([0.269, 0.5, 0.5, 0.731], abs=1e-3)
    assert [each.paraphrase for each in spread.prompts] == [False, False, False, True]


def test_without_films_all_places_are_margins_held_against_one_threshold() -> None:
    spread = prompt_spread(FOUR, np.array([0.012, 0.03, -0.02, 0.01, 0.02]), 10.0, 0.01, None)
    assert (spread.unit, spread.answer, spread.threshold, spread.ends) == ("margin", 0.012, 0.01, (-0.05, 0.05))
    assert [each.place for each in spread.prompts] == [0.03, -0.02, 0.01, 0.02] and spread.above == 3


def test_each_prompts_own_threshold_calls_the_same_share_of_films() -> None:
    """The definition: by its own margins a prompt flags those films whose percentile reaches the threshold's."""
    random = np.random.default_rng(4)
    films = random.normal(size=(500, 5)) * [1, 0.3, 2, 1, 0.1] / 10 + random.normal(size=5) / 5
    threshold = 0.02 + float(np.median(films[:, 0]))
    called = (films[:, 0] >= threshold).sum()
    spreads = [prompt_spread(FOUR, film, 10.0, threshold, films) for film in films]
    for prompt in range(4):
        assert sum(each.prompts[prompt].place >= each.threshold for each in spreads) == called
    assert [each.flagged for each in spreads] == (films[:, 0] >= threshold).tolist()


def test_the_order_of_margins_is_the_order_of_percentiles_even_between_two_films() -> None:
    random = np.random.default_rng(5)
    films = random.normal(size=40).astype(np.float32) / 20
    margins = np.sort(np.concatenate([random.uniform(-0.3, 0.3, 400), films.astype(float), [-1.9, 1.9]]))
    found = [percentile_of(float(each), films) for each in margins]
    assert all(low < high for low, high in zip(found, found[1:], strict=False))
    assert found[0] > 0 and found[-1] < 100


def test_equal_films_count_half() -> None:
    assert percentile_of(1.0, np.array([0.0, 1.0, 1.0, 1.5])) == 50


@pytest.mark.parametrize(("largest", "end"), [(0.0031, 0.005), (0.005, 0.005), (0.7, 1), (1.0, 1), (0.0, 1), (1.7, 2)])
def test_the_scale_of_margins_holds_all_of_them(largest: float, end: float) -> None:
    assert scale_ends("margin", [0.0, -largest]) == pytest.approx((-end, end))


@pytest.mark.parametrize("with_films", [True, False])
def test_every_count_follows_from_the_places(with_films: bool) -> None:
    random = np.random.default_rng(6)
    for _ in range(200):
        films = random.normal(size=(30, 5)) / 50 + random.normal(size=5) / 20 if with_films else None
        margins, threshold = random.normal(size=5) / 50, float(random.normal() / 50)
        spread = prompt_spread(FOUR, margins, 30.0, threshold, films)
        sides = [each.place >= spread.threshold for each in spread.prompts]
        assert spread.flagged == (spread.answer >= spread.threshold) == (margins[0] >= threshold)
        assert spread.above == sum(sides) and spread.against == sum(side != spread.flagged for side in sides)
        said = re.match(r"(\d+) of (\d+) prompts", spread.rule)
        assert said and tuple(map(int, said.groups())) == (spread.against, 4)
        assert spread.unstable == (spread.against >= UNSTABLE_SHARE * 4)
        low, high = spread.ends
        assert all(
            low <= place <= high for place in (spread.answer, spread.threshold, *(p.place for p in spread.prompts))
        )
