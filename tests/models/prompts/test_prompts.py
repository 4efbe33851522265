"""From words to prompts, and the words that are refused."""

from __future__ import annotations

import pytest

from models.prompts.templates import (
    MAX_PROMPT_CHARS,
    MAX_TEMPLATES,
    TEMPLATES,
    Template,
    WrongPrompt,
    prompt_set,
)
from tests.support.wording import Wording


def test_every_template_is_filled() -> None:
    asked = prompt_set("  pleural   effusion ")
    assert asked.text == "pleural effusion"
    assert len(asked.positive) == len(asked.negative) == len(TEMPLATES) >= 5
    assert all("pleural effusion" in sentence for sentence in (*asked.positive, *asked.negative))
    assert not set(asked.positive) & set(asked.negative)


def test_own_templates_take_the_place_of_the_usual_ones() -> None:
    asked = prompt_set("a {mass}", [Template("I see {}.", "I see no {}.")])
    assert asked.positive == ("I see a {mass}.",)
    assert asked.negative == ("I see no a {mass}.",)


def test_braces_in_a_finding_are_only_words() -> None:
    assert prompt_set("{} and {0}", [Template("{}", "no {}")]).positive == ("{} and {0}",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "finding to look"),
        (" ?! ", "finding to look"),
        ("mass\nnodule", "several lines"),
        ("mass\u202e", "cannot be printed"),
        ("a" * (MAX_PROMPT_CHARS + 1), "too long"),
    ],
)
def test_a_finding_that_cannot_be_asked_says_why(text: str, words: str, wording: Wording) -> None:
    with pytest.raises(WrongPrompt) as caught:
        prompt_set(text)
    assert words in caught.value.title
    wording(caught.value.title)
    assert caught.value.detail


@pytest.mark.parametrize(
    ("templates", "words"),
    [
        ([], "There are 0 pairs"),
        ([Template("{}", "no {}")] * (MAX_TEMPLATES + 1), "33 pairs"),
        ([Template("with", "no {}")], "'with' cannot be filled"),
        ([Template("{}", "no {} and {}")], "cannot be filled"),
        ([Template("{}\n", "no {}")], "cannot be filled"),
        ([Template("{}" + "a" * MAX_PROMPT_CHARS, "no {}")], "cannot be filled"),
        ([Template("{}", "{}")], "is its own negative"),
    ],
)
def test_templates_that_cannot_be_filled_say_why(templates: list[Template], words: str) -> None:
    with pytest.raises(WrongPrompt) as caught:
        prompt_set("mass", templates)
    assert words in caught.value.title
    assert caught.value.detail
