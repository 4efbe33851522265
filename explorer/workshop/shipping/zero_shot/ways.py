"""The ways of asking for unseen findings: which prompts are used, and how answers are combined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.array_types import Floating
from models.prompts.templates import PromptSet, Template, prompt_set
from models.prompts.terms import terms

NAME_TEMPLATES = (Template("{}", "no {}"),)


def name_alone(finding: str) -> PromptSet:
    """Return one pair of prompts: the finding's name, with and without "no"."""
    return prompt_set(finding.lower(), NAME_TEMPLATES)


def every_word(finding: str, templates: Sequence[Template]) -> PromptSet:
    """Return prompts with every phrase for the finding in every template (2026 Task 2 A ensembles prompts)."""
    sets = [prompt_set(word, templates) for word in terms()[finding].taught]
    pairs = [(each.positive, each.negative) for each in sets]
    return PromptSet(
        text=finding.lower(),
        positive=tuple(text for positive, _ in pairs for text in positive),
        negative=tuple(text for _, negative in pairs for text in negative),
    )


def from_seen(evidence: Floating, likeness: Floating, temperature: float) -> Floating:
    """Return scores (n, u) of unseen findings as weighted means of a classifier's evidence for similar seen ones.

    `evidence` (n, s) comes from the classifier; `likeness` (u, s) is the similarity of the phrases' directions. Weights
    are a softmax of likeness / temperature, as in ConSE (Norouzi et al., ICLR 2014, section 3, which uses class
    probabilities).
    """
    power = (likeness - likeness.max(1, keepdims=True)) / temperature
    weights = np.exp(power)
    weights /= weights.sum(1, keepdims=True)
    found: Floating = evidence @ weights.T
    return found


def standardize(values: Floating, known: Floating) -> Floating:
    """Standardize values (n, u) by the mean and deviation of `known` (m, u), so that two branches share a scale."""
    found: Floating = (values - known.mean(0)) / np.maximum(known.std(0), 1e-9)
    return found


def dual_branch(text: Floating, branch: Floating, share: float) -> Floating:
    """Mix standardized branches (n, u), the classification branch with weight `share` (2026 Task 2 B; our rule)."""
    found: Floating = (1 - share) * text + share * branch
    return found


def prototype_scores(features: Floating, pool: Floating, confidence: Floating, most: int) -> Floating:
    """Return cosines (n, u) of features (n, d) with the mean of the pool's `most` most confident films.

    `pool` (m, d) are unlabeled films, `confidence` (m, u) their scores by text (2026 Task 2 G builds prototypes of
    classes from confident cases). Features are centered on the pool's mean.
    """
    middle = pool.mean(0)
    sure = np.argsort(-confidence, axis=0, kind="stable")[:most]
    prototypes = np.stack([pool[rows].mean(0) - middle for rows in sure.T])
    return _unit(features - middle) @ _unit(prototypes).T


def _unit(rows: Floating) -> Floating:
    lengths: Floating = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return rows / lengths


def shuffled_words(prompts: PromptSet, copies: int, seed: int = 0) -> PromptSet:
    """Return the prompts and `copies` of each with its words in random order, at inference (2026 Task 2 B).

    B applies "text shuffling" without saying what is shuffled; words are Tailscope's reading. A prompt and its negative
    are shuffled by the same order where they have as many words.
    """
    random = np.random.default_rng(seed)

    def shuffled(text: str, order: Sequence[float]) -> str:
        words = text.split()
        return " ".join(words[place] for place in np.argsort(order[: len(words)], kind="stable"))

    positive, negative = list(prompts.positive), list(prompts.negative)
    for one, other in zip(prompts.positive, prompts.negative, strict=True):
        for _ in range(copies):
            order = random.random(max(len(one.split()), len(other.split()))).tolist()
            positive.append(shuffled(one, order))
            negative.append(shuffled(other, order))
    return PromptSet(prompts.text, tuple(positive), tuple(negative))
