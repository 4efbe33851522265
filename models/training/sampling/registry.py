"""Builds samplers by their names in recipes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.nearest_name import unknown_name
from models.training.sampling import class_aware, half_class_aware, oversampled, plain

EpochOrder = Callable[[NDArray[np.float32], torch.Generator], NDArray[np.int64]]  # labels (n, k) to row numbers
Sampler = Callable[[torch.Generator], NDArray[np.int64]]  # one epoch's row numbers (n,)

SAMPLERS: dict[str, EpochOrder] = {
    "plain": plain.order,
    "class-aware": class_aware.order,
    "half-class-aware": half_class_aware.order,
    "oversampled": oversampled.order,
}


def build_sampler(name: str, labels: NDArray[np.float32]) -> Sampler:
    """Return the sampler `name` of films with `labels` (n, k); call it once per epoch with a generator.

    Raises ValueError for an unknown sampler; the sampler raises it when called if the labels do not suit it.
    """
    if name not in SAMPLERS:
        raise ValueError(unknown_name("sampler", name, SAMPLERS))
    return partial(SAMPLERS[name], labels)
