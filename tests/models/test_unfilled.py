"""A network is built without random numbers where it gets its weights from a file, and only there."""

from __future__ import annotations

import threading

import pytest
import timm
import torch
from torch import nn

from models.unfilled import skip_random_init

ARCHITECTURES = ("test_resnet", "test_vit", "test_convnext", "test_efficientnet")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_no_number_is_drawn_and_loaded_weights_make_the_same_network(architecture: str) -> None:
    model = timm.create_model(architecture).eval()
    before = torch.random.get_rng_state()
    with skip_random_init():
        other = timm.create_model(architecture).eval()
        attention = nn.MultiheadAttention(8, 2)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert attention.in_proj_weight.shape == (24, 8)
    other.load_state_dict(model.state_dict())
    film = torch.rand(1, 3, 160, 160)
    assert torch.equal(model(film), other(film))


def test_other_threads_fill_theirs_and_so_does_this_one_afterwards() -> None:
    drawn: list[torch.Tensor] = []
    with skip_random_init():
        thread = threading.Thread(target=lambda: drawn.append(nn.init.normal_(torch.zeros(4))))
        thread.start()
        thread.join()
        assert nn.init.normal_(torch.zeros(4)).tolist() == torch.zeros(4).uniform_().tolist() == [0.0] * 4
    assert drawn[0].abs().min() > 0 and torch.zeros(4).uniform_().abs().min() > 0
