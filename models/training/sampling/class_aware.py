"""Class-aware sampling: a finding is drawn, each as often as the others, then a film that has it."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray


def order(labels: NDArray[np.float32], generator: torch.Generator) -> NDArray[np.int64]:
    """One epoch's row numbers (n,), with repetitions, for labels (n, k) of 0 and 1.

    The list of findings is gone through in random order, and shuffled anew at its end; so is each finding's list of
    films. A finding is thus drawn n / k times, give or take one, and no film comes again for it before all others have.
    Findings on no film are left out, films without a finding are never drawn. Lists begin anew with each epoch, so
    that the generator's state alone decides, and a training broken off goes on from it; it is moved on.

    Source: Shen et al., ECCV 2016 (class-aware sampling), used for several labels by Wu et al., ECCV 2020; their code
    draws three films in a row for a finding, and sets an epoch's length by the commonest.

    Raises ValueError where no film has a finding.
    """
    findings = np.flatnonzero((labels > 0).any(0))
    if not len(findings):
        raise ValueError("No film has a finding, so none can be drawn for one. Sample plainly, or give other labels.")
    drawn = findings[_cycled(len(findings), len(labels), generator)]
    rows = np.empty(len(labels), dtype=np.int64)
    for finding in findings:
        turns, films = np.flatnonzero(drawn == finding), np.flatnonzero(labels[:, finding] > 0)
        rows[turns] = films[_cycled(len(films), len(turns), generator)]
    return rows


def _cycled(length: int, draws: int, generator: torch.Generator) -> NDArray[np.int64]:
    """`draws` numbers below `length`, gone through in random order again and again."""
    rounds = [torch.randperm(length, generator=generator) for _ in range(-(-draws // length))]
    numbers: NDArray[np.int64] = torch.cat([torch.empty(0, dtype=torch.int64), *rounds])[:draws].numpy()
    return numbers
