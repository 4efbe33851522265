"""The lab's own augmentation: the same draws with and without mirroring, and masks that follow the mirror."""

from __future__ import annotations

import torch

from models.training.augment import apply_moves, augment
from models.training.augmentation.standard import StandardAugmentation

FILMS = torch.rand(40, 1, 36, 36, generator=torch.Generator().manual_seed(2))
BLUNT, LABELS = torch.zeros(40, dtype=torch.bool), torch.zeros(40, 1)


def test_without_a_mirror_it_is_augment_itself() -> None:
    found, moves = StandardAugmentation()(FILMS, BLUNT, LABELS, 32, torch.Generator().manual_seed(0))
    expected, same = augment(FILMS, BLUNT, 32, torch.Generator().manual_seed(0))
    assert torch.equal(found, expected) and torch.equal(moves, same)


def test_half_of_the_films_are_mirrored_and_masks_with_them() -> None:
    found, moves = StandardAugmentation(mirror=True)(FILMS, BLUNT, LABELS, 32, torch.Generator().manual_seed(0))
    straight, before = augment(FILMS, BLUNT, 32, torch.Generator().manual_seed(0))
    mirrored = [torch.equal(one, other.flip(-1)) for one, other in zip(found, straight, strict=True)]
    assert 10 < sum(mirrored) < 30
    shown, masks = apply_moves(FILMS, moves, 32), apply_moves(FILMS, before, 32)
    for film, is_mirrored in enumerate(mirrored):
        expected = masks[film].flip(-1) if is_mirrored else masks[film]
        torch.testing.assert_close(shown[film], expected, rtol=1e-3, atol=1e-4)
        assert is_mirrored or torch.equal(found[film], straight[film])
