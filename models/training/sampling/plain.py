"""Every film once per epoch, in random order."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray


def order(labels: NDArray[np.float32], generator: torch.Generator) -> NDArray[np.int64]:
    """Return one epoch's row numbers (n,) for labels (n, k): each once, including films without a finding.

    The order depends only on the generator's state, which advances.
    """
    rows: NDArray[np.int64] = torch.randperm(len(labels), generator=generator).numpy()
    return rows
