"""Maps of attention: rollout and relevance by other ways than the code's, of networks small enough to do so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import timm
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models import load
from models.cards.heat_method import HeatMethod
from models.classifier.attention import AttentionNetwork
from tests.support.model_builders import random_film, write_model

FILM = random_film(120, 90, seed=4)
VIT = "vit_tiny_patch16_224"


def network(depth: int, pool: str = "token") -> Any:  # noqa: ANN401 - timm's interface
    torch.manual_seed(0)
    model = timm.create_model(VIT, depth=depth, img_size=48, num_classes=3, global_pool=pool)
    for block in model.blocks:  # of a new network attention is all but even
        nn.init.normal_(block.attn.qkv.weight, std=0.2)
    return model.eval().requires_grad_(False)


def film(model: Any) -> Tensor:  # noqa: ANN401
    return torch.rand(1, 3, 48, 48, generator=torch.Generator().manual_seed(1)).to(next(model.parameters()).dtype)


def attention_of(model: Any, inputs: Tensor) -> list[NDArray[np.float64]]:  # noqa: ANN401
    """From what goes into each block's softmax, by hand."""
    seen: list[NDArray[np.float64]] = []

    def keep(module: nn.Module, _given: object, output: Tensor) -> None:
        query, key, _ = output[0].double().reshape(len(output[0]), 3, 3, -1).permute(1, 2, 0, 3).numpy()
        raw = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
        weights = np.exp(raw - raw.max(-1, keepdims=True))
        seen.append(weights / weights.sum(-1, keepdims=True))

    hooks = [block.attn.qkv.register_forward_hook(keep) for block in model.blocks]
    model(inputs)
    for hook in hooks:
        hook.remove()
    return seen


@pytest.mark.parametrize("pool", ["token", "avg"])
def test_rollout_is_the_product_of_mean_attention_and_shortcuts(pool: str) -> None:
    model = network(3, pool)
    prefix = model.num_prefix_tokens
    reached = np.eye(9 + prefix)
    for attention in attention_of(model, film(model)):
        reached = (attention.mean(0) + np.eye(len(reached))) / 2 @ reached
    np.testing.assert_allclose(reached.sum(1), 1)
    expected = (reached[0] if pool == "token" else reached[prefix:].mean(0))[prefix:].reshape(3, 3)
    np.testing.assert_allclose(AttentionNetwork(model).rollout(film(model)), expected, rtol=1e-4)


def test_relevance_of_one_block_is_attention_times_what_it_adds_to_the_output() -> None:
    model = network(1).double()
    inputs = film(model)
    (attention,) = attention_of(model, inputs)
    model.blocks[0].attn.fused_attn = False
    step = 1e-5
    slopes = np.zeros((3, *attention.shape))
    for head in range(3):
        for token in range(10):
            added = torch.zeros(1, 3, 10, 10, dtype=torch.float64)
            added[0, head, 0, token] = step
            moved = []
            for sign in (1, -1):
                hook = model.blocks[0].attn.attn_drop.register_forward_hook(
                    lambda _module, _given, output, by=sign * added: output + by
                )
                moved.append(model(inputs)[0].numpy())
                hook.remove()
            slopes[:, head, 0, token] = (moved[0] - moved[1]) / (2 * step)
    expected = np.maximum(slopes * attention, 0).mean(1)[:, 0, 1:].reshape(3, 3, 3)
    found = AttentionNetwork(model).relevance(inputs, lambda logits: logits).numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-9)
    assert np.ptp(found, axis=0).max() > 0.1 * found.max(), "findings have maps of their own"


def test_a_transformer_of_ones_own_has_both_and_scores_as_before(tmp_path: Path) -> None:
    model = load.classifier(str(write_model(tmp_path, VIT, size=96)), "cpu")
    before = model.score([FILM])
    rollout = model.heat(FILM, model.findings[:2], HeatMethod.parse("AttentionRollout@last")).maps
    relevance = model.heat(FILM, model.findings[:2], HeatMethod.parse("AttentionRelevance@last:contrastive")).maps
    assert rollout.shape == relevance.shape == (2, 6, 6)
    assert np.array_equal(rollout[0], rollout[1]), "no finding has a part in it"
    assert not np.array_equal(relevance[0], relevance[1]) and (relevance >= 0).all()
    assert np.array_equal(model.score([FILM]), before)


def test_what_has_no_attention_says_so(tmp_path: Path) -> None:
    model = load.classifier(str(write_model(tmp_path, "resnet18", size=96)), "cpu")
    with pytest.raises(ValueError, match="plain vision transformer"):
        model.heat(FILM, model.findings[:1], HeatMethod.parse("AttentionRollout@last"))
