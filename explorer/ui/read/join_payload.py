"""A film compared with its cohort, as JSON for Read's script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from explorer.analysis.cases.cohort_context import (
    CohortContext,
    ErrorRates,
    FindingContext,
    GroupErrorRates,
    SimilarCase,
)
from explorer.analysis.cases.cohort_context_json import (
    SimilarScoresAnswer,
    TrainingFilmAnswer,
    similar_scores_payload,
    training_payload,
)
from explorer.cohorts.images import Images
from explorer.cohorts.manifest import Manifest
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.schema import Label
from explorer.core.findings import Outcome
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.reading.finding_json import RateAnswer, rate_payload
from explorer.reading.reader import Reading
from explorer.ui.shared.film_line import FilmLinePayload, film_line_payload
from explorer.ui.viewer.payload import HeadlinePayload, headline_payload


class CohortChoicePayload(TypedDict):
    """A cohort to choose; `id` is its id in addresses."""

    id: str
    name: str


class CohortPayload(TypedDict):
    """The cohort that the film is compared with."""

    id: str
    name: str
    title: str
    version: str
    simulated: bool | None


class ScoredByPayload(TypedDict):
    """The model's scores on the cohort: their id in addresses and their split."""

    id: str
    split: str


class ErrorRatesPayload(TypedDict):
    """The rate of misses among films with a finding, and of false alarms among those without it."""

    missed: RateAnswer
    called: RateAnswer


class CenterErrorRatesPayload(ErrorRatesPayload):
    """The same rates at one center; `origin` is null if the model's training data is unknown."""

    name: str
    origin: Origin | None


class GroupErrorRatesPayload(ErrorRatesPayload):
    """The same rates over all findings of a frequency group."""

    name: str
    source: str
    findings: list[str]


class EvidencePayload(TypedDict):
    """How many films with such a score have a finding, and how often the model is wrong about it."""

    such: SimilarScoresAnswer
    overall: ErrorRatesPayload
    centers: list[CenterErrorRatesPayload]
    group: GroupErrorRatesPayload | None


class DistancePercentilePayload(TypedDict):
    """Percent of `n` test films that are nearer to their own nearest film of another patient."""

    percent: float
    n: int


class ScoredPayload(TypedDict):
    """The model's result for a finding on a case."""

    score: float
    label: Label
    outcome: Outcome | None


class SimilarCasePayload(FilmLinePayload):
    """A case similar to the film; `distance` is the cosine distance of their features."""

    distance: float
    nearer: DistancePercentilePayload | None
    scored: dict[str, ScoredPayload]


class JoinPayload(TypedDict):
    """A film compared with a cohort. `far`: unlike the cohort's films; `copy`: a copy of one of them."""

    stage: Literal["join"]
    cohorts: list[CohortChoicePayload]
    cohort: CohortPayload
    model: ScoredByPayload
    thresholds: str
    findings: dict[str, EvidencePayload]
    alike: list[SimilarCasePayload]
    far: bool
    copy: bool
    training: TrainingFilmAnswer | None
    headline: HeadlinePayload


def join_payload(join: CohortContext, reading: Reading, cohorts: Sequence[Manifest], images: Images) -> JoinPayload:
    """The cohort, its evidence on each finding, the most similar cases, and the cohorts to choose from.

    With the film's distance known, the headline is final.
    """
    name = join.cohort.name
    return {
        "stage": "join",
        "cohorts": [{"id": opaque_id(each.name), "name": each.name} for each in cohorts],
        "cohort": {
            "id": opaque_id(name),
            "name": name,
            "title": join.cohort.title,
            "version": join.cohort.version,
            "simulated": join.cohort.simulated,
        },
        "model": {"id": opaque_id(name, "model", join.model.model), "split": join.model.split},
        "thresholds": join.model.thresholds,
        "findings": {finding: _behind(behind) for finding, behind in join.findings.items()},
        "alike": [_alike(name, each, images) for each in join.similar],
        "far": join.far,
        "copy": join.copy,
        "training": training_payload(join),
        "headline": headline_payload(reading, far=join.far),
    }


def _behind(behind: FindingContext) -> EvidencePayload:
    return {
        "such": similar_scores_payload(behind.such),
        "overall": _wrong(behind.overall),
        "centers": [{"name": at.name, "origin": at.origin, **_wrong(at.wrong)} for at in behind.centers],
        "group": _group(behind.group) if behind.group else None,
    }


def _group(group: GroupErrorRates) -> GroupErrorRatesPayload:
    return {
        "name": group.group.group.value,
        "source": group.group.source,
        "findings": list(group.findings),
        **_wrong(group.wrong),
    }


def _wrong(wrong: ErrorRates) -> ErrorRatesPayload:
    return {"missed": rate_payload(wrong.missed), "called": rate_payload(wrong.called)}


def _alike(cohort: str, alike: SimilarCase, images: Images) -> SimilarCasePayload:
    return {
        **film_line_payload(images, cohort, alike.line),
        "distance": alike.near.distance,
        "nearer": _nearer(alike.near.closer),
        "scored": {
            finding: {"score": each.score, "label": each.label, "outcome": each.outcome}
            for finding, each in alike.scored.items()
        },
    }


def _nearer(closer: Rate) -> DistancePercentilePayload | None:
    return None if closer.value is None else {"percent": 100 * (1 - closer.value), "n": closer.n}
