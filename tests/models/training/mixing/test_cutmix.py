"""CutMix by hand: a pasted rectangle, and labels by area."""

from __future__ import annotations

import pytest
import torch

from models.training.mixing.cutmix import CutMix, pasted, rectangle


def test_a_rectangle_by_hand() -> None:
    assert rectangle(0.25, 0.5, 0.5) == (0.25, 0.75, 0.25, 0.75)
    assert rectangle(0.25, 0.0, 0.9) == (0.0, 0.25, 0.65, 1.0), "cut off at the edges"


def test_a_quarter_of_a_film_comes_from_its_partner() -> None:
    films = torch.stack([torch.zeros(1, 4, 4), torch.ones(1, 4, 4)])
    mix = pasted((0.5, 1.0, 0.0, 0.5), torch.tensor([1, 0]))
    found = mix.images(films)
    assert found[0, 0].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]
    assert torch.equal(found[1], 1 - found[0])
    assert mix.values(torch.tensor([0.0, 1.0])).tolist() == pytest.approx([0.25, 0.75])
    assert films.sum() == 16, "the films themselves are left as they are"


def test_the_share_is_that_of_the_pixels() -> None:
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    for _ in range(20):
        mix = CutMix()(2, generator)
        films = torch.stack([torch.zeros(1, 256, 256), torch.ones(1, 256, 256)])
        share = float(mix.values(torch.tensor([0.0, 1.0]))[0])
        pasted_share = float(mix.images(films)[0].mean())
        assert pasted_share in (0.0, pytest.approx(share, abs=0.01))


def test_half_of_the_batches_may_be_blended() -> None:
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    films = torch.stack([torch.zeros(1, 8, 8), torch.ones(1, 8, 8)])
    grays = [CutMix(mixup=0.4)(2, generator).images(films) for _ in range(100)]
    blended = sum(bool(((gray > 0.01) & (gray < 0.99)).any()) for gray in grays)
    assert 10 < blended < 45, "half of the batches, of which half exchange two films"


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"mixup": -1.0}])
def test_an_alpha_without_meaning_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must be above 0|must be 0 or more"):
        CutMix(**wrong)
