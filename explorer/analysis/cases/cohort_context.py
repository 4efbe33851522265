"""A film beside the cohort behind its model: how often the model is wrong there, and the cases that are most alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.cases.comparable_cohorts import comparable, scored_by
from explorer.analysis.cases.neighbors import Near, Neighbors, neighbors_of
from explorer.analysis.cases.training_film import TrainingFilm, training_film
from explorer.analysis.performance.performance_table import Cell, FindingLine, counted
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.core.findings import SourcedGroup
from explorer.core.groups import group_from_source
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.reading.finding_list import FindingRow
from explorer.store.results import CaseLine, FindingScore, ScoredAlike
from explorer.store.slices import Slice
from models.cards.card import Card
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

FAR = 0.01  # a film is far when all but this share of the cohort's films are nearer to their own nearest
NAMED = 4  # models of a cohort, where it cannot be compared with
ENOUGH = 100  # films; of fewer nobody can tell the last 1 %


class NoComparison(Refusal):
    """A film that no cohort says anything about: `title` says so, `detail` why and what to do."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """`missed`: misses of the films with the finding; `called`: false alarms of those without it."""

    missed: Rate
    called: Rate

    @classmethod
    def of(cls, cells: Iterable[Cell]) -> Wrong:
        """Of all (film, finding) pairs of the cells together."""
        those = tuple(cells)
        return cls(_wrong(cell.sensitivity for cell in those), _wrong(cell.specificity for cell in those))


@dataclass(frozen=True, slots=True)
class AtCenter:
    """The films of one center; an unlabeled one has nothing to count. `origin`: None where it is not known."""

    name: str
    origin: Origin | None
    wrong: Wrong


@dataclass(frozen=True, slots=True)
class InGroup:
    """The (film, finding) pairs of every finding of a frequency group together."""

    group: SourcedGroup
    findings: tuple[str, ...]
    wrong: Wrong


@dataclass(frozen=True, slots=True)
class SuchFilms:
    """How many films have the finding: of those that score as high as this one, of those as low, of all labeled."""

    as_high: Rate
    as_low: Rate
    labeled: Rate

    @classmethod
    def of(cls, counted: ScoredAlike | None) -> SuchFilms:
        """None was counted where no label is known."""
        if counted is None:
            return cls(Rate(0, 0), Rate(0, 0), Rate(0, 0))
        return cls(Rate(*counted.as_high), Rate(*counted.as_low), Rate(*counted.labeled))


@dataclass(frozen=True, slots=True)
class Behind:
    """What the cohort says of one finding; `group` is None where it would be the finding alone."""

    such: SuchFilms
    overall: Wrong
    centers: tuple[AtCenter, ...]
    group: InGroup | None


@dataclass(frozen=True, slots=True)
class Alike:
    """A case near the film, and what the model says of it."""

    near: Near
    line: CaseLine
    scored: Mapping[str, FindingScore]  # by finding


@dataclass(frozen=True, slots=True)
class Join:
    """A film beside a cohort. `far`: hardly any film there is as far from all others, so that its rates may say little
    of this one. `copy`: the nearest case is this very film, saved once more perhaps. `training`: a cohort, this one or
    another, knows it as one that the model was fitted on.
    """

    cohort: Manifest
    model: ModelManifest
    findings: Mapping[str, Behind]
    alike: tuple[Alike, ...]
    far: bool
    copy: bool
    training: TrainingFilm | None


def join(
    store: Store, card: Card, rows: Sequence[FindingRow], features: NDArray[np.float32], cohort: str | None = None
) -> Join:
    """The film with these rows and features (d,) beside a cohort, by default the first that the model has scored.

    Raises NoComparison where the model has scored none, or not this one; StoreError and NoCohort as the store does.
    """
    cohorts = {each.name: each for each in comparable(store, card)}
    chosen = cohorts.get(cohort) if cohort else next(iter(cohorts.values()), None)
    model = scored_by(store, chosen.name, card) if chosen else None
    if chosen is None or model is None:
        raise _not_comparable(store, card)
    lines = {line.finding: line for line in counted(store, Slice(chosen.name, model.model)).lines}
    such = store.scored_alike(chosen.name, model.model, {row.finding: row.score for row in rows})
    neighbors = neighbors_of(store, chosen.name, model.model)
    near = neighbors.of_film(features)
    return Join(
        cohort=chosen,
        model=model,
        findings={
            row.finding: _behind(SuchFilms.of(such.get(row.finding)), lines[row.finding], lines, row.group, model)
            for row in rows
            if row.finding in lines
        },
        alike=alike(store, chosen.name, model.model, near),
        far=is_far(near),
        copy=bool(near) and near[0].distance <= neighbors.copy,
        training=training_film(store, card, features),
    )


def films_to_compare(store: Store, card: Card) -> Neighbors | None:
    """The films that tell whether a film is far: of the first cohort that the model has scored; None: of none."""
    cohort = next(iter(comparable(store, card)), None)
    return neighbors_of(store, cohort.name, card.name) if cohort else None


def is_far(near: Sequence[Near]) -> bool:
    """Whether hardly any film of a cohort is as far from all others as the film that these are nearest to."""
    return bool(near) and near[0].closer.n >= ENOUGH and near[0].closer.hits < FAR * near[0].closer.n


def _not_comparable(store: Store, card: Card) -> NoComparison:
    scored = []
    for cohort in store.cohorts():
        models = sorted((each.model for each in store.models(cohort.name)), key=lambda name: name != card.name)
        named = [f"other weights of {name}" if name == card.name else name for name in models[:NAMED]]
        more = f" and {len(models) - NAMED} more" if len(models) > NAMED else ""
        scored.append(f"{cohort.name} holds the scores of {', '.join(named) or 'no model'}{more}")
    return NoComparison(
        "This film cannot be compared with a cohort",
        f"This film was read by {card.name}; {'; '.join(scored) or 'there is no cohort'}. How often one model is wrong "
        "says nothing about another. Score a cohort with this one: python -m explorer score --help.",
    )


def _behind(
    such: SuchFilms,
    line: FindingLine,
    lines: Mapping[str, FindingLine],
    group: SourcedGroup | None,
    model: ModelManifest,
) -> Behind:
    centers = tuple(AtCenter(cell.center, model.origins.get(cell.center), Wrong.of([cell])) for cell in line.cells)
    return Behind(such, Wrong.of([line.pooled]), centers, _in_group(lines, group) if group else None)


def _in_group(lines: Mapping[str, FindingLine], group: SourcedGroup) -> InGroup | None:
    findings = tuple(finding for finding in lines if group_from_source(finding, group.source) is group.group)
    if len(findings) < 2:
        return None
    return InGroup(group, findings, Wrong.of(lines[finding].pooled for finding in findings))


def alike(store: Store, cohort: str, model: str, near: Sequence[Near]) -> tuple[Alike, ...]:
    """The near cases with what is known of them."""
    names = [each.case for each in near]
    lines, scored = {line.case: line for line in store.cases(cohort, names)}, store.scored(cohort, model, names)
    return tuple(Alike(each, lines[each.case], scored[each.case]) for each in near)


def _wrong(right: Iterable[Rate]) -> Rate:
    those = tuple(right)
    n = sum(rate.n for rate in those)
    return Rate(n - sum(rate.hits for rate in those), n)
