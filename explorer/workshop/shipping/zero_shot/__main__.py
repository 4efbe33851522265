"""Score the phantom's unseen findings in several ways: `python -m explorer.workshop.shipping.zero_shot --run RUN`.

Missing films are rendered into RUN. Each way becomes a model of the shipped cohort `phantom`;
`python -m explorer lab zero-shot` compares them.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import expit

from explorer.cohorts.layout import CACHE, Folder
from explorer.simulator.cohort_sampling import (
    SEEN_FINDINGS,
    TEST_SPLIT,
    TRAINING_SPLIT,
    UNSEEN_FINDINGS,
    VALIDATION_SPLIT,
    Split,
    sample_cases,
)
from explorer.simulator.request import NORMAL
from explorer.workshop.lab.phantom_dataset import exact_labels, noted_labels
from explorer.workshop.lab.phantom_pixels import render_pixels
from explorer.workshop.lab.phantom_splits import TRAINING_SIZE
from explorer.workshop.shipping.training.place import SHIPPED_FOLDERS
from explorer.workshop.shipping.training.scored import run_network
from explorer.workshop.shipping.training.vlm import ShippedTextTower
from explorer.workshop.shipping.zero_shot.branch import LabeledFeatures, branch_scores, choose_branch_share
from explorer.workshop.shipping.zero_shot.proxy import (
    ASKED_FINDINGS,
    CHOICE_ROUNDS,
    Tower,
    choose_parameters,
    direction_cosines,
    text_margins,
)
from explorer.workshop.shipping.zero_shot.publish import ZeroShotScores, publish_zero_shot
from explorer.workshop.shipping.zero_shot.ways import (
    dual_branch,
    every_word,
    from_seen,
    name_alone,
    prototype_scores,
    shuffled_words,
    standardize,
)
from models.array_types import Floating
from models.cards.known_file import sha256_of
from models.load import vlm
from models.prompts.standard import standard_prompts
from models.training.inference.views import turn_films
from models.training.recipe import TrainingRecipe
from models.training.shipping.vlm.blind import last_layer
from models.training.shipping.vlm.captions import CAPTION_TEMPLATES
from models.training.shipping.vlm.lit import calibrate
from models.training.shipping.vlm.spoken import encode_captions

log = logging.getLogger(__name__)
SHUFFLED_COPIES = 4  # of each prompt, with its words in random order
TURNS = (0.0, -5.0, 5.0)  # degrees
TOWER_WEIGHTS = SHIPPED_FOLDERS.weights / "phantom.safetensors"


def main() -> None:
    """Score and publish every way."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.zero_shot", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder for rendered films")
    parser.add_argument("--processes", type=int, default=2, help="number of rendering processes")
    parser.add_argument("--only", nargs="*", help="names of the ways to publish; all by default")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    validation = _tower(options.run, VALIDATION_SPLIT, options.processes)
    test = replace(_tower(options.run, TEST_SPLIT, options.processes), known=validation.known)
    names = [case.film.case for case in sample_cases(TEST_SPLIT)]
    branch = score_branch(options.run, options.processes, validation)
    for way in (*score_ways(validation, test), branch):
        if options.only and way.name not in options.only:
            continue
        publish_zero_shot(Folder(CACHE / "phantom"), way, names, sha256_of(TOWER_WEIGHTS))


def score_ways(validation: Tower, test: Tower) -> list[ZeroShotScores]:
    """Return each way's scores of validation and test films; nothing is chosen on the test films."""
    model = vlm("phantom-vlm", "cpu")
    texts = encode_captions(ShippedTextTower(), noted_labels(sample_cases(TRAINING_SPLIT)), SEEN_FINDINGS)
    asked = model.directions(
        [standard_prompts(CAPTION_TEMPLATES)[finding] for finding in (*SEEN_FINDINGS, *UNSEEN_FINDINGS)]
    )
    seen, unseen = asked[: len(SEEN_FINDINGS)], asked[len(SEEN_FINDINGS) :]
    labels = exact_labels(sample_cases(VALIDATION_SPLIT), SEEN_FINDINGS)
    chosen = choose_parameters(validation, labels, texts.directions, seen, SEEN_FINDINGS.index(NORMAL))
    log.info("chosen on seen findings asked as if unseen: %s", chosen)
    solved = validation.solved(texts.directions(range(len(SEEN_FINDINGS))))
    like = direction_cosines(unseen, seen)
    alone = model.directions([name_alone(finding) for finding in UNSEEN_FINDINGS])
    words = model.directions([every_word(finding, CAPTION_TEMPLATES) for finding in UNSEEN_FINDINGS])
    sure = text_margins(solved, validation.features, unseen)
    branch = from_seen(validation.evidence(), like, chosen.temperature)

    def prompts(along: NDArray[np.float32]) -> Callable[[Tower], Floating]:
        return lambda of: expit(model.scale * text_margins(solved, of.features, along))

    def dual(of: Tower) -> Floating:
        text = standardize(text_margins(solved, of.features, unseen), sure)
        seen_ones = standardize(from_seen(of.evidence(), like, chosen.temperature), branch)
        scores: Floating = expit(dual_branch(text, seen_ones, chosen.share))
        return scores

    def prototypes(of: Tower) -> Floating:
        scores: Floating = expit(4 * prototype_scores(of.features, validation.features, sure, chosen.most))
        return scores

    share = f"share {chosen.share:g}, temperature {chosen.temperature:g}"
    how = f"{share}, chosen on {CHOICE_ROUNDS} draws of {ASKED_FINDINGS} seen findings"
    films = f"likeness to the {chosen.most} validation films that the prompts are surest of"
    found = (
        ("zero-shot-name", "the name alone, one pair of prompts", prompts(alone)),
        ("zero-shot-words", "every word for the finding in every template", prompts(words)),
        ("zero-shot-dual", f"prompts and a branch of the seen findings ({how})", dual),
        ("zero-shot-prototypes", films, prototypes),
    )
    return [ZeroShotScores(name, title, scores_of(validation), scores_of(test)) for name, title, scores_of in found]


def score_branch(run: Path, processes: int, validation: Tower) -> ZeroShotScores:
    """Return the scores of prompts and a branch that is trained on cosines, averaged over small turns of the films."""
    model = vlm("phantom-vlm", "cpu")
    drawn = sample_cases(TRAINING_SPLIT)
    pixels = render_pixels(run, TRAINING_SPLIT.name, drawn, TrainingRecipe().size, processes, TRAINING_SIZE).exact
    noted = noted_labels(drawn)
    training = LabeledFeatures(run_network(TOWER_WEIGHTS, pixels, TrainingRecipe()).features, noted)
    captions = encode_captions(ShippedTextTower(), noted, SEEN_FINDINGS)
    prompts = standard_prompts(CAPTION_TEMPLATES)
    seen = model.directions([prompts[finding] for finding in SEEN_FINDINGS])
    asked = model.directions([shuffled_words(prompts[finding], SHUFFLED_COPIES) for finding in UNSEEN_FINDINGS])
    labels = exact_labels(sample_cases(VALIDATION_SPLIT), SEEN_FINDINGS)
    share = choose_branch_share(training, validation, labels, captions.directions, seen, SEEN_FINDINGS.index(NORMAL))
    log.info("share of the trained branch, chosen on seen findings asked as if unseen: %g", share)
    every = range(len(SEEN_FINDINGS))
    solved, branch = validation.solved(captions.directions(every)), training.branch(every, seen)
    known = _turned_features(run, VALIDATION_SPLIT, processes)

    def scores(views: Sequence[NDArray[np.float32]]) -> Floating:
        mixed: Floating = expit(branch_scores(views, known, solved, branch, asked, share))
        return mixed

    title = f"prompts and a branch trained on cosines (share {share:g}), with shuffled words and small turns"
    return ZeroShotScores(
        "zero-shot-branch", title, scores(known), scores(_turned_features(run, TEST_SPLIT, processes))
    )


def _turned_features(run: Path, split: Split, processes: int) -> list[NDArray[np.float32]]:
    """Return pooled features (n, d) of a split's films, and of the films turned to either side."""
    exact = render_pixels(run, split.name, sample_cases(split), TrainingRecipe().size, processes).exact
    return [run_network(TOWER_WEIGHTS, turned(exact, degrees), TrainingRecipe()).features for degrees in TURNS]


def turned(films: NDArray[np.uint16], degrees: float, batch: int = 256) -> NDArray[np.uint16]:
    """Return films (n, s, s) rotated counterclockwise; new pixels are black."""
    parts = [
        torch.from_numpy(films[start : start + batch].astype(np.float32))[:, None]
        for start in range(0, len(films), batch)
    ]
    return np.concatenate([turn_films(part, degrees)[:, 0].round().numpy().astype(np.uint16) for part in parts])


def _tower(run: Path, split: Split, processes: int) -> Tower:
    """Return the shipped classifier on the films of a split, calibrated on their own labels."""
    drawn = sample_cases(split)
    found = run_network(
        TOWER_WEIGHTS, render_pixels(run, split.name, drawn, TrainingRecipe().size, processes).exact, TrainingRecipe()
    )
    weight, bias = (each.astype(np.float32) for each in last_layer(TOWER_WEIGHTS, len(SEEN_FINDINGS)))
    return Tower(
        found.features, found.logits, weight, bias, calibrate(exact_labels(drawn, SEEN_FINDINGS), found.logits)
    )


if __name__ == "__main__":
    main()
