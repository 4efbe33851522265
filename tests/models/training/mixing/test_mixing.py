"""Mixed batches by numbers worked by hand; a seed gives the same mix."""

from __future__ import annotations

import pytest
import torch

from models.training.mixing.mix import Mix, unmixed
from models.training.mixing.mixup import Mixup
from models.training.mixing.registry import build_mixing


def test_a_mix_weighs_values_by_its_shares() -> None:
    mix = Mix(((0.75, torch.tensor([0, 1])), (0.25, torch.tensor([1, 0]))), lambda maps: maps)
    found = mix.values(torch.tensor([[4.0, 0.0], [0.0, 8.0]]))
    torch.testing.assert_close(found, torch.tensor([[3.0, 2.0], [1.0, 6.0]]))
    each = Mix(
        ((torch.tensor([1.0, 0.5]), torch.tensor([0, 1])), (torch.tensor([0.0, 0.5]), torch.tensor([1, 0]))), abs
    )
    torch.testing.assert_close(each.values(torch.tensor([[4.0], [8.0]])), torch.tensor([[4.0], [6.0]]))


def test_mixup_blends_films_as_it_says() -> None:
    def drawn() -> Mix:
        torch.manual_seed(3)
        return Mixup(0.4)(4, torch.Generator().manual_seed(5))

    mix, films = drawn(), torch.arange(4.0).view(4, 1, 1, 1)
    (share, own), (rest, partner) = mix.parts
    assert isinstance(share, float) and share + rest == pytest.approx(1) and own.tolist() == [0, 1, 2, 3]
    torch.testing.assert_close(mix.images(films).flatten(), share * films.flatten() + rest * partner.float())
    again = drawn()
    assert again.parts[0][0] == share and again.parts[1][1].tolist() == partner.tolist()


def test_without_mixing_every_film_is_itself() -> None:
    films = torch.rand(3, 1, 2, 2)
    for mix in (unmixed(3), Mixup(0.0)(3, torch.Generator())):
        assert mix.images(films) is films and [share for share, _ in mix.parts] == [1.0]


def test_an_unknown_mixing_or_a_wrong_parameter_is_refused() -> None:
    with pytest.raises(ValueError, match="Did you mean mixup"):
        build_mixing("mixupp", {})
    with pytest.raises(ValueError, match="0 or more"):
        build_mixing("mixup", {"alpha": -0.1})
