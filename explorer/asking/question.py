"""A question as it may be asked: one short line of text, and templates that put it into sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from models.prompts.templates import LONGEST, Template, checked_templates, checked_text
from models.prompts.templates import WrongPrompt as WrongQuestion

__all__ = ["LONGEST", "Question", "WrongQuestion", "lines_of", "question"]

BETWEEN = "|"  # the two sides of a template


@dataclass(frozen=True, slots=True)
class Question:
    """One line of text; `templates` are the visitor's own, None the model's. Made by `question`, which checks."""

    text: str
    templates: tuple[Template, ...] | None = None


def question(text: str, templates: str | None = None) -> Question:
    """The question of a line of text; `templates` are lines "positive | negative". Raises WrongQuestion."""
    words = checked_text(unicodedata.normalize("NFC", text))
    return Question(words, None if templates is None else _templates(templates))


def lines_of(templates: Sequence[Template]) -> str:
    """Templates as the lines that `question` reads."""
    return "\n".join(f"{each.positive} {BETWEEN} {each.negative}" for each in templates)


def _templates(text: str) -> tuple[Template, ...]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return checked_templates([_template(line) for line in lines])


def _template(line: str) -> Template:
    sides = [side.strip() for side in line.split(BETWEEN)]
    if len(sides) != 2:
        raise WrongQuestion(
            f"The template {line[:60]!r} does not have two sides",
            "Write a line for each: with the finding | without it. For example: {} | no {}",
        )
    return Template(*sides)
