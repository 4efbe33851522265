"""Ships a classifier of simulated films: from a run's checkpoint to weights, gate, registry file and card."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from explorer.simulator.cohort_sampling import SEEN, SampledCase
from explorer.workshop.lab.phantom_dataset import exact_labels, films, of_places
from explorer.workshop.lab.phantom_splits import Splits
from explorer.workshop.lab.ranking_figures import figures
from explorer.workshop.shipping.training import operating_points
from explorer.workshop.shipping.training.cards import TrainingReport, classifier_card
from explorer.workshop.shipping.training.checkpoint import Checkpoint
from explorer.workshop.shipping.training.gate import write_gate
from explorer.workshop.shipping.training.operating_points import LabeledLogits
from explorer.workshop.shipping.training.place import Place
from explorer.workshop.shipping.training.registry import RegistryFacts, SaidOfScores, classifier_file
from explorer.workshop.shipping.training.scored import NetworkOutput, scored
from explorer.workshop.shipping.training.tables import warnings
from models.training.shipping.listed_files import write_file_hashes
from models.training.shipping.nih.ship import heat_maximum, save_half, write_text, write_weights
from models.training.trained import mask_state

log = logging.getLogger(__name__)
PHANTOM = "phantom"


@dataclass(frozen=True, slots=True, eq=False)
class Shipped:
    """The shipped classifier's report, and its output for validation and test films."""

    report: TrainingReport
    weights: Path
    validation: NetworkOutput
    test: NetworkOutput


def ship(splits: Splits, made: Checkpoint, place: Place, name: str = PHANTOM) -> Shipped:
    """Write all shipped files of the classifier `name`."""
    recipe = made.stage
    known = films(splits.validation.cases, splits.validation.pixels.coarse, exact_labels(splits.validation.cases, SEEN))
    weights = place.weights / f"{name}.safetensors"
    sha256 = write_weights(made.weights, weights, len(SEEN))
    masks = mask_state(made.weights)
    if masks:
        save_half(of_places(masks), place.weights / f"{name}.masks.safetensors")
    gate = place.weights / f"{name}.gate.safetensors"
    write_gate(weights, splits.training.pixels.coarse, known.pixels, recipe, gate)
    validation, test = (scored(weights, each.pixels.exact, recipe) for each in (splits.validation, splits.test))
    maximum = heat_maximum([weights], np.zeros(len(known), dtype=np.int64), known, recipe)
    log.info("scored, heat maximum %.4f", maximum)
    labels = exact_labels(splits.test.cases, SEEN)
    found = figures(splits.test.cases, labels, test.logits, SEEN)
    logits, counted = LabeledLogits(known.labels, validation.logits), LabeledLogits(labels, test.logits)
    points = operating_points.points(operating_points.scores(logits), operating_points.scores(counted), SEEN)
    by_center = {str(center): sum(case.film.center == center for case in splits.training.cases) for center in found}
    cautions = warnings(found, SEEN, "the model")
    facts = RegistryFacts(name, sha256, by_center, points, cautions, maximum, bool(masks))
    score_facts = _score_facts(logits, counted, facts, splits.test.cases)
    write_text(place.card(name), classifier_file(facts, made.recipe, SEEN, score_facts))
    write_file_hashes(place.card(name))
    report = TrainingReport(facts, made, splits.counts(), found, score_facts.finding_free)
    write_text(place.weights / f"{name}.md", classifier_card(report))
    log.info("shipped %s, sha256 %s", name, sha256)
    return Shipped(report, weights, validation, test)


def _score_facts(
    logits: LabeledLogits, counted: LabeledLogits, facts: RegistryFacts, test: Sequence[SampledCase]
) -> SaidOfScores:
    """Return bands and calibration from validation `logits`, and counts on finding-free test films from `counted`."""
    bands = operating_points.bands(operating_points.scores(logits), SEEN, facts.points)
    judged = {name: point for name, point in facts.points.items() if name not in facts.warnings}
    patients = np.array([case.address for case in test])  # each film is a different patient
    free = operating_points.finding_free_on(operating_points.scores(counted), SEEN, judged, bands, patients)
    return SaidOfScores(bands, operating_points.calibrations(logits, SEEN, facts.points), free)
