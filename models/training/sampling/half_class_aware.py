"""Draws half of the films plainly and half class-aware: the tail is seen often, and normal films stay common."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.sampling import class_aware, plain


def order(labels: NDArray[np.float32], generator: torch.Generator) -> NDArray[np.int64]:
    """Return one epoch's row numbers (n,) for labels (n, k), with both kinds mixed at random.

    The order depends only on the generator's state, which advances. Zhou et al., BBN, CVPR 2020, section 4, train on a
    uniform and a reversed sampler at once; taking half from each is Tailscope's idea.

    Raises ValueError if no film has a finding.
    """
    half = len(labels) // 2
    drawn = np.concatenate([plain.order(labels, generator)[half:], class_aware.order(labels, generator)[:half]])
    rows: NDArray[np.int64] = drawn[torch.randperm(len(labels), generator=generator).numpy()]
    return rows
