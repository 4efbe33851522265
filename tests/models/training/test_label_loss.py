"""The loss of every kind of answer against labels, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from models.training.heads.output import HeadOutput
from models.training.label_loss import label_counts, label_loss
from models.training.losses.bce import Bce

NONE = torch.zeros(())
LABELS = torch.tensor([[1.0, float("nan")]])
SHIFT = torch.tensor([[math.log(3), 5.0]])


def test_plain_logits_are_shifted_and_unknown_labels_left_out() -> None:
    answer = HeadOutput(torch.tensor([[0.0, 2.0, 9.0]]), NONE)  # two findings and a trait
    assert label_loss(Bce(), answer, SHIFT, LABELS).tolist() == pytest.approx([-math.log(3 / 4)])


def test_parts_have_their_mean_loss_and_the_logits_none() -> None:
    parts = torch.tensor([[[0.0, 0.0], [-math.log(3), 0.0]]])
    answer = HeadOutput(torch.full((1, 2), 50.0), NONE, parts=parts)
    expected = (-math.log(3 / 4) - math.log(1 / 2)) / 2
    assert label_loss(Bce(), answer, SHIFT, LABELS).tolist() == pytest.approx([expected])


def test_doubts_bring_the_third_class() -> None:
    answer = HeadOutput(torch.zeros(1, 2), NONE, doubts=torch.full((1, 2), math.log(2)))
    uncertain = torch.tensor([[False, True]])
    # as 1 to 3 to 2 for the first, present; as 1 to e^5 to 2 for the second, uncertain
    expected = -math.log(3 / 6) - math.log(2 / (3 + math.exp(5)))
    assert label_loss(Bce(), answer, SHIFT, LABELS, uncertain).tolist() == pytest.approx([expected])
    assert label_loss(Bce(), answer, SHIFT, LABELS).tolist() == pytest.approx([math.log(2)])


def test_a_finding_that_is_never_told_counts_as_the_mean_of_the_others() -> None:
    labels = np.array([[1, np.nan, 0], [1, np.nan, np.nan], [0, np.nan, 1]], np.float32)
    assert label_counts(labels) == [2, 1.5, 1]
    assert label_counts(labels[:, 1:2]) == [0]
