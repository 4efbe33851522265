"""Every film once an epoch, at random."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray


def order(labels: NDArray[np.float32], generator: torch.Generator) -> NDArray[np.int64]:
    """One epoch's row numbers (n,) for labels (n, k): each once, those of films without a finding too.

    The generator's state alone decides; it is moved on.
    """
    rows: NDArray[np.int64] = torch.randperm(len(labels), generator=generator).numpy()
    return rows
