"""Oversampling: films with a rare finding come more often, by the square root of its rarity."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

COMMON_SHARE = 0.1  # findings on at least this share of the films are not repeated


def order(labels: NDArray[np.float32], generator: torch.Generator) -> NDArray[np.int64]:
    """Return one epoch's row numbers (n,), with repetitions, for labels (n, k) of 0 and 1.

    A film's repeat factor is the largest, over its findings, of sqrt(COMMON_SHARE / share of films with the finding),
    at least 1 (Gupta et al., LVIS, CVPR 2019, section 5.1, appendix). Each film comes at least once in so many draws,
    and the epoch is the first n of these draws at random, so that it is as long as every other. CXR-LT 2023 T7 (section
    3.2.7) oversamples minority classes in some of its models without a formula. The order depends only on the
    generator's state, which advances.
    """
    factors = repeat_factors(labels)
    whole = np.floor(factors).astype(np.int64)
    drawn = torch.rand(len(labels), generator=generator, dtype=torch.float64).numpy()
    rows = np.repeat(np.arange(len(labels)), whole + (drawn < factors - whole))
    shuffled: NDArray[np.int64] = rows[torch.randperm(len(rows), generator=generator).numpy()][: len(labels)]
    return shuffled


def repeat_factors(labels: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how often each film (n,) comes, for labels (n, k) of 0 and 1."""
    shares = (labels > 0).mean(0)
    rarity = np.sqrt(COMMON_SHARE / np.maximum(shares, 1 / max(len(labels), 1))).clip(1)
    factors: NDArray[np.float64] = np.where(labels > 0, rarity, 1.0).max(1, initial=1.0)
    return factors
