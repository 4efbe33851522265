"""Only films with a rare finding are rotated and mirrored."""

from __future__ import annotations

import pytest
import torch

from models.training.augment import apply_moves
from models.training.augmentation.registry import build_augmentation
from models.training.augmentation.targeted import TargetedAugmentation

LABELS = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, float("nan")]])


def films(count: int = 4) -> torch.Tensor:
    return torch.rand(count, 1, 16, 16, generator=torch.Generator().manual_seed(2))


def test_films_without_a_rare_finding_stay_as_they_are() -> None:
    made = TargetedAugmentation((60.0, 2.0), 100, rare=0.028, degrees=30.0)
    found, moves = made(films(), torch.zeros(4, dtype=torch.bool), LABELS, 16, torch.Generator().manual_seed(0))
    still = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    assert [torch.equal(move, still) for move in moves] == [True, False, True, True]
    torch.testing.assert_close(found[[0, 2, 3]], films()[[0, 2, 3]], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(found, apply_moves(films(), moves, 16))


def test_half_of_the_rare_films_are_mirrored() -> None:
    made = TargetedAugmentation((1.0,), 100, degrees=0.0)
    rows = films(200)
    found, _ = made(rows, torch.zeros(200, dtype=torch.bool), torch.ones(200, 1), 16, torch.Generator().manual_seed(0))
    mirrored = [torch.allclose(one, other.flip(-1), atol=1e-4) for one, other in zip(found, rows, strict=True)]
    straight = [torch.allclose(one, other, atol=1e-4) for one, other in zip(found, rows, strict=True)]
    assert sum(mirrored) + sum(straight) == 200 and 70 < sum(mirrored) < 130


def test_counts_come_from_the_training_films() -> None:
    made = build_augmentation("targeted", {"rare": 0.1}, [30, 3], 100)
    assert made == TargetedAugmentation((30.0, 3.0), 100, rare=0.1)
    with pytest.raises(ValueError, match="from 0 to 1"):
        TargetedAugmentation((1.0,), 2, rare=2.0)
    with pytest.raises(ValueError, match="0 to 45"):
        TargetedAugmentation((1.0,), 2, degrees=90.0)
