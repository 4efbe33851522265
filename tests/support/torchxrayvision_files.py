"""torchxrayvision's networks with random weights, in the files that it publishes."""

from __future__ import annotations

import contextlib
import io
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from models.unfilled import skip_random_init

with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():  # its import silences all warnings
    import torchxrayvision as xrv

# Our name of a preset -> torchxrayvision's.
PRESETS = {
    "xrv-all": "densenet121-res224-all",
    "xrv-nih": "densenet121-res224-nih",
    "xrv-pc": "densenet121-res224-pc",
    "xrv-chex": "densenet121-res224-chex",
    "xrv-mimic_ch": "densenet121-res224-mimic_ch",
    "xrv-rsna": "densenet121-res224-rsna",
    "xrv-resnet50": "resnet50-res512-all",
}


def published(name: str) -> dict[str, Any]:
    """What torchxrayvision says of a preset, by our name."""
    said: dict[str, Any] = xrv.models.model_urls[PRESETS[name]]
    return said


def random_densenet(seed: int = 0) -> nn.Module:
    """Its DenseNet121 whose norms have seen a few films, so that logits are neither all alike nor beyond a sigmoid."""
    torch.manual_seed(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return settled(xrv.models.DenseNet(num_classes=18, in_channels=1))


def random_resnet(seed: int = 0) -> nn.Module:
    """The network inside its ResNet50."""
    import torchvision

    torch.manual_seed(seed)
    model = torchvision.models.resnet50(num_classes=18, weights=None)
    model.conv1 = nn.Conv2d(1, 64, kernel_size=7, stride=2, padding=3, bias=False)
    return settled(model)


def settled(model: nn.Module) -> nn.Module:
    """The norms' statistics are those of a few random films."""
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None
    with torch.no_grad():
        model.train()(random_inputs(3, 64))
    return model.eval()


def random_inputs(films: int, size: int) -> Tensor:
    """Films (films, 1, size, size) in [-1024, 1024]."""
    return torch.rand(films, 1, size, size, generator=torch.Generator().manual_seed(7)) * 2048 - 1024


def write_published(name: str, folder: Path, *, legacy: bool = True) -> Path:
    """The file of a preset with random weights, as torchxrayvision publishes it: a whole model, or a state dict.

    `legacy`: in the container of torch before 1.6.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / published(name)["weights_url"].rpartition("/")[2]
    path.write_bytes(_saved(name == "xrv-resnet50", legacy))
    return path


@lru_cache(maxsize=4)
def _saved(resnet: bool, legacy: bool) -> bytes:
    held, file = random_resnet().state_dict() if resnet else random_densenet(), io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class whose source cannot be read
        torch.save(held, file, _use_new_zipfile_serialization=not legacy)
    return file.getvalue()


def their_own(name: str, folder: Path) -> nn.Module:
    """What torchxrayvision makes of the file of a preset in `folder`."""
    with skip_random_init():  # all is loaded
        model: nn.Module = xrv.models.get_model(PRESETS[name], cache_dir=str(folder))
    return model.eval()
