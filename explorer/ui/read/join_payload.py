"""A film beside its cohort as plain JSON values, for the script of Read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from explorer.analysis.cases.cohort_context import Alike, Behind, InGroup, Join, Wrong
from explorer.analysis.cases.cohort_context_json import (
    SuchFilmsAnswer,
    TrainingFilmAnswer,
    such_films_payload,
    training_payload,
)
from explorer.cohorts.images import Images
from explorer.cohorts.manifest import Manifest
from explorer.cohorts.public_ids import opaque
from explorer.cohorts.schema import Label
from explorer.core.findings import Outcome
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.reading.finding_json import RateAnswer, rate_payload
from explorer.reading.reader import Reading
from explorer.ui.shared.film_line import FilmLinePayload, film_line_payload
from explorer.ui.viewer.payload import HeadlinePayload, headline_payload


class CohortChoicePayload(TypedDict):
    """A cohort to choose; `id` is what an address calls it."""

    id: str
    name: str


class CohortPayload(TypedDict):
    """The cohort that a film stands beside."""

    id: str
    name: str
    title: str
    version: str
    simulated: bool | None


class ScoredByPayload(TypedDict):
    """The model's scores there: what an address calls them, and how they came about."""

    id: str
    split: str


class WrongPayload(TypedDict):
    """Misses of the films with a finding, false alarms of those without it."""

    missed: RateAnswer
    called: RateAnswer


class WrongAtPayload(WrongPayload):
    """The same at one center; `origin` is null where the model's training is unknown."""

    name: str
    origin: Origin | None


class WrongInGroupPayload(WrongPayload):
    """The same over all findings of a frequency group."""

    name: str
    source: str
    findings: list[str]


class BehindPayload(TypedDict):
    """How many films that score so have a finding, and how often the model is wrong on it."""

    such: SuchFilmsAnswer
    overall: WrongPayload
    centers: list[WrongAtPayload]
    group: WrongInGroupPayload | None


class NearerPayload(TypedDict):
    """The distance's percentile: % of the `n` films asked that are nearer to their own nearest of another patient."""

    percent: float
    n: int


class ScoredPayload(TypedDict):
    """What the model said of a finding on a case."""

    score: float
    label: Label
    outcome: Outcome | None


class AlikePayload(FilmLinePayload):
    """A case like the film; `distance` is the cosine distance of their features."""

    distance: float
    nearer: NearerPayload | None
    scored: dict[str, ScoredPayload]


class JoinPayload(TypedDict):
    """A film beside a cohort; `far`: hardly any of its films is as far from all others, `copy`: it is one of them."""

    stage: Literal["join"]
    cohorts: list[CohortChoicePayload]
    cohort: CohortPayload
    model: ScoredByPayload
    thresholds: str
    findings: dict[str, BehindPayload]
    alike: list[AlikePayload]
    far: bool
    copy: bool
    training: TrainingFilmAnswer | None
    headline: HeadlinePayload


def join_payload(join: Join, reading: Reading, cohorts: Sequence[Manifest], images: Images) -> JoinPayload:
    """The cohort, what it says of each finding, the cases most alike, and the cohorts to choose from.

    Now that it is known whether the film is far, the headline is final.
    """
    name = join.cohort.name
    return {
        "stage": "join",
        "cohorts": [{"id": opaque(each.name), "name": each.name} for each in cohorts],
        "cohort": {
            "id": opaque(name),
            "name": name,
            "title": join.cohort.title,
            "version": join.cohort.version,
            "simulated": join.cohort.simulated,
        },
        "model": {"id": opaque(name, "model", join.model.model), "split": join.model.split},
        "thresholds": join.model.thresholds,
        "findings": {finding: _behind(behind) for finding, behind in join.findings.items()},
        "alike": [_alike(name, each, images) for each in join.alike],
        "far": join.far,
        "copy": join.copy,
        "training": training_payload(join),
        "headline": headline_payload(reading, far=join.far),
    }


def _behind(behind: Behind) -> BehindPayload:
    return {
        "such": such_films_payload(behind.such),
        "overall": _wrong(behind.overall),
        "centers": [{"name": at.name, "origin": at.origin, **_wrong(at.wrong)} for at in behind.centers],
        "group": _group(behind.group) if behind.group else None,
    }


def _group(group: InGroup) -> WrongInGroupPayload:
    return {
        "name": group.group.group.value,
        "source": group.group.source,
        "findings": list(group.findings),
        **_wrong(group.wrong),
    }


def _wrong(wrong: Wrong) -> WrongPayload:
    return {"missed": rate_payload(wrong.missed), "called": rate_payload(wrong.called)}


def _alike(cohort: str, alike: Alike, images: Images) -> AlikePayload:
    return {
        **film_line_payload(images, cohort, alike.line),
        "distance": alike.near.distance,
        "nearer": _nearer(alike.near.closer),
        "scored": {
            finding: {"score": each.score, "label": each.label, "outcome": each.outcome}
            for finding, each in alike.scored.items()
        },
    }


def _nearer(closer: Rate) -> NearerPayload | None:
    return None if closer.value is None else {"percent": 100 * (1 - closer.value), "n": closer.n}
