"""Five folds by patient: out-of-fold logits of every film after every epoch, resumable fold by fold.

The stopping epoch of a fold is the one the *other* folds do best at, so no film helps to choose its own score.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.torch import save_file
from sklearn.model_selection import StratifiedGroupKFold
from torch import Tensor, nn

from models.training.films import Films
from models.training.network import predict
from models.training.recipe import Recipe
from models.training.score import macro_auroc
from models.training.trainer import Trainer, train
from models.whole_file import atomic_write

log = logging.getLogger(__name__)
FOLDS = 5


def split(films: Films, parts: int = FOLDS) -> NDArray[np.int64]:
    """Fold of every film (n,): whole patients, each fold with its share of every folder's rarest findings."""
    rarity = films.labels.sum(0)
    rarest = np.where(films.labels > 0, rarity, np.inf).argmin(1)
    strata = np.unique(np.char.add(rarest.astype(str), films.folders.astype(str)), return_inverse=True)[1]
    folds = np.empty(len(films), dtype=np.int64)
    splitter = StratifiedGroupKFold(parts, shuffle=True, random_state=0)
    with warnings.catch_warnings():  # scikit-learn warns of a finding with fewer films than folds; it cannot be helped
        warnings.simplefilter("ignore", UserWarning)
        for fold, (_, rows) in enumerate(splitter.split(films.labels, strata, films.patients)):
            folds[rows] = fold
    return folds


def run_fold(
    fold: int,
    folds: NDArray[np.int64],
    train_films: Films,
    test_films: Films,
    recipe: Recipe,
    state: dict[str, Tensor],
    out: Path,
    trainer: Trainer = train,
) -> None:
    """Train from `state` without `fold`, score its films after every epoch, write `fold-K.npz` if missing."""
    target = out / f"fold-{fold}.npz"
    if target.exists():
        return
    held, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
    logits: list[NDArray[np.float32]] = []

    def keep(epoch: int, model: nn.Module, loss: float) -> None:
        save_file(model.state_dict(), weights(out, fold, epoch))
        logits.append(predict(model, test_films.pixels[held], test_films.labels.shape[1]))
        auroc, count = macro_auroc(test_films.labels[held], logits[-1], test_films.folders[held], least=3)
        log.info("fold %d epoch %d loss %.3f macro AUROC %.3f (%d findings)", fold, epoch, loss, auroc, count)

    trainer(train_films, rest, recipe, state, seed=fold, after_epoch=keep)
    with atomic_write(target) as partial, partial.open("wb") as file:
        np.savez(file, rows=held, logits=np.stack(logits))


def weights(out: Path, fold: int, epoch: int) -> Path:
    """Where the averaged weights of a fold after an epoch are kept."""
    return out / f"fold-{fold}-epoch-{epoch}.safetensors"


def gather(out: Path, films: Films) -> tuple[NDArray[np.float32], NDArray[np.int64], int]:
    """Out-of-fold logits (n, findings), the epoch each fold was stopped at (folds,), and the best epoch of them all."""
    parts = [np.load(out / f"fold-{fold}.npz") for fold in range(FOLDS)]
    return chosen_by_other_folds([(part["rows"], part["logits"]) for part in parts], films)


def chosen_by_other_folds(
    parts: Sequence[tuple[NDArray[np.int64], NDArray[np.float32]]], films: Films
) -> tuple[NDArray[np.float32], NDArray[np.int64], int]:
    """As `gather`, of folds with their rows (m,) and their logits (epochs, m, findings)."""
    curves = np.stack([_curve(logits, rows, films) for rows, logits in parts])  # (folds, epochs)
    chosen, stopped = np.empty_like(films.labels), np.empty(len(parts), dtype=np.int64)
    for fold, (rows, logits) in enumerate(parts):
        best = int(np.delete(curves, fold, 0).mean(0).argmax())
        chosen[rows], stopped[fold] = logits[best], best + 1
    return chosen, stopped, int(curves.mean(0).argmax()) + 1


def _curve(logits: NDArray[np.float32], rows: NDArray[np.int64], films: Films) -> NDArray[np.float64]:
    labels, folders = films.labels[rows], films.folders[rows]
    return np.array([macro_auroc(labels, epoch, folders, least=3)[0] for epoch in logits])
