"""Heat maps at any stage: the formulas, against the grad-cam package used as it is meant to be; contrast; threads."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import pytorch_grad_cam
import torch
from safetensors.torch import save_file

from models import load
from models.cards.card import UnusableModel
from models.cards.heat_method import CAMS, Cam, HeatMethod
from models.classifier.classifier import Classifier
from models.classifier.mask_head import MaskHead
from models.classifier.occlusion import occlusion_maps
from tests.support.model_builders import FINDINGS, random_film, timm_model, write_model
from tests.support.wording import Wording

FILM = random_film(120, 90, seed=4)
LITE0 = "tf_efficientnet_lite0"
NOT_BY_GRADIENT = ("Occlusion", "AttentionRollout", "AttentionRelevance", "MaskHead")
BY_GRADIENT = tuple(cam for cam in CAMS if cam not in NOT_BY_GRADIENT)


Built = Callable[..., Classifier]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Models of random weights by their architectures, each loaded once: no test changes one."""

    @functools.cache
    def model(architecture: str = LITE0) -> Classifier:
        sized = {"swin_tiny_patch4_window7_224": 224}.get(architecture, 96)
        folder = tmp_path_factory.mktemp(architecture)
        return load.classifier(str(write_model(folder, architecture, size=sized)), "cpu")

    return model


@pytest.mark.slow
@pytest.mark.parametrize("architecture", [LITE0, "vit_tiny_patch16_224", "swin_tiny_patch4_window7_224"])
def test_grad_cam_of_the_last_maps_is_explains(built: Built, architecture: str) -> None:
    model = built(architecture)
    heat = model.heat(FILM, model.findings, HeatMethod("GradCAM"))
    np.testing.assert_allclose(heat.maps, model.explain(FILM).maps, rtol=1e-4, atol=1e-7)
    assert heat.box == model.explain(FILM).box


@pytest.mark.parametrize("cam", BY_GRADIENT)
def test_every_method_is_the_packages_at_a_stage(built: Built, cam: Cam) -> None:
    model = built()
    network = copy.deepcopy(model.backbone.network)
    place = model.findings.index("Nodule")
    with getattr(pytorch_grad_cam, cam)(network, [network.blocks[4]]) as theirs:
        inputs = model.inputs([FILM]).requires_grad_()
        watcher = theirs.activations_and_grads
        watcher(inputs)[0, place].backward()
        film, gradients = watcher.activations[0].numpy(), watcher.gradients[0].numpy()
        expected = np.maximum(theirs.get_cam_image(inputs, None, None, film, gradients, False)[0], 0)
    heat = model.heat(FILM, ["Nodule"], HeatMethod(cam, ("blocks.4",)))
    assert heat.maps.shape == (1, 6, 6)
    assert heat.maps.dtype == np.float32
    np.testing.assert_allclose(heat.maps[0], expected, rtol=1e-3, atol=1e-4 * expected.max() + 1e-9)


@pytest.mark.processor
@pytest.mark.slow
@pytest.mark.parametrize(
    ("architecture", "stage"),
    [
        (LITE0, "blocks.2"),
        ("resnet18", "layer3"),
        ("densenet121", "features.denseblock3"),
        ("convnext_tiny", "stages.2"),
    ]
    + [("swin_tiny_patch4_window7_224", "layers.1")],
)
def test_maps_of_a_stage_sum_to_what_it_adds_to_the_output(built: Built, architecture: str, stage: str) -> None:
    """HiResCAM before the cut is gradient times activation: its sum is the derivative along the activations."""
    model = built(architecture)
    inputs = model.inputs([FILM])

    def outputs(maps: torch.Tensor) -> torch.Tensor:
        return model.backbone.head(maps)[0, :2]

    ((seen, gradients),) = model.backbone.gradients(inputs, outputs, [stage])
    assert seen.shape == gradients.shape[1:]
    assert gradients.shape[0] == 2
    step, along = 1e-3, (gradients * seen).sum((1, 2, 3))
    shifted = [_scaled(model, inputs, stage, 1 + sign * step) for sign in (1, -1)]
    slope = (shifted[0] - shifted[1])[:2] / (2 * step)
    torch.testing.assert_close(along.double(), slope, rtol=0.05, atol=float(0.02 * along.abs().max() + 1e-4))


def _scaled(model: Classifier, inputs: torch.Tensor, stage: str, factor: float) -> torch.Tensor:
    """In double precision: what single rounds away is, over so small a step, as large as the slope."""
    network = copy.deepcopy(model.backbone.network).double()
    network.get_submodule(stage).register_forward_hook(lambda _, __, output: output * factor)
    with torch.no_grad():
        logits: torch.Tensor = network(inputs.double())[0]
    return logits


def test_contrast_takes_away_what_speaks_for_every_finding(built: Built) -> None:
    model = built()
    plain = HeatMethod("HiResCAM", ("blocks.4",))
    head = model.backbone.head
    ((seen, gradients),) = model.backbone.gradients(model.inputs([FILM]), lambda maps: head(maps)[0], ["blocks.4"])
    shares = (gradients * seen).sum(1)
    expected = (shares - shares.mean(0)).relu().numpy()
    contrasted = model.heat(FILM, model.findings, HeatMethod("HiResCAM", ("blocks.4",), contrastive=True)).maps
    np.testing.assert_allclose(contrasted, expected, rtol=1e-3, atol=1e-4 * expected.max())
    assert not np.allclose(contrasted, model.heat(FILM, model.findings, plain).maps)


def test_several_stages_give_the_geometric_mean_on_the_finest_grid(built: Built) -> None:
    model = built()
    fine, coarse = (model.heat(FILM, ["Mass"], HeatMethod("HiResCAM", (at,))).maps for at in ("blocks.2", "blocks.4"))
    larger = torch.nn.functional.interpolate(torch.from_numpy(coarse)[None], (12, 12), mode="bilinear")[0].numpy()
    both = model.heat(FILM, ["Mass"], HeatMethod("HiResCAM", ("blocks.2", "blocks.4"))).maps
    assert both.shape == (1, 12, 12)
    assert both.max() > 0
    np.testing.assert_allclose(both, np.sqrt(fine * larger), rtol=1e-4, atol=1e-6)


def test_a_larger_input_has_more_cells_and_its_own_box(built: Built) -> None:
    heat = built().heat(FILM, ["Mass"], HeatMethod("LayerCAM", ("blocks.4",), size=160))
    assert heat.maps.shape == (1, 10, 10)
    assert (heat.box.size, heat.box.inner, heat.box.offset) == (160, (160, 120), (0, 20))


def test_occlusion_finds_the_place_that_the_output_reads() -> None:
    film = torch.rand(1, 1, 64, 64)
    film[0, 0, 32:48, 16:32] += 5

    def outputs(films: torch.Tensor) -> torch.Tensor:
        return torch.stack([films[:, 0, 32:48, 16:32].mean((1, 2)), -films[:, 0, 32:48, 16:32].mean((1, 2))], 1)

    maps = occlusion_maps(film, outputs)
    assert maps.shape == (2, 4, 4)
    assert np.unravel_index(int(maps[0].argmax()), (4, 4)) == (2, 1)
    assert float(maps[1].max()) == 0, "covering it speaks for the other output"


def test_threads_that_ask_for_other_stages_do_not_disturb_each_other(built: Built) -> None:
    model = built()
    methods = [HeatMethod("HiResCAM", stages) for stages in (("blocks.2", "blocks.4"), ("blocks.4",), ())]
    alone = [model.heat(FILM, ["Mass", "Nodule"], method).maps for method in methods]
    scores = model.score([FILM])
    with ThreadPoolExecutor(6) as pool:
        maps = pool.map(lambda number: model.heat(FILM, ["Mass", "Nodule"], methods[number % 3]).maps, range(18))
        scored = pool.map(lambda _: model.score([FILM]), range(6))
    for number, heat in enumerate(maps):
        np.testing.assert_array_equal(heat, alone[number % 3])
    for each in scored:
        np.testing.assert_array_equal(each, scores)
    assert all(parameter.grad is None for parameter in model.backbone.network.parameters())


def test_what_the_model_does_not_have_is_refused(built: Built, wording: Wording) -> None:
    model = built()
    with pytest.raises(ValueError) as caught:
        model.heat(FILM, ["Goiter"])
    wording(caught.value, "'Goiter'")
    with pytest.raises(ValueError) as caught:
        model.heat(FILM, ["Mass"], HeatMethod(layers=("blocks.99",)))
    wording(caught.value, "'blocks.99'")
    swin = built("swin_tiny_patch4_window7_224")
    with pytest.raises(ValueError) as caught:
        swin.heat(FILM, ["Mass"], HeatMethod(size=160))
    wording(caught.value, "224 px")


def with_masks(folder: Path, state: dict[str, torch.Tensor]) -> Classifier:
    """A classifier whose card names a file of these tensors as its mask head."""
    folder.mkdir(exist_ok=True)
    save_file(state, folder / "masks.safetensors")
    return load.network(str(write_model(folder, LITE0, size=96, masks="masks.safetensors")), "cpu")


def test_a_mask_head_says_where_a_finding_lies(tmp_path: Path) -> None:
    torch.manual_seed(0)
    head = MaskHead.of(timm_model(LITE0, 96, 1), len(FINDINGS))
    model = with_masks(tmp_path, {name: tensor.half() for name, tensor in head.state_dict().items()})
    with torch.no_grad():
        fine = model.backbone.network.blocks[:5](read_by_blocks(model))
        last = model.backbone.maps(model.inputs([FILM]))
        coarse = torch.nn.functional.interpolate(head.coarse(last), (6, 6), mode="bilinear")
        expected = (head.fine(fine) + coarse).sigmoid()[0]
    heat = model.heat(FILM, [model.findings[3], model.findings[0]], HeatMethod("MaskHead"))
    np.testing.assert_allclose(heat.maps, expected[[3, 0]].numpy(), rtol=1e-2)
    larger = model.heat(FILM, [model.findings[3]], HeatMethod("MaskHead", size=192))
    assert larger.maps.shape == (1, 12, 12)


def read_by_blocks(model: Classifier) -> torch.Tensor:
    """What the first of the network's stages reads."""
    network = model.backbone.network
    stem: torch.Tensor = network.bn1(network.conv_stem(model.inputs([FILM])))
    return stem


def test_a_mask_head_that_is_not_there_or_does_not_fit_is_told(built: Built, tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        built().heat(FILM, ["Nodule"], HeatMethod("MaskHead"))
    wording(caught.value, "`masks`")
    model = with_masks(tmp_path / "beside", {"fine.weight": torch.zeros(2, 2)})
    with pytest.raises(UnusableModel) as caught:
        model.heat(FILM, ["Nodule"], HeatMethod("MaskHead"))
    wording(caught.value, "masks.safetensors")
