"""Measures how much the answer depends on wording: places every single prompt on one scale with the answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.asking.common_scale import ScaleUnit, places_on_scale, scale_ends
from explorer.asking.prompts import QuestionPrompts
from explorer.metrics.calibration_curves import sigmoid
from models.array_types import Floating

# With this share of single prompts on the other side of the threshold, the answer is unstable. This holds for 18 % of
# nih-mini-vlm's validation films (7 to 36 % by text, over 90 terms with AUROC above chance), where the mean of
# sensitivity and specificity is 0.60 instead of 0.70. Requiring only one such prompt would give 45 %.
UNSTABLE_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class PromptScore:
    """One pair of prompts: its score, and its place on the common scale.

    A `paraphrase` uses another term for the matching finding.
    """

    positive: str
    negative: str
    score: float
    place: float
    paraphrase: bool


@dataclass(frozen=True, slots=True)
class PromptSpread:
    """The answer, its threshold and each prompt (at least one) as places on a common scale with these `ends`.

    See explorer.asking.common_scale. The answer uses the mean of all templates' embeddings, so its place need not equal
    any prompt's, nor their mean.
    """

    unit: ScaleUnit
    ends: tuple[float, float]
    answer: float
    threshold: float
    prompts: tuple[PromptScore, ...]

    @property
    def flagged(self) -> bool:
        """Whether the answer is at or above the threshold."""
        return self.answer >= self.threshold

    @property
    def above(self) -> int:
        """Number of single prompts at or above the threshold."""
        return sum(each.place >= self.threshold for each in self.prompts)

    @property
    def against(self) -> int:
        """Number of single prompts on the side opposite the answer."""
        return len(self.prompts) - self.above if self.flagged else self.above

    @property
    def unstable(self) -> bool:
        """Whether so many prompts disagree that the answer depends on wording."""
        return self.against >= UNSTABLE_SHARE * len(self.prompts)

    @property
    def rule(self) -> str:
        """A sentence with the number of disagreeing prompts."""
        return f"{self.against} of {len(self.prompts)} prompts put the film on the other side of the threshold."


def prompt_spread(
    prompts: QuestionPrompts, margins: Floating, scale: float, threshold: float, films: Floating | None
) -> PromptSpread:
    """Return the spread of a film's margins (1 + prompts,), the answer's margin first.

    `films` (n, 1 + prompts) are the validation films' margins in the same order, or None. `threshold` is a margin of
    the answer; `scale` converts a margin to the logit of a score.
    """
    unit, (answer, *places), cut = places_on_scale(margins, threshold, films)
    scores = score_of(margins[1:], scale)
    each = tuple(
        PromptScore(pair.positive[0], pair.negative[0], float(score), place, number >= prompts.templates)
        for number, (pair, score, place) in enumerate(zip(prompts.alone, scores, places, strict=True))
    )
    return PromptSpread(unit, scale_ends(unit, [answer, cut, *places]), answer, cut, each)


def score_of(margin: Floating | float, scale: float) -> NDArray[np.float64]:
    """Return the pair softmax, sigmoid(scale * margin): 0.5 if the film is equally similar to both prompts."""
    return sigmoid(scale * np.asarray(margin, dtype=np.float64))
