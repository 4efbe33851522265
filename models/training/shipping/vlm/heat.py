"""Computes the upper end of the heat maps' color scale, on films that the tower has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from models.training.films import TrainingFilms
from models.training.network import normalize
from models.training.recipe import TrainingRecipe
from models.training.shipping.vlm.folder import Projection
from models.training.trained import load_trained
from models.vlm.cut import margin_cam


def vlm_heat_maximum(
    checkpoints: Sequence[Path],
    projections: Sequence[Projection],
    folds: NDArray[np.int64],
    films: TrainingFilms,
    recipe: TrainingRecipe,
    directions: NDArray[np.float32],
) -> float:
    """Return the 99.9th percentile over the maps of all films and `directions` (q, d), in units of the margin."""
    heat = []
    for fold, (path, projected) in enumerate(zip(checkpoints, projections, strict=True)):
        network = load_trained(path, recipe)
        weight, bias = torch.from_numpy(projected.weight), torch.from_numpy(projected.bias)

        def head(maps: torch.Tensor) -> torch.Tensor:
            return functional.linear(network.pooled(maps), weight, bias)  # noqa: B023 - called in this iteration

        for row in np.flatnonzero(folds == fold):
            pixels = torch.from_numpy(films.pixels[row]).float().div(255)[None, None]
            with torch.no_grad():
                maps = network.maps(normalize(pixels))
            heat += [margin_cam(maps, head, network.spatial, torch.from_numpy(each))[1] for each in directions]
    return float(np.quantile(torch.stack(heat).numpy(), 0.999))
