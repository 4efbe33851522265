"""Occlusion maps: cover each part of a film in turn and measure how far the output falls. Slow."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

CELL_PX = 16  # input pixels per cell: a network's resolution after four of its five halvings
_AT_ONCE = 16


@torch.no_grad()
def occlusion_maps(inputs: Tensor, outputs: Callable[[Tensor], Tensor]) -> Tensor:
    """Return maps (k, g, g), 0 or more, of how far each of k outputs falls, for one film's inputs (1, c, s, s).

    `outputs` computes the outputs (n, k) of n inputs. Each cell, with half a cell on every side, is covered with the
    film's mean gray, because a finding also shows beyond its cell (Zeiler and Fergus, ECCV 2014, section 4.2). Takes g
    * g passes.
    """
    size = inputs.shape[-1]
    cells = size // CELL_PX
    covered = []
    for row in range(cells):
        for column in range(cells):
            film = inputs[0].clone()
            top, left = row * CELL_PX - CELL_PX // 2, column * CELL_PX - CELL_PX // 2
            film[:, max(0, top) : top + 2 * CELL_PX, max(0, left) : left + 2 * CELL_PX] = inputs.mean()
            covered.append(film)
    whole = outputs(inputs)[0]
    batches = [torch.stack(covered[start : start + _AT_ONCE]) for start in range(0, len(covered), _AT_ONCE)]
    fall = whole - torch.cat([outputs(batch) for batch in batches])
    return fall.T.reshape(-1, cells, cells).relu()
