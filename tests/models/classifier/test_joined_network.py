"""The network whose last layer reads the features of two."""

from __future__ import annotations

from typing import Any, cast

import pytest
import timm
import torch
from torch.nn import functional

from models.anatomy.network import standardize
from models.anatomy.outliner import outline_network
from models.classifier.backbone import Backbone
from models.classifier.joined_network import JOINED_ARCHITECTURE, JoinedNetwork
from models.training.nih.joined_start import nih_start_state
from models.training.start import fit_start


@pytest.fixture(scope="module")
def joined() -> JoinedNetwork:
    network = cast(JoinedNetwork, timm.create_model(JOINED_ARCHITECTURE, in_chans=1, num_classes=3)).eval()
    fit_start(network, JOINED_ARCHITECTURE, nih_start_state("phantom-20000", JOINED_ARCHITECTURE))
    return network.requires_grad_(False)


@pytest.fixture(scope="module")
def films() -> torch.Tensor:
    return torch.rand(2, 1, 192, 192, generator=torch.Generator().manual_seed(4)) * 4 - 2


def test_the_last_layer_reads_what_both_networks_see(joined: JoinedNetwork, films: torch.Tensor) -> None:
    pooled = Backbone(joined).pooled(joined.forward_features(films))
    assert pooled.shape == (2, 1280 + 2 * (24 + 48 + 96 + 128 + 160))
    reduced = functional.interpolate(films, size=(160, 160), mode="bilinear", antialias=True)
    network = cast(Any, joined.network)
    torch.testing.assert_close(pooled[:, :1280], network.forward_features(reduced).mean((2, 3)))
    first = outline_network().down[0](standardize(films))
    torch.testing.assert_close(pooled[:, 1280:1304], first.mean((2, 3)))
    torch.testing.assert_close(pooled[:, 1304:1328], first.flatten(2).std(2, correction=0))


def test_what_the_outline_network_sees_depends_on_no_brightness_or_contrast(
    joined: JoinedNetwork, films: torch.Tensor
) -> None:
    seen, changed = joined.outline_features(films), joined.outline_features(films * 0.5 + 1)
    torch.testing.assert_close(seen, changed, rtol=0.01, atol=0.01)


def test_films_of_another_size_are_read_too(joined: JoinedNetwork, films: torch.Tensor) -> None:
    larger = functional.interpolate(films, size=(224, 224), mode="bilinear")
    assert joined(larger).shape == (2, 3)


def test_heat_maps_are_those_of_the_timm_network() -> None:
    network = timm.create_model(JOINED_ARCHITECTURE, in_chans=1, num_classes=3).eval()
    backbone = Backbone(network, stages=True)
    assert backbone.stages[-2:] == ("network.blocks.4", "network.blocks.6")
    film = torch.rand(1, 1, 192, 192, generator=torch.Generator().manual_seed(5))
    ((maps, gradients),) = backbone.gradients(film, lambda last: backbone.head(last)[0], ["network.blocks.4"])
    assert maps.shape == (112, 10, 10) and gradients.shape == (3, 112, 10, 10)
    assert gradients.isfinite().all() and gradients.abs().sum() > 0
