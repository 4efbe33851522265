"""The feature pyramid: levels add up, each has its own logits, and it starts at the prevalence."""

from __future__ import annotations

import numpy as np
import pytest
import timm
import torch

from models.training.feature_pyramid import FeaturePyramidNetwork


def network(levels: int = 3) -> FeaturePyramidNetwork:
    torch.manual_seed(0)
    body = timm.create_model("tf_efficientnet_lite0", in_chans=1, num_classes=2)
    return FeaturePyramidNetwork(body, 4, 0.0, levels).eval()


@torch.no_grad()
def test_the_logits_are_the_sum_over_levels() -> None:
    made, films = network(), torch.randn(2, 1, 64, 64)
    found = made.outputs(films)
    assert found.logits.shape == (2, 6) and found.parts is not None and found.parts.shape == (2, 4, 4)
    torch.testing.assert_close(found.parts[:, 0], found.logits[:, :4])
    torch.testing.assert_close(
        found.parts[:, 1:].mean(1), found.logits[:, :4], msg="a level's own are thrice its share"
    )
    last, maps = made.body.forward_intermediates(films, indices=3)  # type: ignore[operator, union-attr]
    by_hand = sum(layer(each.mean((2, 3))) for layer, each in zip(made.classifiers, maps, strict=True))
    torch.testing.assert_close(found.logits[:, :4], by_hand)
    torch.testing.assert_close(found.logits[:, 4:], made.body.forward_head(last))  # type: ignore[operator, union-attr]


@torch.no_grad()
def test_every_level_starts_at_the_prevalence() -> None:
    made = network()
    made.start_at(np.array([0.3, 0.02, 0.1, 0.4], np.float32))
    for layer in made.classifiers:
        layer.weight.zero_()  # type: ignore[operator, union-attr]
    found = made.outputs(torch.randn(1, 1, 64, 64))
    assert found.parts is not None
    for part in found.parts[0]:
        assert torch.sigmoid(part).tolist() == pytest.approx([0.3, 0.02, 0.1, 0.4], rel=1e-4)


def test_more_levels_than_there_are_is_refused() -> None:
    with pytest.raises(ValueError, match="fewer than the pyramid's 9"):
        network(9)
