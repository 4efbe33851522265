"""Train towers without some findings: `python -m models.training.shipping.vlm.unseen --root NIH --out RUN_FOLDER`.

Only such a tower can show true zero-shot: nih-mini's has learned every label, so leaving a finding out of the captions
does not make it unknown to the tower. For each group of findings, and for none as a control, a tower is trained without
their labels on either half of the patients and measured on the other half. An interrupted run resumes with the missing
towers.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file

from models.training.films import TrainingFilms
from models.training.nih.dataset import NIH_FINDINGS, read_nih_films
from models.training.recipe import TrainingRecipe
from models.training.shipping.crossval import patient_folds
from models.training.start import imagenet_state
from models.training.trainer import train
from models.whole_file import atomic_write

log = logging.getLogger(__name__)
HALVES = 2
UNSEEN_RECIPE = TrainingRecipe(epochs=8, batch=16)  # half the films: smaller batches keep the number of steps
# Findings that occur together (an effusion and its edema) are in different groups.
GROUPS: dict[str, tuple[str, ...]] = {
    "first": ("Pleural Effusion", "Cardiomegaly", "Emphysema", "Mass", "Pneumonia"),
    "control": (),
    "second": ("Edema", "Atelectasis", "Fibrosis", "Hernia", "Pneumothorax"),
    "third": ("Consolidation", "Infiltration", "Nodule", "Pleural Thickening"),
}


def tower_path(out: Path, group: str, half: int) -> Path:
    """Return the path of the tower trained without the group's labels on every half except `half`."""
    return out / f"unseen-{group}-{half}.safetensors"


def patient_halves(films: TrainingFilms) -> NDArray[np.int64]:
    """Return the half to which each film (n,) belongs; patients are never split."""
    return patient_folds(films, HALVES)


def without_findings(films: TrainingFilms, findings: tuple[str, ...]) -> TrainingFilms:
    """Return the films without the labels of `findings`."""
    kept = [k for k, finding in enumerate(NIH_FINDINGS.values()) if finding not in findings]
    return replace(films, labels=films.labels[:, kept])


def main() -> None:
    """Train the towers that are missing."""
    parser = argparse.ArgumentParser(prog="python -m models.training.shipping.vlm.unseen", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="NIH's own download, or a folder with labels.csv")
    parser.add_argument("--out", type=Path, required=True, help="folder for the towers")
    parser.add_argument(
        "--groups", nargs="*", choices=GROUPS, default=GROUPS, help="only these (to use several processes)"
    )
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    options.out.mkdir(parents=True, exist_ok=True)
    films = read_nih_films(options.root, UNSEEN_RECIPE.size * 9 // 8)  # the same margin as in models.training
    parts = patient_halves(films)
    for group in options.groups:
        for half in range(HALVES):
            _train(without_findings(films, GROUPS[group]), parts, group, half, options.out)


def _train(films: TrainingFilms, parts: NDArray[np.int64], group: str, half: int, out: Path) -> None:
    target = tower_path(out, group, half)
    if target.exists():
        return

    def tell(epoch: int, _: torch.nn.Module, loss: float) -> None:
        log.info("%s, half %d, epoch %d of %d, loss %.3f", group, half, epoch, UNSEEN_RECIPE.epochs, loss)

    model = train(films, np.flatnonzero(parts != half), UNSEEN_RECIPE, imagenet_state(), seed=half, after_epoch=tell)
    with atomic_write(target) as partial:
        save_file(model.state_dict(), partial)


if __name__ == "__main__":
    main()
