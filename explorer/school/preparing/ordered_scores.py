"""The phantom models' scores of a simulated film outside a cohort, computed while a class is prepared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.cases.comparable_cohorts import scored_by
from explorer.asking.answer import FilmAnswer
from explorer.asking.question import checked_question
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.core.findings import Outcome
from explorer.core.in_sample import Origin
from explorer.reading.map_worth import map_words
from explorer.reading.reader import Reading
from explorer.runtime.fair_queue import QueueFull
from explorer.school.playlists.found_film import FilmSources, OrderedFilm
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.flag_words import add_flag_words
from explorer.school.preparing.heat_overlay import overlay, reader_overlays, simulate_shows_map
from explorer.school.preparing.model_scores import (
    model_says_payload,
    reaches_threshold,
    row_calls,
    score_row,
    stored_thresholds,
)
from explorer.school.preparing.prepared import ModelCall, ModelSaysPayload, OverlayPayload, ScorePayload
from explorer.simulator.address import PhantomFilm
from explorer.simulator.cohort_sampling import SEEDS_PER_FILM, TRAINING_SPLIT
from models.cards.card import Card, UnusableModel
from models.cards.vlm_card import VlmCard
from models.radiograph import Radiograph

# The patients on which the phantom models were, or may have been, trained.
TRAINING_SEEDS = range(
    TRAINING_SPLIT.first, TRAINING_SPLIT.first + sum(films for _, films in TRAINING_SPLIT.films) * SEEDS_PER_FILM
)


@dataclass(frozen=True, slots=True, eq=False)
class OrderedScores:
    """The models' scores, and their `outcomes` and `calls` of every finding scored.

    `features` (d,) find the nearest films in the cohort that the model in `scored` scored; None if there is none.
    `missing` explains why models are absent.
    """

    models: list[ModelSaysPayload]
    outcomes: Mapping[str, Mapping[str, Outcome]]
    calls: Mapping[str, Mapping[str, ModelCall]]
    features: NDArray[np.float32] | None
    scored: tuple[Manifest, ModelManifest] | None
    missing: tuple[str, ...]


def score_ordered_film(
    film: OrderedFilm, radiograph: Radiograph, truth: Truth, question_finding: str | None, sources: FilmSources
) -> OrderedScores:
    """Return the classifier's scores of all its findings, and the image-text model's of those present or asked about.

    Waits until the models are loaded; an unusable one is skipped.
    """
    if sources.readers is None:
        return OrderedScores(
            [], {}, {}, None, None, ("No model that reads simulated films is loaded: no scores, no maps.",)
        )
    try:
        reader = sources.readers.simulated
        _check(reader.card)
        reading = reader.read(radiograph)
    except (UnusableModel, QueueFull) as refusal:
        return OrderedScores([], {}, {}, None, None, (f"No scores and no maps of simulated films. {refusal}",))
    card = reading.card
    scored = _scored(sources, card)
    labels = truth.labels
    rows = [
        score_row(row.finding, row.score, row.threshold, labels.get(row.finding, "unknown"), judged=row.judged)
        for row in reading.rows
    ]
    scores = model_says_payload(card.name, _origin(film.film, scored), rows, truth, question_finding)
    if scored is not None:
        add_flag_words(sources.store, scored[0].name, scored[1], scores["rows"])
    wanted = {row.finding: row for row in reading.rows}
    shown = [wanted[row["finding"]] for row in scores["rows"]]
    scores["overlays"] = reader_overlays(reader, radiograph, shown, shown_by=simulate_shows_map)
    text, missing = _text_model(film, radiograph, reading, truth, question_finding, sources)
    outcomes = {card.name: _outcomes(rows), **{each["model"]: _outcomes(each["rows"]) for each in text}}
    calls = {card.name: row_calls(rows), **{each["model"]: row_calls(each["rows"]) for each in text}}
    return OrderedScores([scores, *text], outcomes, calls, reading.features, scored, missing)


def _outcomes(rows: Iterable[ScorePayload]) -> dict[str, Outcome]:
    return {row["finding"]: row["outcome"] for row in rows if row["outcome"] is not None}


def _text_model(
    film: OrderedFilm,
    radiograph: Radiograph,
    reading: Reading,
    truth: Truth,
    question_finding: str | None,
    sources: FilmSources,
) -> tuple[list[ModelSaysPayload], tuple[str, ...]]:
    findings = [
        each
        for each in dict.fromkeys([*truth.present, *([question_finding] if question_finding else [])])
        if each != "Normal"
    ]
    if sources.askers is None or not findings:
        return [], ()
    try:
        asker = sources.askers.simulated
        _check(asker.card)
        answers: dict[str, FilmAnswer] = {}
        for each in findings:
            before = next(iter(answers.values())).embedding if answers else None
            answers[each] = asker.ask(radiograph, reading, checked_question(each), anyway=True, embedding=before)
    except (UnusableModel, QueueFull) as refusal:
        return [], (f"No scores of simulated films by the image-text model. {refusal}",)
    labels, scored = truth.labels, _scored(sources, asker.card)
    cuts = {} if scored is None else stored_thresholds(sources.store, scored[0].name, scored[1])
    rows = [
        score_row(finding, each.score, cuts.get(finding, each.threshold_score), labels.get(finding, "unknown"))
        for finding, each in answers.items()
    ]
    scores = model_says_payload(asker.card.name, _origin(film.film, scored), rows, truth, question_finding)
    if scored is not None:
        add_flag_words(sources.store, scored[0].name, scored[1], scores["rows"])
    size = radiograph.pixels.shape
    called = [row["finding"] for row in rows if reaches_threshold(row)]
    scores["overlays"] = [made for finding in called for made in _text_overlay(finding, answers[finding], size)]
    return [scores], ()


def _text_overlay(finding: str, answer: FilmAnswer, size: tuple[int, int]) -> list[OverlayPayload]:
    """Return the map of a flagged finding, if Simulate would show it by default because it beats the usual place."""
    heat = answer.heat
    if heat is None or answer.verdict == "cannot judge":
        return []
    if heat.worth is not None and heat.worth.shown is False:
        return []
    return [overlay(finding, heat.map, heat.box, heat.maximum, size, map_words(heat.worth, finding))]


def _scored(sources: FilmSources, card: Card | VlmCard) -> tuple[Manifest, ModelManifest] | None:
    """Return the first simulated cohort that exactly these weights have scored."""
    simulated = (each for each in sources.store.cohorts() if each.simulated)
    found = ((each, scored_by(sources.store, each.name, card)) for each in simulated)
    return next(((cohort, made) for cohort, made in found if made is not None), None)


def _origin(film: PhantomFilm, scored: tuple[Manifest, ModelManifest] | None) -> Origin | None:
    if film.seed in TRAINING_SEEDS:
        return "possibly in-sample"
    if scored is None:
        return None
    # A center may be named "phantom A".
    return next((origin for name, origin in scored[1].origins.items() if name.split()[-1] == film.center), None)


def _check(card: Card | VlmCard) -> None:
    """Raise UnusableModel for a model of patients' films, whose scores of simulated films mean nothing."""
    if card.films != "simulated":
        raise UnusableModel("No phantom model is loaded", f"{card.name} was trained on patients' films.")
