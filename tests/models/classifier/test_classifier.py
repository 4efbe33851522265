"""The classifier against timm itself, and its heat maps against the grad-cam package."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from pytorch_grad_cam import GradCAM
from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget
from safetensors.torch import load_file
from torch import nn

from models import load
from models.cards.card import UnusableModel
from models.classifier.classifier import Classifier
from models.radiograph import Radiograph
from models.unfilled import skip_random_init
from tests.support.model_builders import FINDINGS, random_film, timm_model, write_model

FILMS = [random_film(200, 150, seed=1), random_film(90, 170, seed=2), random_film(64, 64, seed=3)]


def built(folder: Path, architecture: str, size: int = 64, in_chans: int = 1) -> tuple[Classifier, nn.Module]:
    """Our classifier and timm's own model with the same weights."""
    path = write_model(folder, architecture, size=size, in_chans=in_chans)
    with skip_random_init():
        model = timm_model(architecture, size, in_chans).eval()
    model.load_state_dict(load_file(folder / "weights.safetensors"))
    return load.classifier(str(path), "cpu"), model


@pytest.mark.parametrize("in_chans", [1, 3])
@pytest.mark.parametrize("architecture", ["tf_efficientnet_lite0", "convnext_atto", "vit_tiny_patch16_224"])
def test_scores_and_features_are_timms(tmp_path: Path, architecture: str, in_chans: int) -> None:
    ours, model = built(tmp_path, architecture, in_chans=in_chans)
    with torch.no_grad():
        inputs = ours.inputs(FILMS)
        scores = torch.sigmoid(model(inputs)).numpy()
        features = model.forward_head(model.forward_features(inputs), pre_logits=True).numpy()
    assert inputs.shape == (3, in_chans, 64, 64)
    np.testing.assert_allclose(ours.score(FILMS), scores, atol=1e-5)
    np.testing.assert_allclose(ours.features(FILMS), features, atol=1e-4)
    assert ours.score([]).shape == (0, len(FINDINGS))
    assert ours.features([]).shape == (0, features.shape[1])


def test_a_batch_scores_like_its_films_one_by_one(tmp_path: Path) -> None:
    ours, _ = built(tmp_path, "tf_efficientnet_lite0")
    films = [random_film(80, 60 + seed, seed) for seed in range(19)]  # more than one batch, the last one short
    together = ours.score(films)
    alone = np.concatenate([ours.score([film]) for film in films])
    np.testing.assert_allclose(together, alone, atol=1e-5)


LAST_LAYERS: dict[str, Callable[[nn.Module], nn.Module]] = {
    "tf_efficientnet_lite0": lambda model: model.bn2,
    "densenet121": lambda model: model.features,
    "convnext_atto": lambda model: model.stages[-1],
    "swin_tiny_patch4_window7_224": lambda model: model.norm,
}


@pytest.mark.slow
@pytest.mark.parametrize("architecture", LAST_LAYERS)
def test_every_map_is_grad_cams(tmp_path: Path, architecture: str) -> None:
    ours, model = built(tmp_path, architecture, size=224 if "swin" in architecture else 96)
    channels_first = (lambda maps: maps.permute(0, 3, 1, 2)) if "swin" in architecture else None
    explanation = ours.explain(FILMS[0])
    inputs = ours.inputs(FILMS[:1])
    with GradCAM(model, [LAST_LAYERS[architecture](model)], reshape_transform=channels_first) as cam:
        for index in range(len(FINDINGS)):
            watcher = cam.activations_and_grads
            watcher(inputs.clone().requires_grad_())[0, index].backward()
            activations, gradients = watcher.activations[0].numpy(), watcher.gradients[0].numpy()
            target = [ClassifierOutputTarget(index)]
            raw = np.maximum(cam.get_cam_image(inputs, None, target, activations, gradients)[0], 0)
            np.testing.assert_allclose(explanation.maps[index], raw, rtol=1e-4, atol=1e-4 * np.abs(raw).max() + 1e-9)
    assert explanation.maps.max() > 0, "an all-zero map would equal anything"
    np.testing.assert_allclose(explanation.scores, ours.score(FILMS[:1])[0], atol=1e-5)
    np.testing.assert_allclose(explanation.features, ours.features(FILMS[:1])[0], atol=1e-5)


def test_a_vision_transformer_explains_its_patches(tmp_path: Path) -> None:
    ours, model = built(tmp_path, "vit_tiny_patch16_224", size=96)
    explanation = ours.explain(FILMS[0])
    assert explanation.maps.shape == (len(FINDINGS), 6, 6)
    inputs = ours.inputs(FILMS[:1])

    def patches(tokens: torch.Tensor) -> torch.Tensor:
        return tokens[:, 1:].transpose(1, 2).unflatten(2, (6, 6))

    with GradCAM(model, [model.blocks[-2]], reshape_transform=patches) as cam:
        cam.activations_and_grads(inputs.clone().requires_grad_())[0, 1].backward()
        watcher = cam.activations_and_grads
        raw = cam.get_cam_image(inputs, None, [None], watcher.activations[0].numpy(), watcher.gradients[0].numpy())
    np.testing.assert_allclose(explanation.maps[1], np.maximum(raw[0], 0), rtol=1e-4, atol=1e-7)


def test_maps_of_a_pooled_linear_head_add_up_to_the_logit(tmp_path: Path) -> None:
    # Logit units, by their definition: for pool + linear the unclipped map sums to the logit less its bias.
    ours, model = built(tmp_path, "tf_efficientnet_lite0", size=96)
    with torch.no_grad():
        maps = model.forward_features(ours.inputs(FILMS[:1]))[0]
        shares = torch.einsum("kc,chw->khw", model.classifier.weight, maps) / maps[0].numel()
        logits = model(ours.inputs(FILMS[:1]))[0]
    torch.testing.assert_close(shares.sum((1, 2)) + model.classifier.bias, logits, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ours.explain(FILMS[0]).maps, shares.relu().numpy(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("height", "width"), [(600, 300), (300, 600)])
def test_a_map_returns_to_where_the_film_is_bright(tmp_path: Path, height: int, width: int) -> None:
    ours, _ = built(tmp_path, "test_resnet", size=192)
    pixels = np.zeros((height, width), dtype=np.float32)
    row, column = height * 3 // 4, width // 4
    pixels[row - 30 : row + 30, column - 30 : column + 30] = 1
    explanation = ours.explain(Radiograph.from_pixels(pixels))
    blank = ours.explain(Radiograph.from_pixels(np.zeros_like(pixels)))
    change = np.abs(explanation.on_film() - blank.on_film()).sum(0)
    assert change.shape == (height, width)
    peak = np.unravel_index(change.argmax(), change.shape)
    cell = max(height, width) / explanation.maps.shape[-1]
    assert abs(peak[0] - row) < cell
    assert abs(peak[1] - column) < cell


def test_threads_share_a_model_without_disturbing_each_other(tmp_path: Path) -> None:
    ours, _ = built(tmp_path, "tf_efficientnet_lite0")
    alone = [ours.explain(film) for film in FILMS]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(ours.explain, FILMS * 6))
    for index, explanation in enumerate(together):
        np.testing.assert_array_equal(explanation.scores, alone[index % 3].scores)
        np.testing.assert_array_equal(explanation.maps, alone[index % 3].maps)


def test_memory_that_runs_out_gets_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, _ = built(tmp_path, "test_resnet")

    def exhausted(inputs: torch.Tensor) -> torch.Tensor:
        raise torch.OutOfMemoryError("no memory")  # what a full GPU raises; there is none to fill here

    monkeypatch.setattr(ours.backbone, "maps", exhausted)
    for call in (ours.score, ours.features, lambda films: ours.explain(films[0])):
        with pytest.raises(UnusableModel, match="not enough memory"):
            call(FILMS)
