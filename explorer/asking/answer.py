"""The answer to one question about one film.

A margin is a difference of cosines. A score is the margin's pair softmax, sigmoid(scale * margin) with the model's
scale; it is not a probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.asking.predicted import PredictedShare
from explorer.asking.question import Question
from explorer.asking.spread import PromptSpread
from explorer.core.figures import Estimate
from explorer.core.rates import Rate
from explorer.reading.flag_verdict import CountedVerdict
from explorer.reading.map_worth import FindingMapAccuracy
from explorer.reading.percentiles import Percentile
from explorer.reading.reader import InputBox
from models.prompts.templates import Template

# Read's verdict on a flag; plain "flagged" if its reliability is unknown or the film is unlike the test films.
AskVerdict = Literal[CountedVerdict, "flagged", "not flagged", "cannot judge"]
# explorer.asking.verdict.DISTRUSTED lists the kinds that rule out a verdict.
CautionKind = Literal[
    "several findings", "not radiographic", "unknown word", "not English", "unclear abbreviation",
    "negated", "side or size", "abbreviation", "known weakness", "cut", "two meanings",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class NearFinding:
    """A known finding and the cosine between its nearest term and the question; 1 for the same words."""

    finding: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Caution:
    """A problem with a question, in words; `instead` is a better question, if there is one."""

    kind: CautionKind
    words: str
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class TextMeasurement:
    """Performance of a text on the validation films, by the labels of the matching finding.

    AUROC and average precision (chance level: the prevalence) are None without positives; the rates at the answer's
    threshold are None if it was not fitted. `cohort` describes the films.
    """

    finding: str
    cohort: str
    n: int
    positives: int
    auroc: Estimate | None
    average_precision: Estimate | None
    sensitivity: Rate | None
    specificity: Rate | None

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        return self.positives / self.n


@dataclass(frozen=True, slots=True)
class ClassifierScore:
    """The classifier's score of the finding; `difference` is the answer's percentile minus the classifier's, in points.

    `same_tower`: both use one image network, so agreement is not independent evidence.
    """

    model: str
    finding: str
    score: float
    threshold: float | None
    percentile: Percentile | None
    difference: float | None
    same_tower: bool


@dataclass(frozen=True, slots=True, eq=False)
class MarginMap:
    """A raw map (g, g) of the margin, in margin units, over the square input; `box` locates the film in that input.

    `maximum` is the top of the model's fixed scale, None without one. `worth` is how often such maps locate the
    matching finding, None if unknown.
    """

    map: NDArray[np.float32]
    box: InputBox
    maximum: float | None
    worth: FindingMapAccuracy | None = None


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """Durations in milliseconds; `text` is almost 0 for a repeated question."""

    wait: float  # in the queue
    image: float  # embedding the film, or projecting the classifier's features
    text: float  # analyzing the question, including the validation films
    heat: float


@dataclass(frozen=True, slots=True, eq=False)
class FilmAnswer:
    """The answer to one question.

    `scored` is the scored text, without any ignored negation; `templates` are the sentences it was put into. `said`
    completes the `verdict` with `predicted`, the share of such films that have the finding (None if unknown). `far`:
    the film is unlike the test films, so their rates may not apply. `threshold` is a margin, `threshold_rule` says how
    it was chosen, `fitted` whether on labeled films. `nearest` are known findings, nearest first; `taken_for` is the
    nearest one if it is near enough. `in_captions`: the model's training captions named that finding; None if unknown.
    `no_heat` says why `heat` is missing. `embedding` (d,) is reused for the next question.
    """

    question: Question
    scored: str
    templates: tuple[Template, ...]
    verdict: AskVerdict
    said: str
    why: str
    predicted: PredictedShare | None
    far: bool
    margin: float
    score: float
    threshold: float
    threshold_score: float
    threshold_rule: str
    fitted: bool
    spread: PromptSpread
    percentile: Percentile | None
    nearest: tuple[NearFinding, ...]
    taken_for: NearFinding | None
    warnings: tuple[Caution, ...]
    in_captions: bool | None
    measured: TextMeasurement | None
    beside: ClassifierScore | None
    heat: MarginMap | None
    no_heat: str
    embedding: NDArray[np.float32]
    model: str
    device: str
    times: AnswerTimes
