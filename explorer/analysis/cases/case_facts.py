"""What is known of one case: the pair that put it into the slice first, then what else went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.schema import Label
from explorer.core.finding_cover import covers
from explorer.core.finding_relations import FindingRelation
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.in_sample import Origin
from explorer.core.map_area import FilmPosition
from explorer.core.outcomes import MISTAKES, outcome_of
from explorer.store.conditions import FILM_CALLS, FILM_HAS, PLACE
from explorer.store.conditions import Row as Pair
from explorer.store.filter_registry import APPEARANCE_FILTERS, FILM_FILTERS, Relation
from explorer.store.queries.labels import together
from explorer.store.results import Appearance, Case, FindingScore
from explorer.store.slices import Slice, conditions

Groups = Mapping[str, FrequencyGroup | None]
_ORDER = (*MISTAKES, Outcome.HIT, None, Outcome.CORRECT_REJECTION)
_LABELS: tuple[Label, ...] = ("present", "uncertain", "absent", "unknown")


@dataclass(frozen=True, slots=True)
class Instead:
    """What went wrong on a film: `missed`; `called` and labeled absent; `open`: called, and the label not known."""

    missed: tuple[str, ...]
    called: tuple[str, ...]
    open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SaidAlike:
    """Findings that one source labels alike, and whether outcomes are by its labels."""

    label: Label
    source: str
    counts: bool
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelRows:
    """The scores of one model, the worst outcomes first; `origin`: of the film for it, None where it is not known."""

    model: ModelManifest
    rows: tuple[FindingScore, ...]
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """A case as a slice looks at it.

    `finding` is the worst pair that the slice holds of it (`in_slice`); else the slice's finding, or the worst of all.
    None without scores. `explained` has, by each mistake of the chosen model that a related finding explains, these:
    labeled ones that include what was falsely called, called ones that are part of what was missed.
    """

    case: Case
    finding: str | None
    in_slice: bool
    chosen: ModelRows
    others: tuple[ModelRows, ...]
    instead: Instead
    explained: Mapping[str, tuple[str, ...]]
    labels: tuple[SaidAlike, ...]


def facts_of(
    case: Case,
    models: Sequence[ModelManifest],
    asked: Slice,
    groups: Groups,
    place: FilmPosition | None = None,
    relations: tuple[FindingRelation, ...] = (),
) -> CaseFacts:
    """Order what the store has of a case for the slice `asked`; `models` and `relations` are those of its cohort.

    `place` is where the case lies on the map of the slice's model. Outcomes are those by the slice's label source.
    Raises ValueError where the slice's model is not among the models.
    """
    scored = (row for row in case.scores if row.model == asked.model)
    has = frozenset(row.finding for row in scored if row.label == "present")  # by the labels that count, as the store
    if asked.label_source is not None:
        case = _labelled_by(asked.label_source, case)
    all_rows = {model.model: _rows_of(case, model) for model in models}
    if asked.model not in all_rows:
        raise ValueError(f"No model {asked.model!r} has scored this cohort.")
    chosen = all_rows.pop(asked.model)
    against = all_rows[asked.against].rows if asked.against in all_rows else ()
    demands = tuple(conditions(asked, [finding for finding, group in groups.items() if group == asked.group]))
    pairs = [{**pair, PLACE: place, FILM_HAS: has} for pair in _pairs(case, asked, chosen.rows, against)]
    inside = [row for row, pair in zip(chosen.rows, pairs, strict=True) if all(each.holds(pair) for each in demands)]
    named = [row for row in chosen.rows if row.finding == asked.finding]
    worst = min(inside or named or chosen.rows, key=lambda row: (-_badness(row), row.finding), default=None)
    return CaseFacts(
        case=case,
        finding=worst.finding if worst else None,
        in_slice=bool(inside),
        chosen=chosen,
        others=tuple(rows for rows in all_rows.values() if rows.rows),
        instead=_instead(chosen.rows),
        explained=_explained(chosen.rows, relations),
        labels=_labels(case, asked.label_source),
    )


def margin(row: FindingScore) -> float | None:
    """Score minus threshold; None without a threshold."""
    return None if row.threshold is None else row.score - row.threshold


def _labelled_by(source: str, case: Case) -> Case:
    """The case as one source labels it; where it says two things of a finding, as `together` does."""
    said: dict[str, list[Label]] = {}
    for each in case.labels:
        if each.source == source:
            said.setdefault(each.finding, []).append(each.label)
    scores = (replace(row, label=together(said.get(row.finding, ()))) for row in case.scores)
    return replace(
        case, scores=tuple(replace(row, outcome=outcome_of(row.label, row.score, row.threshold)) for row in scores)
    )


def _rows_of(case: Case, model: ModelManifest) -> ModelRows:
    rows = [row for row in case.scores if row.model == model.model]
    rows.sort(key=lambda row: (_ORDER.index(row.outcome), -_badness(row), row.finding))
    return ModelRows(model, tuple(rows), model.origins.get(case.center))


def _badness(row: FindingScore) -> float:
    """How wrong the score is, as the pages of a slice are ordered."""
    return -row.above if row.label == "present" else row.above


def _pairs(case: Case, asked: Slice, rows: Sequence[FindingScore], against: Sequence[FindingScore]) -> Iterator[Pair]:
    """The rows as the conditions of a slice ask them; `against` are those of the model that it compares with."""
    labelled = {each.finding for each in case.labels if each.source == asked.label_source}
    others = {row.finding: row for row in against}
    film = {each.column: each.value_of(case) for each in FILM_FILTERS} | {"case": case.case}
    looks = {each.finding: each for each in case.appearances}
    film[FILM_CALLS] = frozenset(row.finding for row in rows if _is_called(row))
    for row in rows:
        yield film | {
            "finding": row.finding,
            "outcome": row.outcome,
            "score": row.score,
            "whole": True,
            "source": asked.label_source if row.finding in labelled else None,
            "relation": _relation(row, others.get(row.finding)),
            **_looks(looks.get(row.finding)),
        }


def _looks(appearance: Appearance | None) -> Pair:
    return {each.column: None if appearance is None else each.value_of(appearance) for each in APPEARANCE_FILTERS}


def _relation(row: FindingScore, other: FindingScore | None) -> Relation | None:
    if other is None or row.threshold is None or other.threshold is None:
        return None
    if _is_called(row) != _is_called(other):
        return "disagree"
    return "both wrong" if row.outcome in MISTAKES and other.outcome in MISTAKES else None


def _instead(rows: Sequence[FindingScore]) -> Instead:
    return Instead(
        missed=tuple(row.finding for row in rows if row.outcome is Outcome.MISS),
        called=tuple(row.finding for row in rows if row.outcome is Outcome.FALSE_ALARM),
        open=tuple(row.finding for row in rows if row.outcome is None and _is_called(row)),
    )


def _explained(rows: Sequence[FindingScore], relations: tuple[FindingRelation, ...]) -> dict[str, tuple[str, ...]]:
    labeled = [row.finding for row in rows if row.label == "present"]
    called = [row.finding for row in rows if _is_called(row)]
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        if row.outcome is Outcome.FALSE_ALARM:
            found[row.finding] = tuple(each for each in labeled if covers(each, row.finding, relations))
        elif row.outcome is Outcome.MISS:
            found[row.finding] = tuple(each for each in called if covers(row.finding, each, relations))
    return {finding: others for finding, others in found.items() if others}


def _is_called(row: FindingScore) -> bool:
    return row.threshold is not None and row.score >= row.threshold


def _labels(case: Case, asked: str | None) -> tuple[SaidAlike, ...]:
    """What each source says, the present findings first."""
    sources = {each.source: each.counts if asked is None else each.source == asked for each in case.labels}
    return tuple(
        SaidAlike(label, source, counts, findings)
        for source, counts in sources.items()
        for label in _LABELS
        if (
            findings := tuple(
                sorted(each.finding for each in case.labels if each.source == source and each.label == label)
            )
        )
    )
