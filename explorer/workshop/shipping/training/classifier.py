"""Ships a classifier of simulated films: from a run's checkpoint to weights, gate, registry file and card."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from explorer.simulator.cohort_sampling import SEEN_FINDINGS, SampledCase
from explorer.workshop.lab.phantom_dataset import exact_labels, restrict_to_localized, training_films
from explorer.workshop.lab.phantom_splits import Splits
from explorer.workshop.lab.ranking_figures import ranking_figures
from explorer.workshop.shipping.training import operating_points
from explorer.workshop.shipping.training.cards import TrainingReport, phantom_card_markdown
from explorer.workshop.shipping.training.checkpoint import Checkpoint
from explorer.workshop.shipping.training.gate import write_gate
from explorer.workshop.shipping.training.operating_points import LabeledOutputs
from explorer.workshop.shipping.training.place import ShippingFolders
from explorer.workshop.shipping.training.registry import RegistryFacts, ScoreFacts, classifier_file
from explorer.workshop.shipping.training.scored import NetworkOutput, run_network
from explorer.workshop.shipping.training.tables import rank_warnings
from models.training.saved_network import mask_state
from models.training.shipping.listed_files import write_file_hashes
from models.training.shipping.nih.ship import heat_maximum, save_half, write_text, write_weights

log = logging.getLogger(__name__)
PHANTOM_MODEL = "phantom"


@dataclass(frozen=True, slots=True, eq=False)
class ShippedClassifier:
    """The shipped classifier's report, and its output for validation and test films."""

    report: TrainingReport
    weights: Path
    validation: NetworkOutput
    test: NetworkOutput


def ship_classifier(
    splits: Splits, made: Checkpoint, place: ShippingFolders, name: str = PHANTOM_MODEL
) -> ShippedClassifier:
    """Write all shipped files of the classifier `name`."""
    recipe = made.stage
    known = training_films(
        splits.validation.cases, splits.validation.pixels.coarse, exact_labels(splits.validation.cases, SEEN_FINDINGS)
    )
    weights = place.weights / f"{name}.safetensors"
    sha256 = write_weights(made.weights, weights, len(SEEN_FINDINGS))
    masks = mask_state(made.weights)
    if masks:
        save_half(restrict_to_localized(masks), place.weights / f"{name}.masks.safetensors")
    gate = place.weights / f"{name}.gate.safetensors"
    write_gate(weights, splits.training.pixels.coarse, known.pixels, recipe, gate)
    validation, test = (run_network(weights, each.pixels.exact, recipe) for each in (splits.validation, splits.test))
    maximum = heat_maximum([weights], np.zeros(len(known), dtype=np.int64), known, recipe)
    log.info("scored, heat maximum %.4f", maximum)
    labels = exact_labels(splits.test.cases, SEEN_FINDINGS)
    found = ranking_figures(splits.test.cases, labels, test.logits, SEEN_FINDINGS)
    logits, counted = LabeledOutputs(known.labels, validation.logits), LabeledOutputs(labels, test.logits)
    points = operating_points.choose_points(
        operating_points.with_scores(logits), operating_points.with_scores(counted), SEEN_FINDINGS
    )
    by_center = {str(center): sum(case.film.center == center for case in splits.training.cases) for center in found}
    cautions = rank_warnings(found, SEEN_FINDINGS, "the model")
    facts = RegistryFacts(name, sha256, by_center, points, cautions, maximum, bool(masks))
    score_facts = _score_facts(logits, counted, facts, splits.test.cases)
    write_text(place.card(name), classifier_file(facts, made.recipe, SEEN_FINDINGS, score_facts))
    write_file_hashes(place.card(name))
    report = TrainingReport(facts, made, splits.counts(), found, score_facts.finding_free)
    write_text(place.weights / f"{name}.md", phantom_card_markdown(report))
    log.info("shipped %s, sha256 %s", name, sha256)
    return ShippedClassifier(report, weights, validation, test)


def _score_facts(
    logits: LabeledOutputs, counted: LabeledOutputs, facts: RegistryFacts, test: Sequence[SampledCase]
) -> ScoreFacts:
    """Return bands and calibration from validation `logits`, and counts on finding-free test films from `counted`."""
    bands = operating_points.choose_bands(operating_points.with_scores(logits), SEEN_FINDINGS, facts.points)
    judged = {name: point for name, point in facts.points.items() if name not in facts.warnings}
    patients = np.array([case.address for case in test])  # each film is a different patient
    free = operating_points.finding_free_on(
        operating_points.with_scores(counted), SEEN_FINDINGS, judged, bands, patients
    )
    return ScoreFacts(bands, operating_points.calibrations(logits, SEEN_FINDINGS, facts.points), free)
