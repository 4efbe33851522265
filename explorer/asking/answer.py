"""What is said of one question about one film. Margins are cosine differences, scores their pair softmax.

A score is sigmoid(scale * margin) with the model's own scale: no probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.asking.predicted import Predicted
from explorer.asking.question import Question
from explorer.asking.spread import Spread
from explorer.core.figures import Estimate
from explorer.core.rates import Rate
from explorer.reading.flag_verdict import CountedVerdict
from explorer.reading.map_worth import FindingMapWorth
from explorer.reading.percentiles import Percentile
from explorer.reading.reader import InputBox
from models.prompts.templates import Template

# Read's verdict on a flag; "flagged" alone where nobody knows how often it is right, and of a far film.
Verdict = Literal[CountedVerdict, "flagged", "not flagged", "cannot judge"]
# explorer.asking.verdict.DISTRUSTED lists those that forbid a verdict.
Kind = Literal[
    "several findings", "not radiographic", "unknown word", "not English", "unclear abbreviation",
    "negated", "side or size", "abbreviation", "known weakness", "cut", "two meanings",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class NearFinding:
    """A known finding and how like the question its nearest word is: cosine, 1 for the same words."""

    finding: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Caution:
    """What is wrong with a question, in a sentence or two; `instead` is a text to ask in its place, if there is one."""

    kind: Kind
    words: str
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """How good this text is on the validation films, counted against the labels of the finding it is taken for.

    AUROC and average precision (chance: the prevalence) are None without positives; the rates, at the threshold of the
    answer, are None where it was not fitted. `cohort` says in words which films.
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
        """Positives / n."""
        return self.positives / self.n


@dataclass(frozen=True, slots=True)
class Beside:
    """The classifier's word on the finding; `difference` is the answer's percentile minus the classifier's, points.

    `same_tower`: the answer was computed from what the classifier saw, so that their agreement confirms nothing.
    """

    model: str
    finding: str
    score: float
    threshold: float | None
    percentile: Percentile | None
    difference: float | None
    same_tower: bool


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """Where the margin comes from: raw map (g, g) in margin units over the square input, `box` where the film lies.

    `maximum` ends the model's own fixed scale, None where it has none. `worth`: how often such maps find the finding
    that the text is taken for, None where that is not known.
    """

    map: NDArray[np.float32]
    box: InputBox
    maximum: float | None
    worth: FindingMapWorth | None = None


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds. `text` is next to nothing where the same was asked before."""

    wait: float  # in line
    image: float  # embedding of the film, or the projection of what the classifier had seen
    text: float  # prompts, paraphrases, what the question is taken for, the validation films
    heat: float


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """One question, answered. `scored` is the text that was scored: the question without a negation that was ignored.
    `templates` are those it was put into.

    `verdict` goes on with `said`, of how many such films have the finding: `predicted`, None where nobody knows. `far`:
    the film is unlike the test films, whose rates may not apply. `threshold` is a margin, `threshold_rule` says how it
    was chosen, `fitted` whether labeled films had a say. `nearest` are known findings, nearest first; `taken_for` is
    the first where it is near enough. `in_captions` says whether that finding stood in the model's training captions,
    None where nobody knows. `no_heat` says why there is no `heat`. `embedding` (d,) serves the next question.
    """

    question: Question
    scored: str
    templates: tuple[Template, ...]
    verdict: Verdict
    said: str
    why: str
    predicted: Predicted | None
    far: bool
    margin: float
    score: float
    threshold: float
    threshold_score: float
    threshold_rule: str
    fitted: bool
    spread: Spread
    percentile: Percentile | None
    nearest: tuple[NearFinding, ...]
    taken_for: NearFinding | None
    warnings: tuple[Caution, ...]
    in_captions: bool | None
    measured: Measured | None
    beside: Beside | None
    heat: Mapped | None
    no_heat: str
    embedding: NDArray[np.float32]
    model: str
    device: str
    times: Times
