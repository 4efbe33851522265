"""Makes the zero-shot model `phantom-vlm`: projects the classifier's features into a locked text space."""

from __future__ import annotations

import hashlib
import json
import logging
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from explorer.simulator.cohort_sampling import SEEN_FINDINGS, UNSEEN_FINDINGS
from explorer.workshop.lab.phantom_dataset import exact_labels, noted_labels, training_films
from explorer.workshop.lab.phantom_splits import SplitFilms, Splits
from explorer.workshop.lab.ranking_figures import ranking_figures
from explorer.workshop.shipping.training import operating_points
from explorer.workshop.shipping.training.cards import TrainingReport, phantom_vlm_card_markdown
from explorer.workshop.shipping.training.classifier import PHANTOM_MODEL as TOWER
from explorer.workshop.shipping.training.classifier import ShippedClassifier
from explorer.workshop.shipping.training.operating_points import LabeledOutputs
from explorer.workshop.shipping.training.place import ShippingFolders
from explorer.workshop.shipping.training.registry import RegistryFacts, vlm_file
from explorer.workshop.shipping.training.tables import rank_warnings
from models.array_types import Float32
from models.exact_products import row_products
from models.load import vlm
from models.training.shipping.listed_files import write_file_hashes
from models.training.shipping.nih.ship import save_tensors, write_text
from models.training.shipping.vlm.blind import last_layer
from models.training.shipping.vlm.captions import CAPTION_TEMPLATES
from models.training.shipping.vlm.directions import write_directions
from models.training.shipping.vlm.folder import Projection
from models.training.shipping.vlm.heat import vlm_heat_maximum
from models.training.shipping.vlm.lit import calibrate, fit_projection
from models.training.shipping.vlm.spoken import encode_captions, question_directions
from models.vlm.open_model import LOGIT_SCALE, PROJECTION_BIAS, PROJECTION_WEIGHT

log = logging.getLogger(__name__)
NAME, TEXT = "phantom-vlm", "nih-mini-vlm"
ALL_FINDINGS = (*SEEN_FINDINGS, *UNSEEN_FINDINGS)
# Folds of the validation films; a text's threshold is chosen on films other than those to which it is applied.
VALIDATION_FOLDS = 5


class ShippedTextTower:
    """The shipped text tower, with the interface of `models.training.shipping.vlm.spoken.SentenceEncoder`."""

    def __init__(self) -> None:
        self._model = vlm(TEXT, "cpu")

    def embed(self, texts: Sequence[str]) -> Float32:
        once = sorted(set(texts), key=lambda text: (len(text), text))  # batches texts of similar length
        vectors = self._model.embed_texts(once)
        place = {text: row for row, text in enumerate(once)}
        return vectors[[place[text] for text in texts]]


def ship_vlm(splits: Splits, shipped: ShippedClassifier, place: ShippingFolders) -> None:
    """Fit the projection and write all shipped files of the model."""
    recipe, validation = shipped.report.made.stage, splits.validation
    texts = ShippedTextTower()
    captions = encode_captions(texts, noted_labels(splits.training.cases), SEEN_FINDINGS)
    log.info("%d differences and %d captions encoded", len(captions.of), len(captions.captions))
    labels = exact_labels(validation.cases, ALL_FINDINGS)
    known = calibrate(labels[:, : len(SEEN_FINDINGS)], shipped.validation.logits)
    weight, bias = last_layer(shipped.weights, len(SEEN_FINDINGS))
    typical = known.of(shipped.validation.logits)
    solved = fit_projection(
        weight.astype(np.float32),
        bias.astype(np.float32),
        known,
        captions.directions(range(len(SEEN_FINDINGS))),
        typical,
    )
    solved = solved.rounded()
    directions = question_directions(texts, [finding.lower() for finding in ALL_FINDINGS])
    embedded = [solved.embed(each.features).astype(np.float16) for each in (shipped.validation, shipped.test)]
    margins = [row_products(each, directions) for each in embedded]
    checked = training_films(validation.cases, validation.pixels.coarse, labels)
    parts = np.zeros(len(checked), dtype=np.int64)
    maximum = vlm_heat_maximum([shipped.weights], [solved], parts, checked, recipe, directions)
    tested = exact_labels(splits.test.cases, ALL_FINDINGS)
    found = ranking_figures(splits.test.cases, tested, margins[1], ALL_FINDINGS)
    points = operating_points.choose_points(
        LabeledOutputs(labels, margins[0]), LabeledOutputs(tested, margins[1]), SEEN_FINDINGS
    )
    sha256 = _write_projection(place.weights / f"{NAME}.safetensors", solved)
    cautions = rank_warnings(found, ALL_FINDINGS, "its name")
    facts = RegistryFacts(NAME, sha256, shipped.report.facts.films, points, cautions, maximum)
    write_text(place.card(NAME), vlm_file(facts, recipe, place.known_as(TOWER), TEXT, SEEN_FINDINGS, CAPTION_TEMPLATES))
    _write_validation(place.weights / f"{NAME}.validation.safetensors", validation, embedded[0], labels)
    report = TrainingReport(facts, shipped.report.made, splits.counts(), found)
    write_text(place.weights / f"{NAME}.md", phantom_vlm_card_markdown(report, TEXT, shipped.report.found))
    write_directions(place.known_as(NAME))
    write_file_hashes(place.card(NAME))
    log.info("shipped %s, sha256 %s", NAME, sha256)


def _write_projection(target: Path, solved: Projection) -> str:
    """Write the tensors that models/vlm/open_model.py reads, in half precision; return the file's sha256."""
    numbers = {
        PROJECTION_WEIGHT: torch.from_numpy(solved.weight).half(),
        PROJECTION_BIAS: torch.from_numpy(solved.bias).half(),
        LOGIT_SCALE: torch.tensor(math.log(solved.scale)).half(),
    }
    save_tensors(numbers, target, {"format": "pt"})
    return hashlib.sha256(target.read_bytes()).hexdigest()


def _write_validation(target: Path, split: SplitFilms, embeddings: NDArray[np.float16], labels: Float32) -> None:
    """Write the validation films' embeddings, exact labels and folds for explorer/asking/validation.py."""
    numbers = {
        "embeddings": torch.from_numpy(embeddings),
        "labels": torch.from_numpy(labels.astype(np.uint8)),
        "folds": torch.from_numpy((np.arange(len(labels)) % VALIDATION_FOLDS).astype(np.uint8)),
    }
    named = {
        "findings": json.dumps(ALL_FINDINGS),
        "patients": json.dumps([case.film.case for case in split.cases]),
        "cohort": f"{len(labels):,} simulated validation films of patients that the model has not seen",
    }
    save_tensors(numbers, target, named)
