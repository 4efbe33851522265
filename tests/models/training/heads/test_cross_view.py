"""The cross-view head: films of a study see each other, absent ones are not seen, and places are told apart."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from models.training.heads.cross_view import CrossViewHead, position_code


def head(**more: int) -> CrossViewHead:
    torch.manual_seed(0)
    made = CrossViewHead(6, 3, 0.0, width=16, hidden=24, attention_heads=4, **more)
    return made.eval()


def maps(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1))


def test_position_codes_by_hand() -> None:
    """Of width 4, half for the row and half for the column, each the sine and cosine of its number."""
    code = position_code(2, 3, 4)
    assert code.shape == (2, 3, 4)
    expected = [math.sin(1), math.cos(1), math.sin(2), math.cos(2)]
    assert code[1, 2].tolist() == pytest.approx(expected, rel=1e-6)


FRONTAL = torch.zeros(2, 2, dtype=torch.bool)
SIDES = torch.tensor([[False, True], [False, True]])  # a frontal and a lateral film


def test_an_absent_film_changes_nothing() -> None:
    made, films = head(), maps(2, 2, 6, 2, 2)
    alone = torch.tensor([[True, False], [True, False]])
    found = made.read_studies(films, alone, FRONTAL).logits
    torch.testing.assert_close(found, made(films[:, 0]).logits)
    other = films.clone()
    other[:, 1] = 9
    torch.testing.assert_close(made.read_studies(other, alone, SIDES).logits, found)


def test_both_films_of_a_study_are_read_together() -> None:
    made, films, both = head(), maps(2, 2, 6, 2, 2), torch.ones(2, 2, dtype=torch.bool)
    found = made.read_studies(films, both, SIDES).logits
    assert not torch.allclose(found, made(films[:, 0]).logits)
    torch.testing.assert_close(made.read_studies(films[:1], both[:1], SIDES[:1]).logits, found[:1])


def test_the_order_of_films_is_no_matter_and_their_views_are_told_apart() -> None:
    made, films, both = head(), maps(2, 2, 6, 2, 2), torch.ones(2, 2, dtype=torch.bool)
    found = made.read_studies(films, both, SIDES).logits
    torch.testing.assert_close(made.read_studies(films.flip(1), both, SIDES.flip(1)).logits, found)
    assert not torch.allclose(made.read_studies(films.flip(1), both, SIDES).logits, found)


def test_it_learns_with_every_parameter() -> None:
    made = head(layers=2).train()
    present = torch.tensor([[True, True]] * 3 + [[True, False]])
    found = made.read_studies(maps(4, 2, 6, 2, 2), present, SIDES[:1].expand(4, 2))
    assert found.logits.shape == (4, 3) and found.auxiliary == 0
    torch.autograd.backward((found.logits**2).sum())
    for name, parameter in made.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().max() > 0, name


def test_what_is_no_encoder_is_refused() -> None:
    with pytest.raises(ValueError, match="no encoder"):
        CrossViewHead(6, 3, 0.0, layers=0)
    with pytest.raises(ValueError, match="attention heads"):
        CrossViewHead(6, 3, 0.0, width=16, attention_heads=3)
