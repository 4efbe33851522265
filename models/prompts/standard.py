"""The standard prompt of each known finding, used in cohorts and cards, where no one types a text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from models.prompts.templates import PromptSet, Template, prompt_set
from models.prompts.terms import terms


def standard_prompts(templates: Sequence[Template]) -> dict[str, PromptSet]:
    """Return the prompts by finding: the finding's lowercase name in the model's templates."""
    return {finding: prompt_set(finding.lower(), templates) for finding in terms()}


def prompts_digest(prompts: Mapping[str, PromptSet]) -> str:
    """Return eight hexadecimal digits that change if any of the prompts changes."""
    lines = [text for each in prompts.values() for text in (*each.positive, *each.negative)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]
