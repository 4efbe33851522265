"""How often a film's model was wrong in a cohort, beside what it says of the film: for `/read` and the exports."""

from __future__ import annotations

from typing import TypedDict

from explorer.analysis.cases.cohort_context import Join, SuchFilms
from explorer.analysis.cases.training_film import TRAINED
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.reading.finding_json import RateAnswer, rate_payload

IN_SAMPLE = f"{TRAINED} (in-sample): its scores, and how often flags are correct, look better than on a new film."


class SuchFilmsAnswer(TypedDict):
    """Films of the cohort that have the finding: of those that score as high, of those as low, of all labeled."""

    as_high: RateAnswer
    as_low: RateAnswer
    labeled: RateAnswer


class WrongAnswer(SuchFilmsAnswer):
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
                **such_films_payload(behind.such),
            }
            for finding, behind in join.findings.items()
        ],
    }


def such_films_payload(such: SuchFilms) -> SuchFilmsAnswer:
    """How many such films have the finding."""
    return {
        "as_high": rate_payload(such.as_high),
        "as_low": rate_payload(such.as_low),
        "labeled": rate_payload(such.labeled),
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
