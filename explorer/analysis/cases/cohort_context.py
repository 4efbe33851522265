"""Compares a film with a cohort that its model scored: the model's error rates there and the most similar cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.cases.comparable_cohorts import comparable_cohorts, scored_by
from explorer.analysis.cases.neighbors import NearCase, Neighbors, neighbors_of
from explorer.analysis.cases.training_film import TrainingFilm, training_film
from explorer.analysis.performance.performance_table import FindingLine, PerformanceCell, count_table
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.core.findings import SourcedGroup
from explorer.core.groups import group_from_source
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate, pooled_rate
from explorer.metrics.clustered_rates import rate_of_sums
from explorer.reading.finding_list import FindingRow
from explorer.store.results import CaseLine, FindingScore, ScoredAlike
from explorer.store.slices import Slice
from models.cards.card import Card
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

FAR_SHARE = 0.01  # a film is far if at most this share of the cohort's films are as far from their nearest neighbors
MAX_LISTED_MODELS = 4  # at most this many of a cohort's models are listed in a refusal
MIN_FILMS_FOR_FAR = 100  # films; fewer cannot resolve the last 1 %


class NoComparableCohort(Refusal):
    """A film without a comparable cohort: `title` says so, `detail` says why and what to do."""


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """`missed` counts misses among films with the finding, `called` false alarms among films without it."""

    missed: Rate
    called: Rate

    @classmethod
    def of(cls, cells: Iterable[PerformanceCell]) -> ErrorRates:
        """Pool all (film, finding) pairs of the cells."""
        those = tuple(cells)
        right = pooled_rate(cell.sensitivity for cell in those), pooled_rate(cell.specificity for cell in those)
        return cls(right[0].rest, right[1].rest)


@dataclass(frozen=True, slots=True)
class CenterErrorRates:
    """Error rates at one center, empty if the center has no labels; `origin` is None if unknown."""

    name: str
    origin: Origin | None
    wrong: ErrorRates


@dataclass(frozen=True, slots=True)
class GroupErrorRates:
    """Error rates pooled over all findings of a frequency group."""

    group: SourcedGroup
    findings: tuple[str, ...]
    wrong: ErrorRates


@dataclass(frozen=True, slots=True)
class SimilarScores:
    """How many films have the finding: among films scoring as high as this one, as low, and all labeled films."""

    as_high: Rate
    as_low: Rate
    labeled: Rate

    @classmethod
    def of(cls, counted: ScoredAlike | None) -> SimilarScores:
        """Wrap the store's counts; None (no known label) gives empty rates."""
        if counted is None:
            return cls(Rate(0, 0), Rate(0, 0), Rate(0, 0))
        return cls(*map(rate_of_sums, (counted.as_high, counted.as_low, counted.labeled)))


@dataclass(frozen=True, slots=True)
class FindingContext:
    """A cohort's rates for one finding; `group` is None if this finding would be alone in its group."""

    such: SimilarScores
    overall: ErrorRates
    centers: tuple[CenterErrorRates, ...]
    group: GroupErrorRates | None


@dataclass(frozen=True, slots=True)
class SimilarCase:
    """A case similar to the film, with the model's scores."""

    near: NearCase
    line: CaseLine
    scored: Mapping[str, FindingScore]  # by finding


@dataclass(frozen=True, slots=True)
class CohortContext:
    """A film compared with a cohort.

    `far`: the film is unlike the cohort's films, so their error rates may not apply. `copy`: the nearest case is this
    film, perhaps saved again. `training`: a cohort, not necessarily this one, lists it as a training film.
    """

    cohort: Manifest
    model: ModelManifest
    findings: Mapping[str, FindingContext]
    similar: tuple[SimilarCase, ...]
    far: bool
    copy: bool
    training: TrainingFilm | None


def cohort_context(
    store: Store, card: Card, rows: Sequence[FindingRow], features: NDArray[np.float32], cohort: str | None = None
) -> CohortContext:
    """Compare a film, given by its rows and features (d,), with a cohort, by default the first that the model scored.

    Raises NoComparableCohort if the model scored no cohort or did not score this one, and the store's StoreError and
    NoCohort.
    """
    cohorts = {each.name: each for each in comparable_cohorts(store, card)}
    chosen = cohorts.get(cohort) if cohort else next(iter(cohorts.values()), None)
    model = scored_by(store, chosen.name, card) if chosen else None
    if chosen is None or model is None:
        raise _not_comparable(store, card)
    lines = {line.finding: line for line in count_table(store, Slice(chosen.name, model.model)).lines}
    such = store.scored_alike(chosen.name, model.model, {row.finding: row.score for row in rows})
    neighbors = neighbors_of(store, chosen.name, model.model)
    near = neighbors.of_film(features)
    return CohortContext(
        cohort=chosen,
        model=model,
        findings={
            row.finding: _finding_context(
                SimilarScores.of(such.get(row.finding)), lines[row.finding], lines, row.group, model
            )
            for row in rows
            if row.finding in lines
        },
        similar=similar_cases(store, chosen.name, model.model, near),
        far=is_far(near),
        copy=bool(near) and near[0].distance <= neighbors.copy,
        training=training_film(store, card, features),
    )


def films_to_compare(store: Store, card: Card) -> Neighbors | None:
    """Return the neighbor search of the first cohort that the model scored, for `is_far`; None without a cohort."""
    cohort = next(iter(comparable_cohorts(store, card)), None)
    return neighbors_of(store, cohort.name, card.name) if cohort else None


def is_far(near: Sequence[NearCase]) -> bool:
    """Return whether hardly any film of the cohort is as far from its neighbors as this film is from `near`."""
    return bool(near) and near[0].closer.n >= MIN_FILMS_FOR_FAR and near[0].closer.hits < FAR_SHARE * near[0].closer.n


def _not_comparable(store: Store, card: Card) -> NoComparableCohort:
    scored = []
    for cohort in store.cohorts():
        models = sorted((each.model for each in store.models(cohort.name)), key=lambda name: name != card.name)
        named = [f"other weights of {name}" if name == card.name else name for name in models[:MAX_LISTED_MODELS]]
        more = f" and {len(models) - MAX_LISTED_MODELS} more" if len(models) > MAX_LISTED_MODELS else ""
        scored.append(f"{cohort.name} holds the scores of {', '.join(named) or 'no model'}{more}")
    return NoComparableCohort(
        "This film cannot be compared with a cohort",
        f"This film was read by {card.name}; {'; '.join(scored) or 'there is no cohort'}. How often one model is wrong "
        "says nothing about another. Score a cohort with this one: python -m explorer score --help.",
    )


def _finding_context(
    such: SimilarScores,
    line: FindingLine,
    lines: Mapping[str, FindingLine],
    group: SourcedGroup | None,
    model: ModelManifest,
) -> FindingContext:
    centers = tuple(
        CenterErrorRates(cell.center, model.origins.get(cell.center), ErrorRates.of([cell])) for cell in line.cells
    )
    return FindingContext(such, ErrorRates.of([line.pooled]), centers, _in_group(lines, group) if group else None)


def _in_group(lines: Mapping[str, FindingLine], group: SourcedGroup) -> GroupErrorRates | None:
    findings = tuple(finding for finding in lines if group_from_source(finding, group.source) is group.group)
    if len(findings) < 2:
        return None
    return GroupErrorRates(group, findings, ErrorRates.of(lines[finding].pooled for finding in findings))


def similar_cases(store: Store, cohort: str, model: str, near: Sequence[NearCase]) -> tuple[SimilarCase, ...]:
    """Return the similar cases with their facts and scores."""
    names = [each.case for each in near]
    lines, scored = {line.case: line for line in store.cases(cohort, names)}, store.scored(cohort, model, names)
    return tuple(SimilarCase(each, lines[each.case], scored[each.case]) for each in near)
