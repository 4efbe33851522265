"""The ways to ask for unseen findings, on numbers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.workshop.shipping.zero_shot.ways import (
    dual_branch,
    every_word,
    from_seen,
    name_alone,
    prototype_scores,
    standardize,
)
from models.prompts.templates import Template


def test_prompts_are_the_name_alone_or_every_word_in_every_template() -> None:
    alone = name_alone("Goiter")
    assert (alone.positive, alone.negative) == (("goiter",), ("no goiter",))
    both = every_word("Goiter", (Template("there is {}", "there is no {}"), Template("{} seen", "no {} seen")))
    assert len(both.positive) == len(both.negative) == 2 * 7, "five of radiologists' words and two lay ones"
    assert {"there is goiter", "swollen thyroid gland seen"} <= set(both.positive)
    assert both.negative[both.positive.index("swollen thyroid gland seen")] == "no swollen thyroid gland seen"
    assert not any("thyromegaly" in text for text in both.positive), "held-out words stay held out"


def test_a_finding_is_said_by_the_seen_ones_that_its_words_are_like() -> None:
    evidence = np.array([[2.0, -1.0], [0.0, 4.0]])
    likeness = np.array([[np.log(3) * 0.1, 0.0]])  # weights 3/4 and 1/4 at temperature 0.1
    assert from_seen(evidence, likeness, 0.1) == pytest.approx(np.array([[1.25], [1.0]]))
    assert from_seen(evidence, likeness, 1e-4) == pytest.approx(np.array([[2.0], [0.0]])), "the likest alone"


def test_branches_meet_on_one_scale() -> None:
    known = np.array([[1.0, 5.0], [3.0, 5.0]])
    assert standardize(np.array([[4.0, 5.0]]), known) == pytest.approx(np.array([[2.0, 0.0]]))
    mixed = dual_branch(np.array([[1.0]]), np.array([[-1.0]]), 0.25)
    assert mixed == pytest.approx(np.array([[0.5]]))


def test_a_prototype_is_the_mean_of_the_films_that_the_words_are_surest_of() -> None:
    pool = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 0.0], [-1.0, 0.0]])  # mean 0
    said = np.array([[0.9], [0.8], [0.1], [0.2]])
    features = np.array([[5.0, 0.0], [0.0, 3.0], [-2.0, 0.0], [1.0, 1.0]])
    found = prototype_scores(features, pool, said, 2)  # the prototype is (1, 0)
    assert found == pytest.approx(np.array([[1.0], [0.0], [-1.0], [np.sqrt(0.5)]]))
