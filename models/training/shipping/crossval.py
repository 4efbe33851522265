"""Five-fold cross-validation by patient: out-of-fold logits after every epoch, resumable fold by fold.

A fold stops at the epoch that is best on the *other* folds, so that no film influences its own score.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold
from torch import Tensor, nn

from models.training.films import TrainingFilms
from models.training.network import predict
from models.training.recipe import TrainingRecipe
from models.training.saved_network import TIMM_NETWORK, save_network
from models.training.score import macro_auroc
from models.training.trainer import Trainer, train
from models.whole_file import atomic_write

log = logging.getLogger(__name__)
FOLDS = 5


def patient_folds(films: TrainingFilms, parts: int = FOLDS) -> NDArray[np.int64]:
    """Return the fold of every film (n,): whole patients, with each folder's rarest findings spread over the folds."""
    rarity = films.labels.sum(0)
    rarest = np.where(films.labels > 0, rarity, np.inf).argmin(1)
    strata = np.unique(np.char.add(rarest.astype(str), films.folders.astype(str)), return_inverse=True)[1]
    folds = np.empty(len(films), dtype=np.int64)
    splitter = StratifiedGroupKFold(parts, shuffle=True, random_state=0)
    with warnings.catch_warnings():  # scikit-learn warns about findings with fewer films than there are folds
        warnings.simplefilter("ignore", UserWarning)
        for fold, (_, rows) in enumerate(splitter.split(films.labels, strata, films.patients)):
            folds[rows] = fold
    return folds


def run_fold(
    fold: int,
    folds: NDArray[np.int64],
    train_films: TrainingFilms,
    test_films: TrainingFilms,
    recipe: TrainingRecipe,
    state: dict[str, Tensor],
    out: Path,
    trainer: Trainer = train,
) -> None:
    """Train from `state` without `fold`, score its films after every epoch, and write `fold-K.npz` if it is missing."""
    target = out / f"fold-{fold}.npz"
    if target.exists():
        return
    held_out, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
    logits: list[NDArray[np.float32]] = []

    def keep(epoch: int, model: nn.Module, loss: float) -> None:
        save_network(model, TIMM_NETWORK, fold_weights_path(out, fold, epoch))
        logits.append(predict(model, test_films.pixels[held_out], test_films.labels.shape[1]))
        auroc, count = macro_auroc(test_films.labels[held_out], logits[-1], test_films.folders[held_out], least=3)
        log.info("fold %d epoch %d loss %.3f macro AUROC %.3f (%d findings)", fold, epoch, loss, auroc, count)

    trainer(train_films, rest, recipe, state, seed=fold, after_epoch=keep)
    with atomic_write(target) as partial, partial.open("wb") as file:
        np.savez(file, rows=held_out, logits=np.stack(logits))


def fold_weights_path(out: Path, fold: int, epoch: int) -> Path:
    """Return the path of a fold's averaged weights after an epoch."""
    return out / f"fold-{fold}-epoch-{epoch}.safetensors"


def out_of_fold_logits(out: Path, films: TrainingFilms) -> tuple[NDArray[np.float32], NDArray[np.int64], int]:
    """Return the out-of-fold logits (n, findings), each fold's stopping epoch (folds,), and the best epoch overall."""
    parts = [np.load(out / f"fold-{fold}.npz") for fold in range(FOLDS)]
    return stopped_by_other_folds([(part["rows"], part["logits"]) for part in parts], films)


def stopped_by_other_folds(
    parts: Sequence[tuple[NDArray[np.int64], NDArray[np.float32]]], films: TrainingFilms
) -> tuple[NDArray[np.float32], NDArray[np.int64], int]:
    """Do what `out_of_fold_logits` does, for folds given as rows (m,) and logits (epochs, m, findings)."""
    curves = np.stack([_curve(logits, rows, films) for rows, logits in parts])  # (folds, epochs)
    chosen, stopped = np.empty_like(films.labels), np.empty(len(parts), dtype=np.int64)
    for fold, (rows, logits) in enumerate(parts):
        best = int(np.delete(curves, fold, 0).mean(0).argmax())
        chosen[rows], stopped[fold] = logits[best], best + 1
    return chosen, stopped, int(curves.mean(0).argmax()) + 1


def _curve(logits: NDArray[np.float32], rows: NDArray[np.int64], films: TrainingFilms) -> NDArray[np.float64]:
    labels, folders = films.labels[rows], films.folders[rows]
    return np.array([macro_auroc(labels, epoch, folders, least=3)[0] for epoch in logits])
