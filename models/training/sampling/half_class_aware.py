"""Half of the films as they come, half drawn for a finding: the tail is seen often, and normal films stay as common."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.sampling import class_aware, plain


def order(labels: NDArray[np.float32], generator: torch.Generator) -> NDArray[np.int64]:
    """One epoch's row numbers (n,) for labels (n, k), both kinds at random places of the epoch.

    The generator's state alone decides; it is moved on. Zhou et al., BBN, CVPR 2020, section 4 train on a uniform and a
    reversed sampler at once; half of each is ours.

    Raises ValueError where no film has a finding.
    """
    half = len(labels) // 2
    drawn = np.concatenate([plain.order(labels, generator)[half:], class_aware.order(labels, generator)[:half]])
    rows: NDArray[np.int64] = drawn[torch.randperm(len(labels), generator=generator).numpy()]
    return rows
