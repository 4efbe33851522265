"""Class-aware sampling: draws a finding (each equally often), then a film that has it."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray


def order(labels: NDArray[np.float32], generator: torch.Generator) -> NDArray[np.int64]:
    """Return one epoch's row numbers (n,), with repetitions, for labels (n, k) of 0 and 1.

    The findings are visited in random order and reshuffled after each pass, as are each finding's films. Each finding
    is thus drawn n / k times, give or take one, and none of its films repeats before all the others have been drawn.
    Findings on no film are skipped, and films without a finding are never drawn. The order depends only on the
    generator's state, which advances, so that interrupted training can resume. Source: Shen et al., ECCV 2016
    (class-aware sampling), used for multiple labels by Wu et al., ECCV 2020. Their code draws three films in a row for
    a finding, and the most common finding sets the length of an epoch.

    Raises ValueError if no film has a finding.
    """
    findings = np.flatnonzero((labels > 0).any(0))
    if not len(findings):
        raise ValueError("No film has a finding, so none can be drawn. Sample plainly, or give other labels.")
    drawn = findings[_repeated_permutations(len(findings), len(labels), generator)]
    rows = np.empty(len(labels), dtype=np.int64)
    for finding in findings:
        turns, films = np.flatnonzero(drawn == finding), np.flatnonzero(labels[:, finding] > 0)
        rows[turns] = films[_repeated_permutations(len(films), len(turns), generator)]
    return rows


def _repeated_permutations(length: int, draws: int, generator: torch.Generator) -> NDArray[np.int64]:
    """Return `draws` numbers below `length`, in repeated random permutations."""
    rounds = [torch.randperm(length, generator=generator) for _ in range(-(-draws // length))]
    numbers: NDArray[np.int64] = torch.cat([torch.empty(0, dtype=torch.int64), *rounds])[:draws].numpy()
    return numbers
