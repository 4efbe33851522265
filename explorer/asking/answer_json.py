"""An answer as plain JSON values: for the page, for `/ask` and for exports."""

from __future__ import annotations

from typing import TypedDict

from explorer.asking.answer import Asked, Beside, Kind, Measured, NearFinding, Verdict
from explorer.asking.common_scale import Unit
from explorer.asking.predicted import Predicted
from explorer.asking.spread import Spread
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.figures import Estimate
from explorer.reading.finding_json import PercentileAnswer, RateAnswer, percentile_payload, rate_payload


class NearAnswer(TypedDict):
    """A known finding, and the cosine of the question with its nearest word; 1 for the same words."""

    finding: str
    similarity: float


class CautionAnswer(TypedDict):
    """What is wrong with the question; `instead` is a text to ask in its place, null where there is none."""

    kind: Kind
    words: str
    instead: str | None


class PromptAnswer(TypedDict):
    """What one pair of prompts says alone: its score, its place on the scale of the spread, and on which side."""

    positive: str
    negative: str
    score: float
    place: float
    above: bool
    paraphrase: bool


class SpreadAnswer(TypedDict):
    """The answer, its threshold and every prompt on one scale with these ends: percentiles or margins, by `unit`.

    `above` prompts put the film at or above the threshold, `against` on the other side of it than the answer, which is
    `unstable` where these are many; `rule` says it.
    """

    unit: Unit
    ends: list[float]
    answer: float
    threshold: float
    above: int
    against: int
    unstable: bool
    rule: str
    prompts: list[PromptAnswer]


class PredictedAnswer(TypedDict):
    """The share of films on this side of the threshold with the finding, and its 95 % interval, at a prevalence.

    All from 0 to 1; `typed`: the prevalence is the visitor's, else that of the labeled films.
    """

    share: float
    low: float
    high: float
    prevalence: float
    typed: bool


class EstimateAnswer(TypedDict):
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


class MeasuredAnswer(TypedDict):
    """How good this text is on `n` validation films by the labels of `finding`; null: cannot be measured."""

    finding: str
    cohort: str
    n: int
    positives: int
    prevalence: float
    auroc: EstimateAnswer | None
    average_precision: EstimateAnswer | None
    sensitivity: RateAnswer | None
    specificity: RateAnswer | None


class BesideAnswer(TypedDict):
    """The classifier on the same finding; `difference` is the answer's percentile minus its, in points.

    `same_tower`: both see through one image tower, so that their agreement confirms nothing.
    """

    model: str
    finding: str
    score: float
    threshold: float | None
    percentile: PercentileAnswer | None
    difference: float | None
    same_tower: bool


class AskAnswer(TypedDict):
    """One question answered; `score` is not a probability, `margin` and `threshold` are cosine differences.

    `said` goes on from the verdict in words; `far`: the film is unlike the test films. `scored` is the text that was
    scored, `taken_for` the known finding it is taken for. Null: not known, or nothing.
    """

    question: str
    scored: str
    templates: list[list[str]]
    verdict: Verdict
    said: str
    why: str
    predicted: PredictedAnswer | None
    far: bool
    score: float
    threshold_score: float
    margin: float
    threshold: float
    threshold_rule: str
    fitted: bool
    spread: SpreadAnswer
    percentile: PercentileAnswer | None
    taken_for: NearAnswer | None
    nearest: list[NearAnswer]
    in_captions: bool | None
    warnings: list[CautionAnswer]
    measured: MeasuredAnswer | None
    beside: BesideAnswer | None
    model: str
    device: str
    simulated: bool
    timings_ms: dict[str, float]
    use: str


def ask_payload(asked: Asked, *, simulated: bool = False) -> AskAnswer:
    """The answer without its heat map; `simulated` is the film."""
    return {
        "question": asked.question.text,
        "scored": asked.scored,
        "templates": [[each.positive, each.negative] for each in asked.templates],
        "verdict": asked.verdict,
        "said": asked.said,
        "why": asked.why,
        "predicted": predicted_payload(asked.predicted),
        "far": asked.far,
        "score": asked.score,
        "threshold_score": asked.threshold_score,
        "margin": asked.margin,
        "threshold": asked.threshold,
        "threshold_rule": asked.threshold_rule,
        "fitted": asked.fitted,
        "spread": _spread(asked.spread),
        "percentile": percentile_payload(asked.percentile),
        "taken_for": near_payload(asked.taken_for) if asked.taken_for else None,
        "nearest": [near_payload(each) for each in asked.nearest],
        "in_captions": asked.in_captions,
        "warnings": [{"kind": each.kind, "words": each.words, "instead": each.instead} for each in asked.warnings],
        "measured": measured_payload(asked.measured) if asked.measured else None,
        "beside": _beside(asked.beside) if asked.beside else None,
        "model": asked.model,
        "device": asked.device,
        "simulated": simulated,
        "timings_ms": {
            "wait": asked.times.wait,
            "image": asked.times.image,
            "text": asked.times.text,
            "heat": asked.times.heat,
        },
        "use": NOT_FOR_MEDICAL_USE,
    }


def near_payload(near: NearFinding) -> NearAnswer:
    """A finding and how like it the question is."""
    return {"finding": near.finding, "similarity": near.similarity}


def measured_payload(measured: Measured) -> MeasuredAnswer:
    """How good a text is."""
    return {
        "finding": measured.finding,
        "cohort": measured.cohort,
        "n": measured.n,
        "positives": measured.positives,
        "prevalence": measured.prevalence,
        "auroc": _estimate(measured.auroc),
        "average_precision": _estimate(measured.average_precision),
        "sensitivity": rate_payload(measured.sensitivity) if measured.sensitivity else None,
        "specificity": rate_payload(measured.specificity) if measured.specificity else None,
    }


def predicted_payload(predicted: Predicted | None) -> PredictedAnswer | None:
    """How many films on this side of the threshold have the finding; None where it is not known."""
    if predicted is None:
        return None
    return {
        "share": predicted.share,
        "low": predicted.low,
        "high": predicted.high,
        "prevalence": predicted.prevalence,
        "typed": predicted.typed,
    }


def _spread(spread: Spread) -> SpreadAnswer:
    return {
        "unit": spread.unit,
        "ends": list(spread.ends),
        "answer": spread.answer,
        "threshold": spread.threshold,
        "above": spread.above,
        "against": spread.against,
        "unstable": spread.unstable,
        "rule": spread.rule,
        "prompts": [
            {
                "positive": each.positive,
                "negative": each.negative,
                "score": each.score,
                "place": each.place,
                "above": each.place >= spread.threshold,
                "paraphrase": each.paraphrase,
            }
            for each in spread.prompts
        ],
    }


def _estimate(estimate: Estimate | None) -> EstimateAnswer | None:
    return None if estimate is None else {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _beside(beside: Beside) -> BesideAnswer:
    return {
        "model": beside.model,
        "finding": beside.finding,
        "score": beside.score,
        "threshold": beside.threshold,
        "percentile": percentile_payload(beside.percentile),
        "difference": beside.difference,
        "same_tower": beside.same_tower,
    }
