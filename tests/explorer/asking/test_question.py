"""What may be asked, and the sentence for what may not."""

from __future__ import annotations

import pytest

from explorer.asking.question import (
    MAX_PROMPT_CHARS,
    Question,
    WrongQuestion,
    checked_question,
    cut_question,
    template_lines,
)
from explorer.asking.suggestions import suggestions
from explorer.core.findings import FINDINGS
from models.prompts.templates import TEMPLATES, Template
from tests.support.wording import Wording


def test_a_line_is_trimmed_and_composed() -> None:
    assert checked_question("  pleural \t effusion ") == Question("pleural effusion")
    assert checked_question("e\u0301panchement").text == "\u00e9panchement"


@pytest.mark.parametrize(
    ("text", "asked", "cut_from"),
    [
        ("  pleural \t effusion ", "pleural effusion", None),
        ("x" * MAX_PROMPT_CHARS, "x" * MAX_PROMPT_CHARS, None),
        ("x" * 201, "x" * 200, 201),
        ("mass  " * 100, " ".join(["mass"] * 40), 499),  # 40 words and the blanks between them: 199
        ("a" * 200 + " mass", "a" * 200, 205),
        ("mass " + "x" * 5000 + "\n", "mass", 5005),
    ],
)
def test_of_a_long_text_the_first_whole_words_are_asked(text: str, asked: str, cut_from: int | None) -> None:
    assert cut_question(text) == Question(asked, None, cut_from)


def test_a_long_text_of_several_lines_is_refused_as_a_short_one_is() -> None:
    with pytest.raises(WrongQuestion, match="several lines"):
        cut_question("mass\n" + "effusion " * 40)


def test_templates_are_lines_with_two_sides() -> None:
    asked = checked_question("effusion", "{} | no {}\n\n  I see {}|I see no {}  \n")
    assert asked.templates == (Template("{}", "no {}"), Template("I see {}", "I see no {}"))


def test_the_models_templates_come_back_as_they_are() -> None:
    assert len(TEMPLATES) >= 5
    assert checked_question("effusion", template_lines(TEMPLATES)).templates == TEMPLATES


@pytest.mark.parametrize(
    ("text", "templates", "sentence"),
    [
        ("", None, "finding to look"),
        ("  ?! ", None, "finding to look"),
        ("effusion\nmass", None, "several lines"),
        ("effusion\x00", None, "cannot be printed"),
        ("effusion \u202emass", None, "cannot be printed"),
        ("x" * (MAX_PROMPT_CHARS + 1), None, "too long"),
        ("effusion", "", "0 pairs of templates"),
        ("effusion", "\n".join(f"{n} {{}} | no {{}}" for n in range(33)), "33 pairs of templates"),
        ("effusion", "with {}", "two sides"),
        ("effusion", "{} | no {} | perhaps {}", "two sides"),
        ("effusion", "{} | nothing", "cannot be filled"),
        ("effusion", "{} {} | no {}", "cannot be filled"),
        ("effusion", "{} | {}", "its own negative"),
    ],
)
def test_what_cannot_be_asked_is_said(text: str, templates: str | None, sentence: str, wording: Wording) -> None:
    with pytest.raises(WrongQuestion, match=sentence) as wrong:
        checked_question(text, templates)
    wording(wrong.value)
    assert wrong.value.detail.endswith(".") or "For example" in wrong.value.detail


def test_every_finding_is_suggested_by_name_and_no_word_twice() -> None:
    words = [each.word.casefold() for each in suggestions()]
    assert len(words) == len(set(words))
    assert (
        set(FINDINGS)
        == {each.finding for each in suggestions()}
        == {each.word for each in suggestions()} & set(FINDINGS)
    )
