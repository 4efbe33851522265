"""A checked question: one short line of text, and templates that turn it into sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.prompts.templates import MAX_PROMPT_CHARS, Template, check_templates, normalize_text
from models.prompts.templates import WrongPrompt as WrongQuestion

__all__ = ["MAX_PROMPT_CHARS", "Question", "WrongQuestion", "checked_question", "template_lines"]

SIDE_SEPARATOR = "|"  # separates the sides of a template
_BLANKS = re.compile(r"[^\S\r\n]+")  # leaves out line breaks, which `checked_question` refuses


@dataclass(frozen=True, slots=True)
class Question:
    """One line of text; `templates` are the visitor's own, None: the model's. Created by `checked_question`.

    `cut_from` is the original number of characters if the text was cut, else None.
    """

    text: str
    templates: tuple[Template, ...] | None = None
    cut_from: int | None = None


def checked_question(text: str, templates: str | None = None) -> Question:
    """Check a line of text; `templates` are lines "positive | negative". Raises WrongQuestion."""
    words = normalize_text(unicodedata.normalize("NFC", text))
    return Question(words, None if templates is None else _templates(templates))


def cut_question(text: str, templates: str | None = None) -> Question:
    """Check a text like `checked_question`, but cut a long one after whole words. Raises WrongQuestion."""
    words = _BLANKS.sub(" ", unicodedata.normalize("NFC", text).strip())
    if len(words) <= MAX_PROMPT_CHARS:
        return checked_question(text, templates)
    begun = words[: MAX_PROMPT_CHARS + 1].rpartition(" ")[0] or words[:MAX_PROMPT_CHARS]
    return replace(checked_question(begun, templates), cut_from=len(words))


def template_lines(templates: Sequence[Template]) -> str:
    """Format templates as the lines that `checked_question` reads."""
    return "\n".join(f"{each.positive} {SIDE_SEPARATOR} {each.negative}" for each in templates)


def _templates(text: str) -> tuple[Template, ...]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return check_templates([_template(line) for line in lines])


def _template(line: str) -> Template:
    sides = [side.strip() for side in line.split(SIDE_SEPARATOR)]
    if len(sides) != 2:
        raise WrongQuestion(
            f"The template {line[:60]!r} does not have two sides",
            "Write a line for each: with the finding | without it. For example: {} | no {}",
        )
    return Template(*sides)
