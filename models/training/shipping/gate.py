"""Computes the gate statistics of a finished run, and tests the gate on films that its model never saw.

Every film is judged out of fold, five times: unchanged, inverted, and turned three ways. The shipped statistics come
from the final model on all films; distances are normalized by dimension and variance, so that the cut still applies.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from models.array_types import Float32, UInt8
from models.classifier.backbone import Backbone
from models.gate.film_looks import IDENTITY, TRANSFORMS, FilmTransform, film_look, mirrored_look, thumbnail
from models.gate.statistics import GateStatistics, GaussianCloud, normalize_features, statistics_arrays, strangeness
from models.training.films import TrainingFilms
from models.training.recipe import TrainingRecipe
from models.training.shipping.crossval import FOLDS, fold_weights_path, out_of_fold_logits
from models.training.trained import load_trained, pooled_features
from models.whole_file import atomic_write

log = logging.getLogger(__name__)

LOOK_AXES, FEATURE_AXES = 20, 30
CUT_DEVIATIONS = 3.5  # deviations of log strangeness above its mean: one film in 4,000 if it were normally distributed
TESTED_TRANSFORMS = (
    IDENTITY,
    FilmTransform(True, 0),
    FilmTransform(False, 1),
    FilmTransform(False, 2),
    FilmTransform(False, 3),
)


def write_gate_file(
    out: Path, films: TrainingFilms, folds: NDArray[np.int64], recipe: TrainingRecipe, target: Path
) -> None:
    """Write `target` from the folds and the final model in `out`."""
    looks = film_looks(films.pixels)
    stopped = out_of_fold_logits(out, films)[1]
    ways = np.empty((len(films), len(TESTED_TRANSFORMS)), dtype=np.uint8)
    strange = np.empty((len(films), len(TESTED_TRANSFORMS)), dtype=np.float32)
    for fold in range(FOLDS):
        held_out, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        network = load_trained(fold_weights_path(out, fold, int(stopped[fold])), recipe)
        known = fit_statistics(looks[rest], pooled_features(network, films.pixels[rest]))
        for column, way in enumerate(TESTED_TRANSFORMS):
            pixels = transform_films(films.pixels[held_out], [way] * len(held_out))
            ways[held_out, column], strange[held_out, column] = judge_films(pixels, network, known)
    shipped = fit_statistics(
        looks,
        pooled_features(load_trained(out / "final.safetensors", recipe), films.pixels),
        strangeness_cut(strange[:, 0]),
    )
    with atomic_write(target) as partial:
        save_file(
            statistics_arrays(shipped) | {"oof.ways": ways, "oof.strangeness": strange.astype(np.float16)}, partial
        )
    accepted = (ways[:, 0] == TRANSFORMS.index(IDENTITY)) & (strange[:, 0] <= shipped.cut)
    log.info("gate: cut %.3f, %d of %d films refused out of fold", shipped.cut, (~accepted).sum(), len(films))


def fit_statistics(looks: Float32, pooled: Float32, cut: float = np.inf) -> GateStatistics:
    """Return statistics of looks (n, 8, 6, 6) and features (n, d), including mirror images (heart on the right)."""
    mirrored = np.stack([mirrored_look(film) for film in looks])
    both = np.concatenate([looks, mirrored]).reshape(2 * len(looks), -1)
    return GateStatistics(fit_cloud(both, LOOK_AXES), fit_cloud(normalize_features(pooled), FEATURE_AXES), cut)


def fit_cloud(vectors: Float32, axes: int) -> GaussianCloud:
    """Fit probabilistic principal components to vectors (n, d) by maximum likelihood."""
    mean = vectors.mean(0)
    _, singular, directions = np.linalg.svd(vectors - mean, full_matrices=False)
    variances = (singular**2 / len(vectors)).astype(np.float32)
    return GaussianCloud(
        mean, directions[:axes], variances[:axes], float(variances[axes:].sum() / (vectors.shape[1] - axes))
    )


def judge_films(pixels: UInt8, network: Backbone, known: GateStatistics) -> tuple[NDArray[np.intp], Float32]:
    """Return the index in TRANSFORMS of each film's best transform, and its strangeness, for films (n, size, size)."""
    distances = np.stack([known.distances(each) for each in film_looks(pixels)])
    best = distances.argmin(1)
    away = known.away(pooled_features(network, transform_films(pixels, [TRANSFORMS[way] for way in best])))
    return best, strangeness(distances.min(1), away)


def strangeness_cut(strange: Float32) -> float:
    """Return the cut, given the strangeness (n,) of films that the model has not seen."""
    logarithms = np.log(strange)
    return float(np.exp(logarithms.mean() + CUT_DEVIATIONS * logarithms.std()))


def film_looks(films: UInt8) -> Float32:
    """Return the looks (n, 8, 6, 6) of films (n, size, size)."""
    return np.stack([_look(film) for film in films])


def _look(pixels: UInt8) -> Float32:
    return film_look(thumbnail(pixels.astype(np.float32) / np.float32(255)))


def transform_films(films: UInt8, ways: Sequence[FilmTransform]) -> UInt8:
    """Invert and turn each film (n, size, size) by its own transform."""
    inverted = (255 - film if way.inverted else film for film, way in zip(films, ways, strict=True))
    return np.stack([np.rot90(film, way.turns) for film, way in zip(inverted, ways, strict=True)])
