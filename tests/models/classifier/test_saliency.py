"""Every other method of the grad-cam package: raw, on a copy, nothing left behind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models import load
from models.classifier.saliency import METHODS, saliency
from tests.support.model_builders import random_film, write_model

FILM = random_film(120, 90, seed=4)


@pytest.mark.parametrize(
    "architecture", ["tf_efficientnet_lite0", "vit_tiny_patch16_224", "swin_tiny_patch4_window7_224"]
)
def test_grad_cam_here_is_explains_map(tmp_path: Path, architecture: str) -> None:
    model = load.classifier(str(write_model(tmp_path, architecture, size=224 if "swin" in architecture else 96)), "cpu")
    maps = model.explain(FILM).maps
    for index, finding in enumerate(model.findings):
        np.testing.assert_allclose(saliency(model, FILM, finding, "GradCAM"), maps[index], rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_leaves_the_model_as_it_was(tmp_path: Path, method: str) -> None:
    model = load.classifier(str(write_model(tmp_path, "tf_efficientnet_lite0", size=96)), "cpu")
    before = model.explain(FILM)
    image = saliency(model, FILM, "Nodule", method)
    assert image.shape == (3, 3)
    assert image.dtype == np.float32
    assert np.isfinite(image).all()
    assert image.min() >= 0
    after = model.explain(FILM)
    np.testing.assert_array_equal(before.maps, after.maps)
    modules = list(model.backbone.network.modules())
    assert not any(module._forward_hooks or module._backward_hooks for module in modules)
    assert all(parameter.grad is None for parameter in model.backbone.network.parameters())


def test_two_methods_differ(tmp_path: Path) -> None:
    model = load.classifier(str(write_model(tmp_path, "tf_efficientnet_lite0", size=96)), "cpu")
    first, second = (saliency(model, FILM, "Mass", method) for method in ("GradCAM", "LayerCAM"))
    assert not np.allclose(first, second)


def test_unknown_words_are_refused(tmp_path: Path) -> None:
    model = load.classifier(str(write_model(tmp_path, "test_resnet")), "cpu")
    with pytest.raises(ValueError, match="There is no method"):
        saliency(model, FILM, "Mass", "MagicCAM")
    with pytest.raises(ValueError, match="does not look for"):
        saliency(model, FILM, "Goiter", "GradCAM")
