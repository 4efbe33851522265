"""Oversampling by hand: how often a film comes is decided by its rarest finding."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from models.training.sampling import oversampled

# 400 films: finding 0 on 200, finding 1 on 10 of which one has finding 2
LABELS = np.zeros((400, 3), dtype=np.float32)
LABELS[:200, 0] = LABELS[200:210, 1] = LABELS[209, 2] = 1


def test_repeat_factors_by_hand() -> None:
    found = oversampled.repeat_factors(LABELS)
    assert found[0] == found[399] == 1, "a common finding, and none"
    assert found[200] == pytest.approx(math.sqrt(0.1 / 0.025))  # 2
    assert found[209] == pytest.approx(math.sqrt(0.1 / 0.0025)), "the rarest of two decides"


def test_a_rare_film_comes_as_often_as_its_factor_says() -> None:
    generator = torch.Generator().manual_seed(0)
    counts = sum(np.bincount(oversampled.order(LABELS, generator), minlength=400) for _ in range(200)) / 200
    whole = oversampled.repeat_factors(LABELS).sum() / 400  # an epoch is as long as the films
    assert counts[200:209].mean() == pytest.approx(2 / whole, rel=0.05)
    assert counts[209] == pytest.approx(math.sqrt(40) / whole, rel=0.05)
