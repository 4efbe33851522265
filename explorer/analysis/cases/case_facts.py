"""Facts about one case: the finding that puts it into the slice, then the model's other mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from explorer.analysis.leaderboard.groups import FrequencyGroups
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.schema import Label
from explorer.core.finding_cover import covers
from explorer.core.finding_relations import FindingRelation
from explorer.core.findings import Outcome
from explorer.core.in_sample import Origin
from explorer.core.map_area import FilmPosition
from explorer.core.outcomes import MISTAKES, outcome_of
from explorer.store.conditions import FILM_CALLS, FILM_HAS, PLACE
from explorer.store.conditions import Row as Pair
from explorer.store.filter_registry import APPEARANCE_FILTERS, FILM_FILTERS, Relation
from explorer.store.prepared.labels import label_read, together
from explorer.store.results import Appearance, Case, FindingScore
from explorer.store.slices import Slice, conditions

_ORDER = (*MISTAKES, Outcome.HIT, None, Outcome.CORRECT_REJECTION)
_LABELS: tuple[Label, ...] = ("present", "uncertain", "absent", "unknown")


@dataclass(frozen=True, slots=True)
class CaseMistakes:
    """Mistakes on a film: findings `missed`, `called` although labeled absent, and `open` (called, label unknown)."""

    missed: tuple[str, ...]
    called: tuple[str, ...]
    open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EqualLabels:
    """Findings with the same label from one source; `counts` says whether outcomes use this source's labels."""

    label: Label
    source: str
    counts: bool
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelScores:
    """One model's scores, worst outcomes first; `origin` relates the film to its training, None if unknown."""

    model: ModelManifest
    rows: tuple[FindingScore, ...]
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """A case as shown in a slice.

    `finding` is the case's worst finding in the slice (`in_slice`); otherwise the slice's finding or, failing that, the
    worst of all; None without scores. `explained` maps each mistake of the chosen model to the related findings that
    explain it: for a false alarm, labeled findings that include it; for a miss, flagged findings that are part of it.
    `doubted` findings are labeled uncertain, and the slice counts them as absent or present.
    """

    case: Case
    finding: str | None
    in_slice: bool
    chosen: ModelScores
    others: tuple[ModelScores, ...]
    instead: CaseMistakes
    explained: Mapping[str, tuple[str, ...]]
    labels: tuple[EqualLabels, ...]
    doubted: frozenset[str] = frozenset()


def collect_case_facts(
    case: Case,
    models: Sequence[ModelManifest],
    shown_slice: Slice,
    groups: FrequencyGroups,
    place: FilmPosition | None = None,
    relations: tuple[FindingRelation, ...] = (),
) -> CaseFacts:
    """Return the facts about a case as seen in a slice; `models` and `relations` belong to its cohort.

    `place` is the case's position on the slice model's map. Outcomes use the slice's label source, and uncertain labels
    as it counts them. Raises ValueError if the slice's model is not among `models`.
    """
    scored = (row for row in _read_as(shown_slice, case).scores if row.model == shown_slice.model)
    has = frozenset(row.finding for row in scored if row.label == "present")  # by the labels that count
    said = case if shown_slice.label_source is None else _labelled_by(shown_slice.label_source, case)
    case = _read_as(shown_slice, said)
    all_rows = {model.model: _rows_of(case, model) for model in models}
    if shown_slice.model not in all_rows:
        raise ValueError(f"No model {shown_slice.model!r} has scored this cohort.")
    chosen = all_rows.pop(shown_slice.model)
    against = all_rows[shown_slice.against].rows if shown_slice.against in all_rows else ()
    demands = tuple(
        conditions(shown_slice, [finding for finding, group in groups.items() if group == shown_slice.group])
    )
    pairs = [{**pair, PLACE: place, FILM_HAS: has} for pair in _pairs(case, shown_slice, chosen.rows, against)]
    inside = [row for row, pair in zip(chosen.rows, pairs, strict=True) if all(each.holds(pair) for each in demands)]
    named = [row for row in chosen.rows if row.finding == shown_slice.finding]
    worst = min(inside or named or chosen.rows, key=lambda row: (-_badness(row), row.finding), default=None)
    return CaseFacts(
        case=case,
        finding=worst.finding if worst else None,
        in_slice=bool(inside),
        chosen=chosen,
        others=tuple(rows for rows in all_rows.values() if rows.rows),
        instead=_mistakes(chosen.rows),
        explained=_explained(chosen.rows, relations),
        labels=_labels(case, shown_slice.label_source),
        doubted=frozenset(
            row.finding for row in said.scores if row.label == "uncertain" and shown_slice.uncertain is not None
        ),
    )


def score_margin(row: FindingScore) -> float | None:
    """Return score minus threshold; None without a threshold."""
    return None if row.threshold is None else row.score - row.threshold


def _labelled_by(source: str, case: Case) -> Case:
    """Return the case with one source's labels; `together` merges contradictory labels."""
    labels_by_finding: dict[str, list[Label]] = {}
    for each in case.labels:
        if each.source == source:
            labels_by_finding.setdefault(each.finding, []).append(each.label)
    scores = (replace(row, label=together(labels_by_finding.get(row.finding, ()))) for row in case.scores)
    return replace(case, scores=tuple(map(_with_outcome, scores)))


def _read_as(shown_slice: Slice, case: Case) -> Case:
    """Return the case with its scores' uncertain labels as the slice counts them."""
    if shown_slice.uncertain is None:
        return case
    scores = (replace(row, label=label_read(row.label, shown_slice.policy)) for row in case.scores)
    return replace(case, scores=tuple(map(_with_outcome, scores)))


def _with_outcome(row: FindingScore) -> FindingScore:
    """Return a score with the outcome that its label gives."""
    return replace(row, outcome=outcome_of(row.label, row.score, row.threshold))


def _rows_of(case: Case, model: ModelManifest) -> ModelScores:
    rows = [row for row in case.scores if row.model == model.model]
    rows.sort(key=lambda row: (_ORDER.index(row.outcome), -_badness(row), row.finding))
    return ModelScores(model, tuple(rows), model.origins.get(case.center))


def _badness(row: FindingScore) -> float:
    """Return how wrong the score is; slices are sorted by it."""
    return -row.above if row.label == "present" else row.above


def _pairs(
    case: Case, shown_slice: Slice, rows: Sequence[FindingScore], against: Sequence[FindingScore]
) -> Iterator[Pair]:
    """Yield each score as the columns that slice conditions need; `against` are the compared model's scores."""
    labelled = {each.finding for each in case.labels if each.source == shown_slice.label_source}
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
            "source": shown_slice.label_source if row.finding in labelled else None,
            "relation": _relation(row, others.get(row.finding)),
            **_appearance_columns(looks.get(row.finding)),
        }


def _appearance_columns(appearance: Appearance | None) -> Pair:
    return {each.column: None if appearance is None else each.value_of(appearance) for each in APPEARANCE_FILTERS}


def _relation(row: FindingScore, other: FindingScore | None) -> Relation | None:
    if other is None or row.threshold is None or other.threshold is None:
        return None
    if _is_called(row) != _is_called(other):
        return "disagree"
    return "both wrong" if row.outcome in MISTAKES and other.outcome in MISTAKES else None


def _mistakes(rows: Sequence[FindingScore]) -> CaseMistakes:
    return CaseMistakes(
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


def _labels(case: Case, shown_slice: str | None) -> tuple[EqualLabels, ...]:
    """Return the labels of each source, present findings first."""
    sources = {each.source: each.counts if shown_slice is None else each.source == shown_slice for each in case.labels}
    return tuple(
        EqualLabels(label, source, counts, findings)
        for source, counts in sources.items()
        for label in _LABELS
        if (
            findings := tuple(
                sorted(each.finding for each in case.labels if each.source == source and each.label == label)
            )
        )
    )
