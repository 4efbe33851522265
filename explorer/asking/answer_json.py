"""Converts an answer to JSON for the page, `/ask` and exports."""

from __future__ import annotations

from typing import TypedDict

from explorer.asking.answer import AskVerdict, CautionKind, ClassifierScore, FilmAnswer, NearFinding, TextMeasurement
from explorer.asking.common_scale import ScaleUnit
from explorer.asking.predicted import PredictedShare
from explorer.asking.spread import PromptSpread
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.figures import Estimate
from explorer.reading.finding_json import PercentileAnswer, RateAnswer, percentile_payload, rate_payload


class NearAnswer(TypedDict):
    """A known finding and the cosine between its nearest term and the question; 1 for the same words."""

    finding: str
    similarity: float


class CautionAnswer(TypedDict):
    """A problem with the question; `instead` is a better question, or null."""

    kind: CautionKind
    words: str
    instead: str | None


class PromptAnswer(TypedDict):
    """One pair of prompts: its score, its place on the common scale, and whether it is above the threshold."""

    positive: str
    negative: str
    score: float
    place: float
    above: bool
    paraphrase: bool


class SpreadAnswer(TypedDict):
    """The answer, its threshold and every prompt on a common scale: percentiles or margins, as `unit` says.

    `above` counts prompts at or above the threshold, `against` those on the side opposite the answer, which is
    `unstable` if there are many of them; `rule` puts this in words.
    """

    unit: ScaleUnit
    ends: list[float]
    answer: float
    threshold: float
    above: int
    against: int
    unstable: bool
    rule: str
    prompts: list[PromptAnswer]


class PredictedAnswer(TypedDict):
    """The share of films on this side of the threshold that have the finding, with its 95 % interval, at a prevalence.

    All values are in [0, 1]; `typed`: the visitor entered the prevalence, else it is that of the labeled films.
    """

    share: float
    low: float
    high: float
    prevalence: float
    typed: bool


class EstimateAnswer(TypedDict):
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


class MeasuredAnswer(TypedDict):
    """Performance of the text on `n` validation films by the labels of `finding`; null if it cannot be measured."""

    finding: str
    cohort: str
    n: int
    positives: int
    prevalence: float
    auroc: EstimateAnswer | None
    average_precision: EstimateAnswer | None
    sensitivity: RateAnswer | None
    specificity: RateAnswer | None


class ClassifierScoreAnswer(TypedDict):
    """The classifier's score of the finding; `difference` is the answer's percentile minus the classifier's, in points.

    `same_tower`: both use one image network, so agreement is not independent evidence.
    """

    model: str
    finding: str
    score: float
    threshold: float | None
    percentile: PercentileAnswer | None
    difference: float | None
    same_tower: bool


class AskAnswer(TypedDict):
    """The answer to one question; `score` is not a probability, `margin` and `threshold` are cosine differences.

    `said` completes the verdict in words; `far`: the film is unlike the test films. `scored` is the scored text,
    `taken_for` the matching known finding. Null means unknown or none.
    """

    question: str
    scored: str
    templates: list[list[str]]
    verdict: AskVerdict
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
    beside: ClassifierScoreAnswer | None
    model: str
    device: str
    simulated: bool
    timings_ms: dict[str, float]
    use: str


def ask_payload(answer: FilmAnswer, *, simulated: bool = False) -> AskAnswer:
    """Return the answer without its heat map; `simulated` says whether the film is simulated."""
    return {
        "question": answer.question.text,
        "scored": answer.scored,
        "templates": [[each.positive, each.negative] for each in answer.templates],
        "verdict": answer.verdict,
        "said": answer.said,
        "why": answer.why,
        "predicted": predicted_payload(answer.predicted),
        "far": answer.far,
        "score": answer.score,
        "threshold_score": answer.threshold_score,
        "margin": answer.margin,
        "threshold": answer.threshold,
        "threshold_rule": answer.threshold_rule,
        "fitted": answer.fitted,
        "spread": _spread(answer.spread),
        "percentile": percentile_payload(answer.percentile),
        "taken_for": near_finding_payload(answer.taken_for) if answer.taken_for else None,
        "nearest": [near_finding_payload(each) for each in answer.nearest],
        "in_captions": answer.in_captions,
        "warnings": [{"kind": each.kind, "words": each.words, "instead": each.instead} for each in answer.warnings],
        "measured": measured_payload(answer.measured) if answer.measured else None,
        "beside": _classifier_score(answer.beside) if answer.beside else None,
        "model": answer.model,
        "device": answer.device,
        "simulated": simulated,
        "timings_ms": {
            "wait": answer.times.wait,
            "image": answer.times.image,
            "text": answer.times.text,
            "heat": answer.times.heat,
        },
        "use": NOT_FOR_MEDICAL_USE,
    }


def near_finding_payload(near: NearFinding) -> NearAnswer:
    """Return a finding and its similarity to the question as JSON."""
    return {"finding": near.finding, "similarity": near.similarity}


def measured_payload(measured: TextMeasurement) -> MeasuredAnswer:
    """Return a text's performance as JSON."""
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


def predicted_payload(predicted: PredictedShare | None) -> PredictedAnswer | None:
    """Return the share of films on this side of the threshold that have the finding, as JSON; None if unknown."""
    if predicted is None:
        return None
    return {
        "share": predicted.share,
        "low": predicted.low,
        "high": predicted.high,
        "prevalence": predicted.prevalence,
        "typed": predicted.typed,
    }


def _spread(spread: PromptSpread) -> SpreadAnswer:
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


def _classifier_score(beside: ClassifierScore) -> ClassifierScoreAnswer:
    return {
        "model": beside.model,
        "finding": beside.finding,
        "score": beside.score,
        "threshold": beside.threshold,
        "percentile": percentile_payload(beside.percentile),
        "difference": beside.difference,
        "same_tower": beside.same_tower,
    }
