"""A model's scores of the findings that matter on a film: present ones, the one asked about, and flagged ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import numpy as np

from explorer.asking.spread import score_of
from explorer.cohorts.manifest import ModelManifest
from explorer.core.findings import Outcome
from explorer.core.in_sample import ORIGIN_MEANINGS, Origin
from explorer.core.outcomes import outcome_of
from explorer.school.playlists.found_film import CohortFilm
from explorer.school.playlists.playlist import PlaylistFilm
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.prepared import ModelCall, ModelSaysPayload, NamedScorePayload, ScorePayload
from explorer.store.results import FindingScore
from models.array_types import Float64
from models.cards.routing import cannot_judge_of

if TYPE_CHECKING:
    from explorer.store.store import Store

ORIGIN_UNKNOWN = "not known whether the model saw this film, or its center, in training"


def stored_scores(
    film: CohortFilm, manifest: ModelManifest, truth: Truth, question_finding: str | None
) -> ModelSaysPayload:
    """Return a cohort model's stored scores of a film, with outcomes by the labels that count; maps are added later."""
    unjudged = cannot_judge_of(manifest.model, manifest.sha256)
    rows = [_row(each, manifest, unjudged) for each in film.case.scores if each.model == manifest.model]
    return model_says_payload(manifest.model, manifest.origins.get(film.case.center), rows, truth, question_finding)


def named_scores(store: Store, film: PlaylistFilm) -> list[NamedScorePayload]:
    """Return the stored scores of the question's finding by the models that the film names, if the cohort has them."""
    known = {each.model: each for each in store.models(film.cohort)} if film.models else {}
    center = next((line.center for line in store.cases(film.cohort, [film.case])), "") if known else ""
    found: list[NamedScorePayload] = []
    for manifest in (known[name] for name in film.models if name in known):
        said = (
            store.scored(film.cohort, manifest.model, [film.case]).get(film.case, {}).get(film.question.finding or "")
        )
        if said is not None:
            origin = manifest.origins.get(center) or ""
            found.append(
                {
                    "model": manifest.model,
                    "title": manifest.title,
                    "origin": origin,
                    **_row(said, manifest, cannot_judge_of(manifest.model, manifest.sha256)),
                }
            )
    return found


def stored_outcomes(film: CohortFilm, models: Collection[ModelManifest]) -> dict[str, dict[str, Outcome]]:
    """Return the outcome of each finding with a known label, by each model that has a threshold for it."""
    found: dict[str, dict[str, Outcome]] = {each.model: {} for each in models}
    for each in film.case.scores:
        if each.outcome is not None and each.model in found:
            found[each.model][each.finding] = each.outcome
    return found


def stored_calls(film: CohortFilm, models: Collection[ModelManifest]) -> dict[str, dict[str, ModelCall]]:
    """Return each finding's stored score, as shown, by each model that judges the finding."""
    manifests = {each.model: each for each in models}
    unjudged = {name: cannot_judge_of(name, each.sha256) for name, each in manifests.items()}
    found: dict[str, dict[str, ModelCall]] = {name: {} for name in manifests}
    for each in film.case.scores:
        if each.model in manifests and each.finding not in unjudged[each.model]:
            called = None if each.threshold is None else bool(each.score >= each.threshold)
            found[each.model][each.finding] = ModelCall(_shown_score(each.score, manifests[each.model]), called)
    return found


def row_calls(rows: Iterable[ScorePayload]) -> dict[str, ModelCall]:
    """Return the score of each row's finding that the model judges."""
    return {
        row["finding"]: ModelCall(float(row["score"]), None if row["threshold"] is None else reaches_threshold(row))
        for row in rows
        if not row["cannot_judge"]
    }


def model_says_payload(
    model: str, origin: Origin | None, rows: Iterable[ScorePayload], truth: Truth, question_finding: str | None
) -> ModelSaysPayload:
    """Return the rows that matter: present findings, the one asked about, then flagged ones, most certain first."""
    wanted = [*truth.present, *([question_finding] if question_finding else [])]
    chosen = [row for row in rows if row["finding"] in wanted or reaches_threshold(row)]
    return {
        "model": model,
        "origin": ORIGIN_UNKNOWN if origin is None else f"{origin}: {ORIGIN_MEANINGS[origin]}",
        "rows": sorted(chosen, key=lambda row: _sort_key(row, wanted)),
        "overlays": [],
    }


def stored_thresholds(store: Store, cohort: str, manifest: ModelManifest) -> dict[str, float]:
    """Return the thresholds in force for a model's scores of a cohort, by finding, as scores from 0 to 1.

    Films that are read now are judged by the same thresholds, so that counts and display agree.
    """
    cuts = (each for each in store.thresholds(cohort, manifest.model) if each.split is None)
    return {each.finding: _shown_score(each.threshold, manifest) for each in cuts}


def score_row(finding: str, score: float, threshold: float | None, label: str, *, judged: bool = True) -> ScorePayload:
    """Return a score and its outcome."""
    return {
        "finding": finding,
        "score": score,
        "threshold": threshold,
        "outcome": outcome_of(label, score, threshold),
        "cannot_judge": not judged,
    }


def _row(each: FindingScore, manifest: ModelManifest, unjudged: Collection[str]) -> ScorePayload:
    """Return a stored score, with the store's outcome."""
    threshold = None if each.threshold is None else _shown_score(each.threshold, manifest)
    return {
        "finding": each.finding,
        "score": _shown_score(each.score, manifest),
        "threshold": threshold,
        "outcome": each.outcome,
        "cannot_judge": each.finding in unjudged,
    }


def shown_scores(values: Float64, manifest: ModelManifest) -> Float64:
    """Return scores as shown: margins become scores from 0 to 1, as in Ask."""
    return score_of(values, manifest.scale) if manifest.unit == "margin" and manifest.scale is not None else values


def _shown_score(value: float, manifest: ModelManifest) -> float:
    return float(shown_scores(np.asarray(value), manifest))


def reaches_threshold(row: ScorePayload) -> bool:
    """Return whether a score reaches its threshold."""
    return row["threshold"] is not None and bool(row["score"] >= row["threshold"])


def _sort_key(row: ScorePayload, wanted: Collection[str]) -> tuple[int, float, str]:
    order = list(wanted)
    place = order.index(row["finding"]) if row["finding"] in order else len(order)
    return place, (row["threshold"] or 0.0) - row["score"], row["finding"]
