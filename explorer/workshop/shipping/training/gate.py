"""Computes the gate statistics of the phantom's classifier from training films, and the cut from validation films."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from models.array_types import UInt8
from models.gate.film_looks import IDENTITY, TRANSFORMS
from models.gate.statistics import statistics_arrays
from models.training.recipe import TrainingRecipe
from models.training.shipping.gate import (
    TESTED_TRANSFORMS,
    film_looks,
    fit_statistics,
    judge_films,
    strangeness_cut,
    transform_films,
)
from models.training.trained import load_trained, pooled_features
from models.whole_file import atomic_write

log = logging.getLogger(__name__)


def write_gate(weights: Path, training: UInt8, validation: UInt8, recipe: TrainingRecipe, target: Path) -> None:
    """Write `target` from films (n, size, size), including the judgments of transformed validation films."""
    network = load_trained(weights, recipe)
    looks, pooled = film_looks(training), pooled_features(network, training)
    known = fit_statistics(looks, pooled)
    ways = np.empty((len(validation), len(TESTED_TRANSFORMS)), dtype=np.uint8)
    strangenesses = np.empty((len(validation), len(TESTED_TRANSFORMS)), dtype=np.float32)
    for column, way in enumerate(TESTED_TRANSFORMS):
        turned = transform_films(validation, [way] * len(validation))
        ways[:, column], strangenesses[:, column] = judge_films(turned, network, known)
    shipped = fit_statistics(looks, pooled, strangeness_cut(strangenesses[:, 0]))
    with atomic_write(target) as partial:
        save_file(
            statistics_arrays(shipped) | {"oof.ways": ways, "oof.strangeness": strangenesses.astype(np.float16)},
            partial,
        )
    refused = (ways[:, 0] != TRANSFORMS.index(IDENTITY)) | (strangenesses[:, 0] > shipped.cut)
    log.info("gate: cut %.3f, %d of %d validation films refused", shipped.cut, refused.sum(), len(validation))
