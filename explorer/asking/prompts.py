"""The prompt pairs of one question: combined for the answer, separate for the spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.prompts.templates import PromptSet, Template, prompt_set


@dataclass(frozen=True, slots=True)
class QuestionPrompts:
    """`together` gives the answer; `alone` lists its pairs separately, then one pair per paraphrase."""

    together: PromptSet
    alone: tuple[PromptSet, ...]
    templates: int  # how many of `alone` use the question's own text

    @property
    def all(self) -> tuple[PromptSet, ...]:
        return (self.together, *self.alone)


def question_prompts(text: str, templates: Sequence[Template], others: Sequence[str]) -> QuestionPrompts:
    """Return the prompts for a text; `others` are paraphrases, which use only the first template."""
    together = prompt_set(text, templates)
    pairs = zip(together.positive, together.negative, strict=True)
    own = [PromptSet(text, (positive,), (negative,)) for positive, negative in pairs]
    return QuestionPrompts(together, (*own, *(prompt_set(each, templates[:1]) for each in others)), len(own))
