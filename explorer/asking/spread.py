"""How far the answer depends on how the question is put: every prompt alone, on one scale with the answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.asking.common_scale import Unit, ends_of, places_of
from explorer.asking.prompts import Prompts
from explorer.metrics.calibration_curves import sigmoid
from models.array_types import Floating

# Of the prompts alone, this part on the other side of the threshold than the answer makes the answer unstable: that is
# said of 18 % of nih-mini-vlm's validation films (7 to 36 %, by text: the 90 words for findings whose AUROC is above
# chance). There the mean of sensitivity and specificity is 0.60, elsewhere 0.70. One prompt alone would say it of 45 %.
AGAINST = 0.25


@dataclass(frozen=True, slots=True)
class PromptScore:
    """What one pair of prompts alone says of the film: its score, and its place on the scale of the spread.

    A `paraphrase` asks in another word for the finding that the question is taken for.
    """

    positive: str
    negative: str
    score: float
    place: float
    paraphrase: bool


@dataclass(frozen=True, slots=True)
class Spread:
    """The answer, its threshold and every prompt alone, one or more, as places on one scale with these `ends`.

    See explorer.asking.common_scale. What is counted and said follows from the places alone. The answer is of all
    templates together, the mean of their embedded texts: its place need be none of the prompts', nor their mean.
    """

    unit: Unit
    ends: tuple[float, float]
    answer: float
    threshold: float
    prompts: tuple[PromptScore, ...]

    @property
    def flagged(self) -> bool:
        """Whether the answer lies at or above the threshold."""
        return self.answer >= self.threshold

    @property
    def above(self) -> int:
        """How many prompts alone put the film at or above the threshold."""
        return sum(each.place >= self.threshold for each in self.prompts)

    @property
    def against(self) -> int:
        """How many put it on the other side than the answer."""
        return len(self.prompts) - self.above if self.flagged else self.above

    @property
    def unstable(self) -> bool:
        """Whether so many prompts disagree with the answer that the wording decides."""
        return self.against >= AGAINST * len(self.prompts)

    @property
    def rule(self) -> str:
        """How many disagree, in a sentence."""
        return f"{self.against} of {len(self.prompts)} prompts put the film on the other side of the threshold."


def spread_of(prompts: Prompts, margins: Floating, scale: float, threshold: float, films: Floating | None) -> Spread:
    """The spread of a film's margins (1 + prompts,), the answer's own first, beside those of the validation films.

    `films` (n, 1 + prompts) are in the same order; None where there are none. `threshold` is a margin of the answer,
    `scale` turns a margin into the logit of a score.
    """
    unit, (answer, *places), cut = places_of(margins, threshold, films)
    scores = score_of(margins[1:], scale)
    each = tuple(
        PromptScore(pair.positive[0], pair.negative[0], float(score), place, number >= prompts.templates)
        for number, (pair, score, place) in enumerate(zip(prompts.alone, scores, places, strict=True))
    )
    return Spread(unit, ends_of(unit, [answer, cut, *places]), answer, cut, each)


def score_of(margin: Floating | float, scale: float) -> NDArray[np.float64]:
    """The pair softmax, sigmoid(scale * margin): 0.5 where the film is as near to prompts with as to those without."""
    return sigmoid(scale * np.asarray(margin, dtype=np.float64))
