"""The facts of a case and its neighbors, for the script, without patients' names or numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Literal, TypedDict

from explorer.analysis.cases.case_facts import CaseFacts, ModelScores, score_margin
from explorer.analysis.cases.cohort_context import SimilarCase
from explorer.analysis.leaderboard.groups import FrequencyGroups
from explorer.cohorts.counted import CASES, Counted
from explorer.cohorts.film_source import SimulatedFilm
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.cohorts.schema import Label, Unit
from explorer.cohorts.unlisted import public_name
from explorer.core.age_bands import age_band
from explorer.core.appearance_bands import Side
from explorer.core.figures import fixed, percent_text
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.groups import sourced_group
from explorer.core.in_sample import OPTIMISTIC, ORIGIN_MEANINGS, Origin
from explorer.store.results import Appearance, Box, Case, CaseLine, FindingScore
from explorer.store.slices import Slice
from explorer.ui.explore.case_votes import LabelVotesPayload
from explorer.ui.shared.film_line import FilmLinePayload, film_line_payload
from explorer.ui.simulate.link import simulate_link
from models.cards.routing import cannot_judge_of

REPORTS_FILE = Folder(Path()).reports.name


class ScoreRowPayload(TypedDict):
    """A model's score of a finding; `margin` is score minus threshold, `scale` that of the model's logits.

    `cannot_judge`: its card says that the model may rank the finding no better than chance; outcomes mean nothing.
    `group` is from the slice's source or, if that has none, from the first source that has one: `group_source`.
    `explained`: related findings that explain a mistake: labeled ones for a false alarm, flagged ones for a miss.
    `doubted`: the label is uncertain, and `label` is what the slice counts it as.
    """

    finding: str
    score: float
    threshold: float | None
    margin: float | None
    label: Label
    doubted: bool
    outcome: Outcome | None
    group: FrequencyGroup | None
    group_source: str | None
    unit: Unit
    scale: float | None
    cannot_judge: bool
    explained: list[str]


class ModelRowsPayload(TypedDict):
    """A model's scores of the case."""

    title: str
    split: str
    thresholds: str
    rows: list[ScoreRowPayload]


class MistakesPayload(TypedDict):
    """The mistakes: findings missed; flagged and labeled absent; flagged without a known label."""

    missed: list[str]
    called: list[str]
    open: list[str]


class LabelGroupPayload(TypedDict):
    """Findings with the same label from one source, and whether outcomes follow its labels."""

    label: Label
    source: str
    counts: bool
    findings: list[str]


class CaseBoxPayload(TypedDict):
    """The box an annotator drew around a finding, in fractions of the film's sides."""

    finding: str
    x: float
    y: float
    width: float
    height: float
    source: str


class AppearancePayload(TypedDict):
    """The appearance of a finding that is present; area as a share of the film, null if not stated."""

    finding: str
    severity: float | None
    side: Side | None
    area: float | None


class FactsPayload(ModelRowsPayload):
    """Everything known about a case, with the scores of the chosen `model`; `other_models` have scored it, too.

    `votes` are readers' behind labels that they made. `masked`: its cohort has masks; `reported`: its cohort has
    reports; `about` are names and values; `groups` names the source of the frequency groups; `name` is the film's name
    in Read, `simulate` its address in Simulate; `here`: the film can be shown.
    """

    stage: Literal["case"]
    model: str
    finding: str | None
    in_slice: bool
    other_models: int
    instead: MistakesPayload
    labels: list[LabelGroupPayload]
    votes: list[LabelVotesPayload]
    boxes: list[CaseBoxPayload]
    appearances: list[AppearancePayload]
    masked: bool
    reported: bool
    about: list[tuple[str, str]]
    notes: list[str]
    groups: str
    file: str
    name: str
    simulate: str | None
    sql: str
    here: bool


class OtherModelsPayload(TypedDict):
    """The scores of the other models that scored the film; `notes` name those that cannot be read."""

    stage: Literal["others"]
    models: list[ModelRowsPayload]
    notes: list[str]


class NearCasePayload(FilmLinePayload):
    """A near case with its outcomes by finding, and its distance in words."""

    outcomes: dict[str, Outcome | None]
    words: str


class NearCasesPayload(TypedDict):
    """The nearest cases; `words` explain the distance. `same_study` are other films of the study."""

    stage: Literal["near"]
    cases: list[NearCasePayload]
    words: str
    same_study: list[FilmLinePayload]


class NoNearCasesPayload(TypedDict):
    """Why there are no nearest cases."""

    stage: Literal["none"]
    title: str
    detail: str
    same_study: list[FilmLinePayload]


def facts_payload(
    facts: CaseFacts,
    cohort: Manifest,
    asked: Slice,
    groups: FrequencyGroups,
    sql: str,
    *,
    others: int,
    here: bool,
    votes: Sequence[LabelVotesPayload] = (),
) -> FactsPayload:
    """The rows of the slice's model, with labels, boxes, facts and SQL; `others` counts the other models."""
    instead = facts.instead
    return {
        "stage": "case",
        "model": asked.model,
        "finding": facts.finding,
        "in_slice": facts.in_slice,
        **_model(facts.chosen, groups, facts),
        "other_models": others,
        "instead": {"missed": list(instead.missed), "called": list(instead.called), "open": list(instead.open)},
        "labels": [
            {"label": each.label, "source": each.source, "counts": each.counts, "findings": list(each.findings)}
            for each in facts.labels
        ],
        "votes": list(votes),
        "boxes": [_box(box) for box in facts.case.boxes],
        "appearances": [_appearance(each) for each in facts.case.appearances],
        "masked": cohort.masks != "none",
        "reported": REPORTS_FILE in (cohort.files or {}),
        "about": _about(facts.case, cohort, facts.chosen.origin),
        "notes": _notes(facts, cohort),
        "groups": GROUP_SOURCES[asked.source].panel,
        "file": facts.case.file or "",
        "name": _name(facts.case),
        "simulate": _simulate(facts.case),
        "sql": sql,
        "here": here,
    }


def other_models_payload(facts: CaseFacts, groups: FrequencyGroups) -> OtherModelsPayload:
    """The rows of the other models."""
    models = [_model(rows, groups, replace(facts, explained={})) for rows in facts.others]
    return {"stage": "others", "models": models, "notes": list(facts.case.left_out)}


def near_cases_payload(
    cohort: str,
    model: str,
    near: Sequence[SimilarCase],
    images: Images,
    same_study: Sequence[CaseLine] = (),
    counted: Counted = "film",
) -> NearCasesPayload | NoNearCasesPayload:
    """The nearest cases with their outcomes by finding, or why there are none."""
    study_films = [film_line_payload(images, cohort, line) for line in same_study]
    if not near:
        says = f"{model} has no features of this film."
        return {"stage": "none", "title": "No similar cases", "detail": says, "same_study": study_films}
    asked, cases = near[0].near.closer.n, CASES[counted].lower()
    films = f"the cohort's {asked:,} {cases}" if asked < 1000 else f"{asked:,} of the cohort's {cases}"
    return {
        "stage": "near",
        "cases": [_near(cohort, each, images) for each in near],
        "words": f"Cosine distance by {model}'s features. Closer than: the share of {films} farther from their own "
        f"nearest {counted} of another patient.",
        "same_study": study_films,
    }


def _near(cohort: str, alike: SimilarCase, images: Images) -> NearCasePayload:
    near = alike.near
    share = near.closer.value
    closer = "" if share is None else f", closer than {percent_text(share)}"
    return {
        **film_line_payload(images, cohort, alike.line),
        "outcomes": {finding: row.outcome for finding, row in alike.scored.items()},
        "words": f"distance {fixed(near.distance)}{closer}{', same patient' if near.same_patient else ''}",
    }


def _model(rows: ModelScores, groups: FrequencyGroups, facts: CaseFacts) -> ModelRowsPayload:
    made = rows.model
    unjudged = cannot_judge_of(made.model, made.sha256)
    return {
        "title": made.model,
        "split": made.split,
        "thresholds": made.thresholds,
        "rows": [_row(row, made, groups, facts, cannot_judge=row.finding in unjudged) for row in rows.rows],
    }


def _row(
    row: FindingScore, made: ModelManifest, groups: FrequencyGroups, facts: CaseFacts, *, cannot_judge: bool
) -> ScoreRowPayload:
    group = groups.get(row.finding)
    elsewhere = sourced_group(row.finding) if group is None else None
    return {
        "finding": row.finding,
        "score": row.score,
        "threshold": row.threshold,
        "margin": score_margin(row),
        "label": row.label,
        "doubted": row.finding in facts.doubted,
        "outcome": row.outcome,
        "group": elsewhere.group if elsewhere else group,
        "group_source": GROUP_SOURCES[elsewhere.source].short if elsewhere else None,
        "unit": made.unit,
        "scale": made.scale,
        "cannot_judge": cannot_judge,
        "explained": list(facts.explained.get(row.finding, ())),
    }


def _name(case: Case) -> str:
    """The film's name in Read."""
    return f"{case.case} (simulated)" if case.root == PHANTOM else PurePosixPath(case.file or "").name


def _simulate(case: Case) -> str | None:
    """The address in Simulate of a simulated film; None for any other."""
    if case.root != PHANTOM or SimulatedFilm.of(case.file or "") is None:
        return None
    return simulate_link(case.file or "")


def _box(box: Box) -> CaseBoxPayload:
    return {
        "finding": box.finding,
        "x": box.x,
        "y": box.y,
        "width": box.width,
        "height": box.height,
        "source": box.source,
    }


def _appearance(look: Appearance) -> AppearancePayload:
    return {"finding": look.finding, "severity": look.severity, "side": look.side, "area": look.area}


def _about(case: Case, cohort: Manifest, origin: Origin | None) -> list[tuple[str, str]]:
    return [
        ("Image id", case.case),
        ("Cohort", public_name(cohort.name)),
        ("Center", case.center if origin is None else f"{case.center} ({origin})"),
        ("View", case.view),
        ("Sex", case.sex),
        ("Age", f"{age_band(case.age)} years" if case.age is not None else "unknown"),
    ]


def _notes(facts: CaseFacts, cohort: Manifest) -> list[str]:
    notes = ["SIMULATED: this is not a patient's film."] if cohort.simulated else []
    if facts.chosen.origin in OPTIMISTIC:
        notes.append(f"{facts.chosen.origin.capitalize()}: {ORIGIN_MEANINGS[facts.chosen.origin]}.")
    return [*notes, *facts.case.left_out]
