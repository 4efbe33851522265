"""Where a film meets a text: against the grad-cam package, on planted features, raw and in one pass."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from pytorch_grad_cam import GradCAM
from torch import Tensor, nn

from models import load
from models.cards.card import UnusableModel
from models.prompts.templates import prompt_set
from models.radiograph import Radiograph
from models.vlm.cut import cut_tower, margin_cam
from models.vlm.model import VLM
from tests.support.model_builders import random_film
from tests.support.vlm_builders import LITE0, write_clip
from tests.support.wording import Wording

FILMS = [random_film(200, 150, seed=1), random_film(90, 170, seed=2), random_film(64, 64, seed=3)]
ASKED = [prompt_set("pleural effusion"), prompt_set("large heart"), prompt_set("mass")]

VIT = {"image_size": 128, "layers": 3, "width": 64, "head_width": 32, "patch_size": 16}
RESNET = {"image_size": 256, "layers": [1, 1, 1, 1], "width": 16, "head_width": 32, "patch_size": None}
TIMM_VIT = {"timm_model_name": "test_vit", "timm_pool": "", "timm_proj": "linear", "image_size": 160}
SWIN = {"timm_model_name": "swin_tiny_patch4_window7_224", "timm_pool": "avg", "timm_proj": "linear", "image_size": 224}
TOWERS: dict[str, dict[str, Any]] = {
    "ViT": VIT,
    "ViT, mean of patches": VIT | {"pool_type": "avg"},
    "ResNet": RESNET,
    "timm lite0": LITE0 | {"image_size": 256},
    "timm ViT": TIMM_VIT,
    "timm Swin": SWIN,
}


Built = Callable[[str], tuple[VLM, Any]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A model with random weights, and its image tower; each is made once, what is planted in it stays."""

    @cache
    def made(tower: str) -> tuple[VLM, Any]:
        folder = write_clip(tmp_path_factory.mktemp("models") / "model", vision=TOWERS[tower])
        model = load.vlm(f"local-dir:{folder}", "cpu")
        return model, cast(Any, model._images)._visual

    return made


def last_layer(visual: Any) -> tuple[nn.Module, Any]:  # noqa: ANN401
    """Where the grad-cam package is to look, and how it turns what it finds into maps."""

    def patches(grid: tuple[int, int]) -> Any:  # noqa: ANN401
        return lambda tokens: tokens[:, 1:].transpose(1, 2).unflatten(2, grid)

    if hasattr(visual, "layer4"):
        return visual.layer4, None
    if hasattr(visual, "transformer"):
        return visual.transformer.resblocks[-2], patches(visual.grid_size)
    if hasattr(visual.trunk, "blocks") and hasattr(visual.trunk, "patch_embed"):
        return visual.trunk.blocks[-2], patches(visual.trunk.patch_embed.grid_size)
    if hasattr(visual.trunk, "patch_embed"):
        return visual.trunk.norm, lambda maps: maps.permute(0, 3, 1, 2)
    return visual.trunk.bn2, None


class Towards(nn.Module):
    """A tower's embedding along a direction, in units of its own length."""

    def __init__(self, visual: nn.Module, direction: Tensor) -> None:
        super().__init__()
        self.visual = visual
        self.direction = direction

    def forward(self, inputs: Tensor) -> Tensor:
        embeddings = self.visual(inputs)
        return (embeddings @ self.direction / embeddings.detach().norm(dim=-1))[:, None]


@pytest.mark.slow
@pytest.mark.parametrize("tower", TOWERS)
def test_a_map_is_grad_cams(built: Built, tower: str) -> None:
    model, visual = built(tower)
    layer, reshape = last_layer(visual)
    direction = torch.from_numpy(model.directions(ASKED[:1])[0])
    inputs = cast(Any, model._images)._inputs([model.boxed(FILMS[0])])
    with GradCAM(Towards(visual, direction), [layer], reshape_transform=reshape) as cam:
        watcher = cam.activations_and_grads
        margin = watcher(inputs.clone().requires_grad_())[0, 0]
        margin.backward()
        activations, gradients = watcher.activations[0].numpy(), watcher.gradients[0].numpy()
        raw = np.maximum(cam.get_cam_image(inputs, None, [None], activations, gradients)[0], 0)
    heat = model.explain(FILMS[0], ASKED[0])
    np.testing.assert_allclose(heat.map, raw, rtol=1e-4, atol=1e-4 * raw.max() + 1e-9)


def film_with(row: int | None = None, column: int | None = None) -> Radiograph:
    """An even film of 300 px, with a bright square of 50 px around a place."""
    pixels = np.full((300, 300), 0.1, dtype=np.float32)
    if row is not None and column is not None:
        pixels[row - 25 : row + 25, column - 25 : column + 25] = 1
    return Radiograph.from_pixels(pixels)


def apart(feature: Tensor, others: Tensor) -> Tensor:
    """What of a feature (c,) is in none of others (c, n)."""
    basis, sizes, _ = torch.linalg.svd(others, full_matrices=False)
    basis = basis[:, sizes > 1e-4 * sizes[0]]
    return feature - basis @ (basis.T @ feature)


def plant(visual: Any, feature: Tensor) -> None:  # noqa: ANN401
    """Make the first number of an embedding say how much of a feature (c,) a film holds, wherever it lies."""
    if hasattr(visual, "attnpool"):
        pool = visual.attnpool
        for linear in (pool.q_proj, pool.k_proj):  # no place is preferred
            linear.weight.zero_()
        pool.v_proj.weight.copy_(torch.eye(len(feature)))
        pool.positional_embedding.zero_()
        pool.c_proj.weight[0] = feature
    else:
        visual.head.proj.weight[0] = feature


@pytest.mark.parametrize("tower", TOWERS)
@pytest.mark.parametrize(("row", "column"), [(75, 225), (225, 75), (150, 60)])
def test_a_map_peaks_at_a_planted_feature(built: Built, tower: str, row: int, column: int) -> None:
    model, visual = built(tower)
    parts, film = cut_tower(visual), film_with(row, column)
    maps, blank = (parts.maps(cast(Any, model._images)._inputs([model.boxed(each)])) for each in (film, film_with()))
    if "ResNet" in tower or "lite0" in tower:
        cell = 300 / maps.shape[-1]
        plant(visual, apart((maps - blank)[0, :, int(row / cell), int(column / cell)], blank[0].flatten(1)))
        direction = torch.eye(48)[0]
    else:  # what sets the film apart from an even one
        direction = torch.from_numpy(model.embed_images([film])[0] - model.embed_images([film_with()])[0])
    _, heat = margin_cam(maps, parts.head, parts.spatial, direction)
    assert float(heat.max()) > 0
    found = np.unravel_index(int(heat.argmax()), heat.shape)
    cell = 300 / len(heat)
    assert abs((found[0] + 0.5) * cell - row) <= 25 + cell
    assert abs((found[1] + 0.5) * cell - column) <= 25 + cell


def test_a_map_is_not_stretched(built: Built) -> None:
    model, visual = built("ViT")
    parts = cut_tower(visual)
    maps = parts.maps(cast(Any, model._images)._inputs([model.boxed(FILMS[0])]))
    direction = torch.from_numpy(model.directions(ASKED[:1])[0])
    margin, heat = margin_cam(maps, parts.head, parts.spatial, direction)
    weaker, fainter = margin_cam(maps, parts.head, parts.spatial, direction / 10)
    torch.testing.assert_close(fainter, heat / 10)
    torch.testing.assert_close(weaker, margin / 10)
    assert float(heat.min()) >= 0


@pytest.mark.parametrize("tower", ["ViT", "timm lite0", "ResNet"])
def test_the_film_passes_the_tower_once_and_nothing_is_left_behind(built: Built, tower: str) -> None:
    model, visual = built(tower)
    model.embed_texts([text for each in ASKED for text in (*each.positive, *each.negative)])
    stem = visual.trunk.conv_stem if hasattr(visual, "trunk") else visual.conv1
    passes: list[int] = []
    counter = stem.register_forward_hook(lambda _, inputs, __: passes.append(len(inputs[0])))
    model.explain(FILMS[0], ASKED[0])
    counter.remove()
    assert passes == [1]
    assert not any(module._forward_hooks or module._backward_hooks for module in visual.modules())
    assert all(parameter.grad is None for parameter in visual.parameters())


@pytest.mark.parametrize("tower", ["ViT", "timm lite0"])
def test_threads_do_not_disturb_each_other(built: Built, tower: str) -> None:
    model, _ = built(tower)
    alone = [model.explain(film, asked) for film, asked in zip(FILMS, ASKED, strict=True)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(model.explain, FILMS * 4, ASKED * 4))
    for index, heat in enumerate(together):
        np.testing.assert_array_equal(heat.map, alone[index % 3].map)


def test_a_map_returns_to_the_films_shape(built: Built) -> None:
    model, _ = built("ViT")
    heat = model.explain(FILMS[1], ASKED[0])
    assert heat.map.shape == (8, 8)
    assert heat.map.dtype == np.float32
    assert heat.on_film().shape == (90, 170)
    assert heat.on_film(85).shape == (45, 85)


def test_a_tower_without_a_feature_map_still_scores(tmp_path: Path, wording: Wording) -> None:
    vision = {"timm_model_name": "eva02_tiny_patch14_224", "timm_pool": "", "timm_proj": "linear", "image_size": 224}
    model = load.vlm(f"local-dir:{write_clip(tmp_path / 'model', vision=vision)}", "cpu")
    assert model.embed_images(FILMS[:1]).shape == (1, 48)
    with pytest.raises(UnusableModel) as caught:
        model.explain(FILMS[0], ASKED[0])
    wording(caught.value, "Eva")
    with pytest.raises(UnusableModel) as caught:
        cut_tower(nn.Identity())
    wording(caught.value, "Identity")
