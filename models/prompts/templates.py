"""Turns a visitor's words into prompts: pairs of a positive and a negative sentence to compare a film with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.refusal import Refusal

MAX_PROMPT_CHARS = 200  # characters; text towers read 64 to 256 tokens and silently drop the rest
MAX_TEMPLATES = 32
PLACEHOLDER = "{}"


class WrongPrompt(Refusal):
    """The text cannot be used as a prompt: `title` says what is wrong, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class Template:
    """Sentences for the presence and the absence of a finding; each contains {} once, in place of its name."""

    positive: str
    negative: str


# The first pair was used to evaluate CheXzero (Tiu et al., Nature Biomedical Engineering 2022).
TEMPLATES: tuple[Template, ...] = (
    Template("{}", "no {}"),
    Template("there is {}", "there is no {}"),
    Template("evidence of {}", "no evidence of {}"),
    Template("chest radiograph with {}", "chest radiograph without {}"),
    Template("the film shows {}", "the film does not show {}"),
    Template("findings are consistent with {}", "findings are not consistent with {}"),
)


@dataclass(frozen=True, slots=True)
class PromptSet:
    """The filled templates of one finding; `positive` and `negative` have equal length and correspond pair by pair."""

    text: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]


def prompt_set(text: str, templates: Sequence[Template] | None = None) -> PromptSet:
    """Fill the templates (by default `TEMPLATES`) with a finding's words. Raises WrongPrompt."""
    words = normalize_text(text)
    chosen = check_templates(TEMPLATES if templates is None else templates)
    return PromptSet(
        words,
        tuple(each.positive.replace(PLACEHOLDER, words) for each in chosen),
        tuple(each.negative.replace(PLACEHOLDER, words) for each in chosen),
    )


def normalize_text(text: str) -> str:
    """Return a finding's words with single spaces. Raises WrongPrompt if empty, too long or on several lines."""
    if "\n" in text.strip() or "\r" in text.strip():
        raise WrongPrompt("The finding has several lines", "Ask for one finding, on one line.")
    words = " ".join(text.split())
    if not any(letter.isalnum() for letter in words):
        raise WrongPrompt("There is no finding to look for", "Type one, for example: pleural effusion.")
    if not words.isprintable():
        raise WrongPrompt(
            "The finding contains characters that cannot be printed", "Type it again instead of pasting it."
        )
    if len(words) > MAX_PROMPT_CHARS:
        raise WrongPrompt(
            "The finding is too long",
            f"It has {len(words)} characters; the limit is {MAX_PROMPT_CHARS}. Use fewer words.",
        )
    return words


def check_templates(templates: Sequence[Template]) -> tuple[Template, ...]:
    """Return the templates after checking that each can be filled. Raises WrongPrompt."""
    if not 1 <= len(templates) <= MAX_TEMPLATES:
        raise WrongPrompt(
            f"There are {len(templates)} pairs of templates",
            f"Give 1 to {MAX_TEMPLATES}; five or more give steadier answers.",
        )
    for template in templates:
        for sentence in (template.positive, template.negative):
            if sentence.count(PLACEHOLDER) != 1 or len(sentence) > MAX_PROMPT_CHARS or not sentence.isprintable():
                raise WrongPrompt(
                    f"The template {sentence[:60]!r} cannot be filled",
                    f"It must be one line of at most {MAX_PROMPT_CHARS} characters with {PLACEHOLDER} once, "
                    "in place of the finding.",
                )
        if template.positive == template.negative:
            raise WrongPrompt(
                f"The template {template.positive[:60]!r} is its own negative",
                "Write the absence of the finding as its negative, for example: no {}.",
            )
    return tuple(templates)
