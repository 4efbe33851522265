"""What is known of one case: the pair that put it into the slice first, then what else went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.schema import Label
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.outcomes import outcome_of
from explorer.store.results import Case, Scored
from explorer.store.slices import Relation, Slice

Groups = Mapping[str, FrequencyGroup | None]
WRONG = (Outcome.MISS, Outcome.FALSE_ALARM)
_ORDER = (*WRONG, Outcome.HIT, None, Outcome.CORRECT_REJECTION)
_LABELS: tuple[Label, ...] = ("present", "uncertain", "absent", "unknown")


@dataclass(frozen=True, slots=True)
class Instead:
    """What went wrong on a film: `missed`; `called` and labelled absent; `open`: called, and the label not known."""

    missed: tuple[str, ...]
    called: tuple[str, ...]
    open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SaidAlike:
    """Findings that one source labels alike."""

    label: Label
    source: str
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelRows:
    """The scores of one model, the worst outcomes first; `in_sample`: it was trained on films of this center."""

    model: ModelManifest
    rows: tuple[Scored, ...]
    in_sample: bool


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """A case as a slice looks at it.

    `finding` is the worst pair that the slice holds of it (`in_slice`); else the slice's finding, or the worst of all.
    None without scores.
    """

    case: Case
    finding: str | None
    in_slice: bool
    chosen: ModelRows
    others: tuple[ModelRows, ...]
    instead: Instead
    labels: tuple[SaidAlike, ...]


def facts_of(case: Case, models: Sequence[ModelManifest], asked: Slice, groups: Groups) -> CaseFacts:
    """Order what the store has of a case for the slice `asked`; `models` are those of its cohort.

    Outcomes are those by the slice's label source. Raises ValueError where the slice's model is not among the models.
    """
    if asked.label_source is not None:
        case = _labelled_by(asked.label_source, case)
    all_rows = {model.model: _rows_of(case, model) for model in models}
    if asked.model not in all_rows:
        raise ValueError(f"No model {asked.model!r} has scored this cohort.")
    chosen = all_rows.pop(asked.model)
    against = {row.finding: row for row in all_rows[asked.against].rows} if asked.against in all_rows else {}
    film = asked.called is None or any(row.finding == asked.called and _is_called(row) for row in chosen.rows)
    inside = [
        row for row in chosen.rows if film and _is_labelled(asked, row, case) and _is_in(asked, row, groups, against)
    ]
    named = [row for row in chosen.rows if row.finding == asked.finding]
    worst = min(inside or named or chosen.rows, key=lambda row: (-_badness(row), row.finding), default=None)
    return CaseFacts(
        case=case,
        finding=worst.finding if worst else None,
        in_slice=bool(inside),
        chosen=chosen,
        others=tuple(rows for rows in all_rows.values() if rows.rows),
        instead=_instead(chosen.rows),
        labels=_labels(case),
    )


def margin(row: Scored) -> float | None:
    """Score minus threshold; None without a threshold."""
    return None if row.threshold is None else row.score - row.threshold


def _labelled_by(source: str, case: Case) -> Case:
    """The case as one source labels it."""
    said = {each.finding: each.label for each in case.labels if each.source == source}
    scores = (replace(row, label=said.get(row.finding, "unknown")) for row in case.scores)
    return replace(
        case, scores=tuple(replace(row, outcome=outcome_of(row.label, row.score, row.threshold)) for row in scores)
    )


def _rows_of(case: Case, model: ModelManifest) -> ModelRows:
    rows = [row for row in case.scores if row.model == model.model]
    rows.sort(key=lambda row: (_ORDER.index(row.outcome), -_badness(row), row.finding))
    return ModelRows(model, tuple(rows), case.center in model.in_sample)


def _badness(row: Scored) -> float:
    """How wrong the score is, as the pages of a slice are ordered; without a threshold nothing can be said."""
    beyond = margin(row)
    if beyond is None:
        return float("-inf")
    return -beyond if row.label == "present" else beyond


def _is_labelled(asked: Slice, row: Scored, case: Case) -> bool:
    """Whether the slice's label source says anything of the pair: the slice holds no others."""
    return asked.label_source is None or any(
        (each.finding, each.source) == (row.finding, asked.label_source) for each in case.labels
    )


def _is_in(asked: Slice, row: Scored, groups: Groups, against: Mapping[str, Scored]) -> bool:
    """Whether the pair is one of the slice, as far as that depends on the pair."""
    return (
        asked.finding in (None, row.finding)
        and asked.group in (None, groups.get(row.finding))
        and (not asked.outcomes or row.outcome in asked.outcomes)
        and (asked.low is None or row.score >= asked.low)
        and (asked.high is None or row.score < asked.high)
        and (asked.relation is None or _is_related(asked.relation, row, against.get(row.finding)))
    )


def _is_related(relation: Relation, row: Scored, other: Scored | None) -> bool:
    if other is None:
        return False
    if relation == "both wrong":
        return row.outcome in WRONG and other.outcome in WRONG
    ours, theirs = margin(row), margin(other)
    return ours is not None and theirs is not None and (ours >= 0) != (theirs >= 0)


def _instead(rows: Sequence[Scored]) -> Instead:
    return Instead(
        missed=tuple(row.finding for row in rows if row.outcome is Outcome.MISS),
        called=tuple(row.finding for row in rows if row.outcome is Outcome.FALSE_ALARM),
        open=tuple(row.finding for row in rows if row.outcome is None and _is_called(row)),
    )


def _is_called(row: Scored) -> bool:
    return row.threshold is not None and row.score >= row.threshold


def _labels(case: Case) -> tuple[SaidAlike, ...]:
    """What each source says, the present findings first."""
    sources = dict.fromkeys(each.source for each in case.labels)
    return tuple(
        SaidAlike(label, source, findings)
        for source in sources
        for label in _LABELS
        if (
            findings := tuple(
                sorted(each.finding for each in case.labels if each.source == source and each.label == label)
            )
        )
    )
