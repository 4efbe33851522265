"""The ways themselves: which prompts are asked, and what is made of the answers. Findings u are asked, s were seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.array_types import Floating
from models.prompts.templates import PromptSet, Template, prompt_set
from models.prompts.terms import terms

PLAIN = (Template("{}", "no {}"),)


def name_alone(finding: str) -> PromptSet:
    """One pair of prompts: the finding's name, and "no" before it."""
    return prompt_set(finding.lower(), PLAIN)


def every_word(finding: str, templates: Sequence[Template]) -> PromptSet:
    """All words for the finding, radiologists' and lay, in all templates (2026 Task 2 A ensembles prompts)."""
    sets = [prompt_set(word, templates) for word in terms()[finding].taught]
    pairs = [(each.positive, each.negative) for each in sets]
    return PromptSet(
        text=finding.lower(),
        positive=tuple(text for positive, _ in pairs for text in positive),
        negative=tuple(text for _, negative in pairs for text in negative),
    )


def from_seen(evidence: Floating, likeness: Floating, temperature: float) -> Floating:
    """What a classifier of seen findings says of others (n, u), each finding the mean of those whose words are like it.

    `evidence` (n, s) is the classifier's, `likeness` (u, s) that of the words' directions. Weights are a softmax of
    likeness / temperature, as in ConSE (Norouzi et al., ICLR 2014, section 3, there over classes' probabilities).
    """
    power = (likeness - likeness.max(1, keepdims=True)) / temperature
    weights = np.exp(power)
    weights /= weights.sum(1, keepdims=True)
    found: Floating = evidence @ weights.T
    return found


def standardized(values: Floating, known: Floating) -> Floating:
    """Values (n, u) by mean and standard deviation of `known` (m, u): two branches on one scale."""
    found: Floating = (values - known.mean(0)) / np.maximum(known.std(0), 1e-9)
    return found


def dual_branch(text: Floating, branch: Floating, share: float) -> Floating:
    """Both branches (n, u), standardized, the classification branch with `share` (2026 Task 2 B; the rule is ours)."""
    found: Floating = (1 - share) * text + share * branch
    return found


def prototype_scores(features: Floating, pool: Floating, said: Floating, most: int) -> Floating:
    """Likeness (n, u) of features (n, d) to the mean of the `most` films of a pool that the words are surest of.

    `pool` (m, d) are films without labels, `said` (m, u) what the words say of them (2026 Task 2 G takes prototypes of
    classes from confident cases). Features are taken from the pool's mean, the likeness is a cosine.
    """
    middle = pool.mean(0)
    sure = np.argsort(-said, axis=0, kind="stable")[:most]
    prototypes = np.stack([pool[rows].mean(0) - middle for rows in sure.T])
    return _unit(features - middle) @ _unit(prototypes).T


def _unit(rows: Floating) -> Floating:
    lengths: Floating = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return rows / lengths
