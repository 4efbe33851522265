"""The pairs of prompts that one question is scored with: together for the answer, each alone for the spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.prompts.templates import PromptSet, Template, prompt_set


@dataclass(frozen=True, slots=True)
class Prompts:
    """`together` gives the answer; `alone` are its pairs one by one, then one pair for each paraphrase."""

    together: PromptSet
    alone: tuple[PromptSet, ...]
    templates: int  # how many of `alone` are of the question's own text

    @property
    def all(self) -> tuple[PromptSet, ...]:
        return (self.together, *self.alone)


def prompts_of(text: str, templates: Sequence[Template], others: Sequence[str]) -> Prompts:
    """The prompts for a text; `others` are paraphrases, each put into the first template."""
    together = prompt_set(text, templates)
    pairs = zip(together.positive, together.negative, strict=True)
    own = [PromptSet(text, (positive,), (negative,)) for positive, negative in pairs]
    return Prompts(together, (*own, *(prompt_set(each, templates[:1]) for each in others)), len(own))
