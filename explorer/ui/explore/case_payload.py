"""What is known of a case, and of those near it, as the script gets it. No patient's name or number is among it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import PurePosixPath

from explorer.analysis.case_facts import CaseFacts, Groups, ModelRows, margin
from explorer.analysis.cohort_context import Alike
from explorer.cohorts.film_source import SimulatedFilm
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.images import Images
from explorer.cohorts.manifest import Manifest
from explorer.core.age_bands import age_band
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.in_sample import MEANINGS, OPTIMISTIC, Origin
from explorer.store.results import Box, Case, FindingScore
from explorer.store.slices import Slice
from explorer.ui.routes import thumbnail_address
from explorer.ui.simulate.link import simulate_link
from explorer.ui.viewer.payload import Json


def facts_payload(facts: CaseFacts, cohort: Manifest, asked: Slice, groups: Groups, sql: str) -> Json:
    """Rows of every model, labels, boxes, facts and SQL."""
    return {
        "stage": "case",
        "finding": facts.finding,
        "in_slice": facts.in_slice,
        **_model(facts.chosen, groups),
        "others": [_model(rows, groups) for rows in facts.others],
        "instead": asdict(facts.instead),
        "labels": [asdict(said) for said in facts.labels],
        "boxes": [_box(box) for box in facts.case.boxes],
        "masked": cohort.masks != "none",
        "about": _about(facts.case, cohort, facts.chosen.origin),
        "notes": _notes(facts, cohort),
        "groups": GROUP_SOURCES[asked.source].panel,
        "file": facts.case.file or "",
        "name": _name(facts.case),
        "simulate": _simulate(facts.case),
        "sql": sql,
    }


def near_payload(cohort: str, model: str, near: Sequence[Alike], images: Images) -> Json:
    """The nearest cases with the outcome of every finding there; without features none, and why."""
    if not near:
        return {"stage": "none", "title": "None is known", "detail": f"{model} has no features of this film."}
    asked = near[0].near.closer.n
    films = f"the cohort's {asked:,} films" if asked < 1000 else f"{asked:,} of the cohort's films"
    return {
        "stage": "near",
        "cases": [_near(cohort, each, images) for each in near],
        "words": f"Cosine distance by {model}'s features. Closer than: of {films}, those that are farther from their "
        "own nearest film of another patient.",
    }


def _near(cohort: str, alike: Alike, images: Images) -> Json:
    near, line = alike.near, alike.line
    there = images.film(line.root, line.file) is not None
    share = near.closer.value
    closer = "" if share is None else f", closer than {100 * share:.0f} %"
    return {
        "id": line.id,
        "thumb": thumbnail_address(cohort, line.case) if there else None,
        "file": line.file or line.case,
        "present": list(line.present),
        "outcomes": {finding: row.outcome for finding, row in alike.scored.items()},
        "words": f"distance {near.distance:.2f}{closer}{', same patient' if near.same_patient else ''}",
    }


def _model(rows: ModelRows, groups: Groups) -> Json:
    made = rows.model
    return {
        "title": made.model,
        "split": made.split,
        "thresholds": made.thresholds,
        "rows": [_row(row, groups) | {"unit": made.unit, "scale": made.scale} for row in rows.rows],
    }


def _row(row: FindingScore, groups: Groups) -> Json:
    return {
        "finding": row.finding,
        "score": row.score,
        "threshold": row.threshold,
        "margin": margin(row),
        "label": row.label,
        "outcome": row.outcome,
        "group": groups.get(row.finding),
    }


def _name(case: Case) -> str:
    """What Read calls the film."""
    return f"{case.case} (simulated)" if case.root == PHANTOM else PurePosixPath(case.file or "").name


def _simulate(case: Case) -> str | None:
    """The address in Simulate of a simulated film; None of another one."""
    if case.root != PHANTOM or SimulatedFilm.of(case.file or "") is None:
        return None
    return simulate_link(case.file or "")


def _box(box: Box) -> Json:
    return {name: getattr(box, name) for name in ("finding", "x", "y", "width", "height", "source")}


def _about(case: Case, cohort: Manifest, origin: Origin | None) -> list[tuple[str, str]]:
    return [
        ("Cohort", cohort.name),
        ("Center", case.center if origin is None else f"{case.center} ({origin})"),
        ("View", case.view),
        ("Sex", case.sex),
        ("Age", f"{age_band(case.age)} years" if case.age is not None else "unknown"),
    ]


def _notes(facts: CaseFacts, cohort: Manifest) -> list[str]:
    notes = ["SIMULATED: this is not a patient's film."] if cohort.simulated else []
    if facts.chosen.origin in OPTIMISTIC:
        notes.append(f"{facts.chosen.origin.capitalize()}: {MEANINGS[facts.chosen.origin]}.")
    return [*notes, *facts.case.left_out]
