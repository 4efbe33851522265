"""How often a film's model was wrong in a cohort, beside what it says of the film: for `/read` and the exports."""

from __future__ import annotations

from typing import TypedDict

from explorer.analysis.cohort_context import Join
from explorer.analysis.training_film import TRAINED
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.reading.finding_json import RateAnswer, rate_payload

IN_SAMPLE = f"{TRAINED}: its scores are in-sample, and surer than on a film it has not seen."


class WrongAnswer(TypedDict):
    """`missed`: misses of the films with the finding; `called`: false alarms of those without it."""

    finding: str
    missed: RateAnswer
    called: RateAnswer


class TrainingFilmAnswer(TypedDict):
    """The model was fitted on this very film; `unseen` are its scores by finding from a model trained without it.

    `cohort` has the film, `says` what it means.
    """

    says: str
    cohort: str
    unseen: dict[str, float]


class CohortAnswer(TypedDict):
    """A cohort that the same weights have scored, and how often they were wrong there, all its centers together.

    `split` and `thresholds` say how the scores and the calls came about; `origins` says for each center how its films
    and the model's training are related, see `explorer.core.in_sample`. `far`: hardly any film of the cohort is as
    far from all others as this one: its rates may say little.
    """

    name: str
    title: str
    version: str
    simulated: bool
    split: str
    thresholds: str
    origins: dict[str, Origin]
    far: bool
    findings: list[WrongAnswer]


def cohort_payload(join: Join) -> CohortAnswer:
    """The cohort and its rates as plain JSON values."""
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
            }
            for finding, behind in join.findings.items()
        ],
    }


def training_payload(join: Join | None) -> TrainingFilmAnswer | None:
    """Null where no cohort knows the film as one that the model was fitted on, which proves nothing."""
    training = join.training if join else None
    if training is None:
        return None
    return {"says": IN_SAMPLE, "cohort": training.cohort, "unseen": dict(training.unseen)}


def rates_of(join: Join | None, finding: str) -> tuple[Rate | None, Rate | None]:
    """How often the finding was missed and falsely called, None where nothing can be compared."""
    behind = join.findings.get(finding) if join else None
    return (behind.overall.missed, behind.overall.called) if behind else (None, None)
