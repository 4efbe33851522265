"""JSON of the model's error rates in a cohort, for `/read` and the exports."""

from __future__ import annotations

from typing import TypedDict

from explorer.analysis.cases.cohort_context import CohortContext, SimilarScores
from explorer.analysis.cases.training_film import TRAINED_NOTE
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.reading.finding_json import RateAnswer, rate_payload

IN_SAMPLE_NOTE = (
    f"{TRAINED_NOTE} (in-sample): its scores, and how often flags are correct, look better than on a new film."
)


class SimilarScoresAnswer(TypedDict):
    """How many films have the finding: among films scoring as high as this one, as low, and all labeled films."""

    as_high: RateAnswer
    as_low: RateAnswer
    labeled: RateAnswer


class ErrorRatesAnswer(SimilarScoresAnswer):
    """`missed` counts misses among films with the finding, `called` false alarms among films without it."""

    finding: str
    missed: RateAnswer
    called: RateAnswer


class TrainingFilmAnswer(TypedDict):
    """A film the model was trained on; `unseen` holds scores by finding from a model trained without it.

    `cohort` names the cohort that contains the film; `says` explains the consequence.
    """

    says: str
    cohort: str
    unseen: dict[str, float]


class CohortAnswer(TypedDict):
    """A cohort scored with the same weights, and the model's error rates there over all centers.

    `split` and `thresholds` describe how scores and calls were made; `origins` relates each center's films to the
    model's training (see `explorer.core.in_sample`). `far`: the film is unlike the cohort's films, so its rates may not
    apply.
    """

    name: str
    title: str
    version: str
    simulated: bool
    split: str
    thresholds: str
    origins: dict[str, Origin]
    far: bool
    findings: list[ErrorRatesAnswer]


def cohort_payload(join: CohortContext) -> CohortAnswer:
    """Return the cohort and its error rates as plain JSON values."""
    cohort, model = join.cohort, join.model
    return {
        "name": cohort.name,
        "title": cohort.title,
        "version": cohort.version,
        "simulated": bool(cohort.simulated),
        "split": model.split,
        "thresholds": model.thresholds,
        "origins": dict(model.origins),
        "far": join.far,
        "findings": [
            {
                "finding": finding,
                "missed": rate_payload(behind.overall.missed),
                "called": rate_payload(behind.overall.called),
                **similar_scores_payload(behind.such),
            }
            for finding, behind in join.findings.items()
        ],
    }


def similar_scores_payload(such: SimilarScores) -> SimilarScoresAnswer:
    """Return the counts of similarly scored films with the finding as plain JSON values."""
    return {
        "as_high": rate_payload(such.as_high),
        "as_low": rate_payload(such.as_low),
        "labeled": rate_payload(such.labeled),
    }


def training_payload(join: CohortContext | None) -> TrainingFilmAnswer | None:
    """Return the training film; None if no cohort lists it as one, which does not prove that the film was unseen."""
    training = join.training if join else None
    if training is None:
        return None
    return {"says": IN_SAMPLE_NOTE, "cohort": training.cohort, "unseen": dict(training.unseen)}


def error_rates(join: CohortContext | None, finding: str) -> tuple[Rate | None, Rate | None]:
    """Return the rates of misses and false alarms of a finding; None without a comparable cohort."""
    behind = join.findings.get(finding) if join else None
    return (behind.overall.missed, behind.overall.called) if behind else (None, None)
