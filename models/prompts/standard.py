"""What an image-text model is asked for each known finding wherever nobody typed anything: in cohorts and in cards."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from models.prompts.templates import PromptSet, Template, prompt_set
from models.prompts.terms import terms


def standard_prompts(templates: Sequence[Template]) -> dict[str, PromptSet]:
    """By finding: its own name, in small letters, in the model's templates."""
    return {finding: prompt_set(finding.lower(), templates) for finding in terms()}


def digest(asked: Mapping[str, PromptSet]) -> str:
    """Eight letters that change with any of the prompts."""
    lines = [text for each in asked.values() for text in (*each.positive, *each.negative)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]
