"""Passes films through towers that were not trained on them, and projects them into the text space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file

from models.array_types import Float32
from models.training.films import TrainingFilms
from models.training.recipe import TrainingRecipe
from models.training.shipping.vlm.folder import Projection
from models.training.shipping.vlm.lit import Directions, calibrate, fit_projection
from models.training.trained import load_trained, pooled_features


@dataclass(frozen=True, slots=True)
class BlindTowers:
    """The outputs of towers for films; tower p has not seen part p of the films."""

    parts: NDArray[np.int64]  # (n,)
    features: Float32  # (n, d) pooled
    heads: tuple[tuple[Float32, Float32], ...]  # by part: weight (k, d) and bias (k,) of the last layer
    logits: Float32  # (n, k)
    labels: Float32  # (n, k)

    def only(self, kept: Sequence[int]) -> BlindTowers:
        """Return the same outputs for only the findings `kept`, as if the towers did not know the others."""
        rows = list(kept)
        heads = tuple((weight[rows], bias[rows]) for weight, bias in self.heads)
        return replace(self, heads=heads, logits=self.logits[:, rows], labels=self.labels[:, rows])

    def projections(self, where: Directions) -> list[Projection]:
        """Return the projection of every tower, calibrated on the films of the other parts."""
        found = []
        for part, (weight, bias) in enumerate(self.heads):
            rest = self.parts != part
            known = calibrate(self.labels[rest], self.logits[rest])
            found.append(fit_projection(weight, bias, known, where, known.of(self.logits[rest])))
        return found

    def embed(self, projections: Sequence[Projection]) -> Float32:
        """Return unit embeddings (n, d), each by the projection of the tower that has not seen the film."""
        embeddings = np.empty((len(self.parts), len(projections[0].bias)), dtype=np.float32)
        for part, each in enumerate(projections):
            rows = self.parts == part
            embeddings[rows] = each.embed(self.features[rows])
        return embeddings


def pass_blind_towers(
    checkpoints: Sequence[Path], parts: NDArray[np.int64], films: TrainingFilms, recipe: TrainingRecipe
) -> BlindTowers:
    """Pass every film through the tower of its part; a tower's first outputs match the columns of `films.labels`."""
    heads, pooled = [], None
    count = films.labels.shape[1]
    logits = np.empty_like(films.labels)
    for part, path in enumerate(checkpoints):
        rows = np.flatnonzero(parts == part)
        found = pooled_features(load_trained(path, recipe), films.pixels[rows])
        pooled = np.empty((len(films), found.shape[1]), dtype=np.float32) if pooled is None else pooled
        heads.append(last_layer(path, count))
        pooled[rows] = found
        logits[rows] = found @ heads[-1][0].T + heads[-1][1]
    assert pooled is not None
    return BlindTowers(parts, pooled, tuple(heads), logits, films.labels)


def last_layer(checkpoint: Path, count: int) -> tuple[Float32, Float32]:
    """Return weight and bias of the last layer's first `count` outputs."""
    state: dict[str, torch.Tensor] = load_file(checkpoint)
    return state["classifier.weight"][:count].numpy(), state["classifier.bias"][:count].numpy()
