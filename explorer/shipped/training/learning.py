"""From rendered films to the classifier of a run: every epoch is kept, the one that validation likes best is taken."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import nn

from models.training.films import Films
from models.training.network import predict
from models.training.recipe import Recipe
from models.training.score import macro_auroc
from models.training.start import imagenet_state
from models.training.trainer import train
from models.whole_file import replaced

log = logging.getLogger(__name__)
LEAST = 10  # positives of a finding that counts when epochs are compared


def learn(run: Path, training: Films, validation: Films, recipe: Recipe) -> Path:
    """Train on `training`, choose the epoch on `validation`; the checkpoint, also where it has been made before."""
    final = run / "final.safetensors"
    if final.exists():
        return final
    curve: list[float] = []

    def keep(epoch: int, model: nn.Module, loss: float) -> None:
        save_file(model.state_dict(), _epoch(run, epoch))
        curve.append(_worth(predict(model, validation.pixels, validation.labels.shape[1]), validation))
        log.info("epoch %d of %d, loss %.3f, macro AUROC %.3f", epoch, recipe.epochs, loss, curve[-1])

    train(training, np.arange(len(training)), recipe, imagenet_state(), seed=0, after_epoch=keep)
    best = int(np.nanargmax(curve)) + 1 if not np.isnan(curve).all() else recipe.epochs
    with replaced(run / "curve.json") as partial:
        partial.write_text(json.dumps({"macro AUROC": curve, "epoch": best}) + "\n", encoding="utf-8")
    with replaced(final) as partial:
        shutil.copyfile(_epoch(run, best), partial)
    return final


def chosen_epoch(run: Path) -> int:
    """The epoch that was taken."""
    return int(json.loads((run / "curve.json").read_text(encoding="utf-8"))["epoch"])


def _epoch(run: Path, epoch: int) -> Path:
    return run / f"epoch-{epoch}.safetensors"


def _worth(logits: NDArray[np.float32], films: Films) -> float:
    return macro_auroc(films.labels, logits, films.folders, LEAST)[0]
