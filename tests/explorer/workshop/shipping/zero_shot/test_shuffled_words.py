"""Prompts with their words in random order, beside the prompts themselves."""

from __future__ import annotations

from explorer.workshop.shipping.zero_shot.ways import shuffled_words
from models.prompts.templates import PromptSet

PROMPTS = PromptSet("mass", ("there is a mass", "mass"), ("there is no mass", "no mass"))


def test_every_prompt_is_kept_and_copied_with_its_own_words() -> None:
    found = shuffled_words(PROMPTS, 3)
    assert found.positive[:2] == PROMPTS.positive and found.negative[:2] == PROMPTS.negative
    assert len(found.positive) == len(found.negative) == 2 + 2 * 3
    assert {tuple(sorted(text.split())) for text in found.positive[2:5]} == {("a", "is", "mass", "there")}
    assert any(text != PROMPTS.positive[0] for text in found.positive[2:5])
    assert set(found.positive[5:]) == {"mass"}


def test_a_pair_of_equal_length_is_shuffled_alike() -> None:
    found = shuffled_words(PROMPTS, 5)
    for one, other in zip(found.positive[2:7], found.negative[2:7], strict=True):
        assert [{"a": "no"}.get(word, word) for word in one.split()] == other.split()


def test_a_seed_gives_the_same_order() -> None:
    assert shuffled_words(PROMPTS, 2, seed=4) == shuffled_words(PROMPTS, 2, seed=4)
