"""The network that is trained: a timm backbone with its initial weights, and a head for findings and traits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.classifier.mask_head import MaskHead, feature_maps
from models.training.backbone import (
    backbone_shape,
    build_backbone,
    classifier_layers,
    last_stages,
    spatial_map,
)
from models.training.expert_layer import ExpertLayer, add_experts, balance_loss
from models.training.feature_pyramid import FeaturePyramidNetwork
from models.training.film_groups import FilmGroups, GroupBatch, place_films
from models.training.films import TrainingFilms
from models.training.heads.head import INITIAL_SCALE, Head, prevalence_log_odds
from models.training.heads.output import HeadOutput
from models.training.heads.projection import ContrastiveProjection
from models.training.heads.registry import build_head
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.saved_network import OWN_HEAD, SECOND_HEAD, TIMM_NETWORK
from models.training.start import fit_start

LINEAR_HEAD = RecipePart("linear")
BALANCE_WEIGHT = 0.01  # of the load loss of expert layers (Fedus et al., Switch Transformers, JMLR 2022, section 2.2)


class HeadedNetwork(nn.Module):
    """A timm backbone with a head for findings, plus a linear layer for traits on the mean over places."""

    def __init__(self, body: nn.Module, head: Head) -> None:
        """`body` gives only the traits; `head` reads its last feature map."""
        super().__init__()
        self.body, self.head = body, head

    def outputs(self, inputs: Tensor) -> HeadOutput:
        """Return logits (n, findings + traits) of inputs (n, 1, h, w), and the head's own loss."""
        body = cast(Any, self.body)  # timm's interface is a convention, not a type
        features: Tensor = body.forward_features(inputs)
        answer = self.head(spatial_map(self.body, features))
        return answer._replace(logits=torch.cat([answer.logits, body.forward_head(features)], 1))

    def read_studies(self, inputs: Tensor, present: Tensor, lateral: Tensor) -> HeadOutput:
        """Return `outputs` for studies of films (n, v, h, w), with the mean trait logits of a study's films.

        `present` (n, v) marks the films that exist, `lateral` (n, v) those that are lateral.
        """
        body = cast(Any, self.body)
        films = inputs.flatten(0, 1)[present.flatten()][:, None].contiguous(memory_format=torch.channels_last)
        features: Tensor = body.forward_features(films)
        maps = place_films(spatial_map(self.body, features), present)
        answer = self.head.read_studies(maps, present, lateral)
        traits = place_films(body.forward_head(features), present).sum(1) / present.sum(1)[:, None]
        return answer._replace(logits=torch.cat([answer.logits, traits], 1))

    def forward(self, inputs: Tensor) -> Tensor:
        """Return logits (n, findings + traits)."""
        return self.outputs(inputs).logits


class MultitaskNetwork(nn.Module):
    """A timm network for findings and traits that also learns an auxiliary task."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def outputs(self, inputs: Tensor) -> HeadOutput:
        """Return logits (n, findings + traits) of inputs (n, 1, h, w), and the auxiliary output."""
        raise NotImplementedError

    def forward(self, inputs: Tensor) -> Tensor:
        """Return logits (n, findings + traits)."""
        logits: Tensor = self.body(inputs)
        return logits


class NetworkWithMasks(MultitaskNetwork):
    """A timm network whose last feature maps, with those of twice their resolution, also localize each finding."""

    def __init__(self, body: nn.Module, channels: int, findings: int) -> None:
        """`channels` are those of the last feature map. Raises ValueError if no map has twice its resolution."""
        super().__init__(body)
        self.masks = MaskHead.of(body, findings, coarse=channels)

    def outputs(self, inputs: Tensor) -> HeadOutput:
        """Return logits (n, findings + traits) of inputs (n, 1, h, w) and mask log odds (n, findings, h/16, w/16)."""
        fine, last = feature_maps(self.body, inputs)
        logits: Tensor = cast(Any, self.body).forward_head(last)
        return HeadOutput(logits, logits.new_zeros(()), self.masks(fine, spatial_map(self.body, last)))


class NetworkWithProjection(MultitaskNetwork):
    """A timm network that also projects its features onto a sphere, where films of one class attract each other."""

    def __init__(self, body: nn.Module, channels: int) -> None:
        """`channels` are those of the last feature map."""
        super().__init__(body)
        self.projection = ContrastiveProjection(channels)

    def outputs(self, inputs: Tensor) -> HeadOutput:
        """Return logits (n, findings + traits) of inputs (n, 1, h, w) and unit vectors (n, width)."""
        body = cast(Any, self.body)
        features: Tensor = body.forward_features(inputs)
        logits: Tensor = body.forward_head(features)
        vectors = self.projection(spatial_map(self.body, features))
        return HeadOutput(logits, logits.new_zeros(()), vectors=vectors)


NetworkWithOutputs = HeadedNetwork | MultitaskNetwork | FeaturePyramidNetwork  # every network here except timm's own


class SeenLabels(NamedTuple):
    """What heads may learn of the findings before training: their `names` (k,) and training `labels` (n, k)."""

    names: Sequence[str]
    labels: NDArray[np.float32]


def started_backbone(recipe: TrainingRecipe, outputs: int, state: dict[str, Tensor]) -> nn.Module:
    """Return a one-channel `recipe.architecture` with the tensors of `state` (models/training/start.py), and a new
    classifier.

    An empty state leaves all weights random. Raises ValueError if the architecture cannot read films of this size, or
    the state is not one of it.
    """
    model = build_backbone(
        recipe.architecture, recipe.size, outputs, dropout=recipe.dropout, drop_path=recipe.drop_path
    )
    if state:
        fit_start(model, recipe.architecture, state)
    if recipe.expert_layers:
        add_experts(model, recipe.expert_layers, recipe.experts)
    return model.to(memory_format=torch.channels_last)


def new_network(
    recipe: TrainingRecipe,
    head: RecipePart,
    prevalence: NDArray[np.float32],
    traits: int,
    state: dict[str, Tensor],
    seen: SeenLabels | None = None,
) -> nn.Module:
    """Return a new network whose outputs are the findings, starting at their `prevalence` (k,), and then the traits.

    With a linear head it is timm's own network, so that its weights can be shipped unchanged; with masks, such a
    network is its body. `seen` is what the head learns of the labels, if anything. Raises ValueError for an unknown
    head, or one that does not support masks.
    """
    findings = len(prevalence)
    if recipe.pyramid_levels:
        if head != LINEAR_HEAD or recipe.mask_weight or recipe.contrastive_weight:
            raise ValueError("A feature pyramid has linear classifiers alone. Remove the head, masks and similarity.")
        body = started_backbone(recipe, traits, state)
        pyramid = FeaturePyramidNetwork(body, findings, recipe.dropout, recipe.pyramid_levels)
        pyramid.start_at(prevalence)
        return pyramid
    channels = backbone_shape(recipe.architecture, recipe.size).channels
    if head == LINEAR_HEAD:
        model = started_backbone(recipe, findings + traits, state)
        start_at_prevalence(model, prevalence)
        if recipe.mask_weight and recipe.contrastive_weight:
            raise ValueError(
                "A network learns masks or similarity, not both. Remove mask_weight or contrastive_weight."
            )
        if recipe.contrastive_weight:
            return NetworkWithProjection(model, channels)
        return NetworkWithMasks(model, channels, findings) if recipe.mask_weight else model
    if recipe.mask_weight or recipe.contrastive_weight:
        raise ValueError(
            f"The head {head.name} supports neither masks nor projection. Remove their weight or the head."
        )
    body = started_backbone(recipe, traits, state)
    with_head = HeadedNetwork(body, build_head(head.name, head.parameters, channels, findings, recipe.dropout))
    if seen is not None:
        with_head.head.see_labels(*seen)
    with_head.head.start_at(prevalence)
    return with_head


def restart_head(network: nn.Module, prevalence: NDArray[np.float32]) -> None:
    """Reset the head and keep the backbone. Its linear layer is drawn anew from torch's seed.

    Raises ValueError for a head that is not linear.
    """
    if isinstance(network, HeadedNetwork | FeaturePyramidNetwork):
        raise ValueError("Only a linear head can be restarted on trained features. Choose the linear head.")
    body = timm_network(network)
    for layer in classifier_layers(body):
        layer.reset_parameters()
    start_at_prevalence(body, prevalence)


def timm_network(network: nn.Module) -> nn.Module:
    """Return the network of timm in one of the networks here."""
    return network.body if isinstance(network, NetworkWithOutputs) else network


def network_kind(network: nn.Module) -> str:
    """Return the kind of a network, for `save_network`."""
    has_experts = any(isinstance(module, ExpertLayer) for module in timm_network(network).modules())
    if has_experts or isinstance(network, HeadedNetwork | FeaturePyramidNetwork):
        return OWN_HEAD
    return SECOND_HEAD if isinstance(network, MultitaskNetwork) else TIMM_NETWORK


def trained_parameters(network: nn.Module, trains: str) -> list[nn.Parameter]:
    """Return the parameters that a stage with this `trains` changes: all, the head's, or also the last stages'.

    The head includes the outputs for traits, and a second head. Raises ValueError if there are fewer stages.
    """
    if trains == "all":
        return list(network.parameters())
    body = timm_network(network)
    if trains == "head":
        inside = [each for layer in classifier_layers(body) for each in layer.parameters()]
    else:
        named = dict(body.named_parameters())
        inside = [named[name] for name in last_stages(body, int(trains.removeprefix("last ")))]
    if body is network:
        return inside
    own = {id(each) for each in body.parameters()}
    return [*(each for each in network.parameters() if id(each) not in own), *inside]


def _own_outputs(network: nn.Module, inputs: Tensor) -> HeadOutput:
    if isinstance(network, NetworkWithOutputs):
        return network.outputs(inputs)
    logits: Tensor = network(inputs)
    return HeadOutput(logits, logits.new_zeros(()))


def network_outputs(network: nn.Module, inputs: Tensor) -> HeadOutput:
    """Return logits (n, findings + traits) of inputs (n, 1, h, w), and the losses of the head and of expert layers."""
    return _with_balance(network, _own_outputs(network, inputs))


def study_outputs(network: nn.Module, inputs: Tensor, present: Tensor, lateral: Tensor) -> HeadOutput:
    """Return the output of `network_outputs` for studies; see `HeadedNetwork.read_studies`."""
    return _with_balance(network, cast(Any, network).read_studies(inputs, present, lateral))


def _with_balance(network: nn.Module, found: HeadOutput) -> HeadOutput:
    return found._replace(auxiliary=found.auxiliary + BALANCE_WEIGHT * balance_loss(timm_network(network)))


@torch.inference_mode()
def predict(model: nn.Module, pixels: NDArray[np.uint8], findings: int, batch: int = 32) -> NDArray[np.float32]:
    """Return logits (n, findings) of letterboxed films (n, size, size), computed where the network is, with 32 bits."""
    parts, device = [], network_device(model)
    for start in range(0, len(pixels), batch):
        films = torch.from_numpy(pixels[start : start + batch]).float().div(255)[:, None]
        inputs = normalize(films).to(device, memory_format=torch.channels_last)
        parts.append(model(inputs)[:, :findings].cpu())
    return torch.cat(parts).numpy()


@torch.inference_mode()
def predict_studies(
    model: nn.Module, films: TrainingFilms, groups: FilmGroups, findings: int, batch: int = 32
) -> NDArray[np.float32]:
    """Return logits (m, findings) of groups of films, each read as a study; like `predict` otherwise.

    `model` has `read_studies`, like `HeadedNetwork`.
    """
    parts, device = [], network_device(model)
    for start in range(0, len(groups), batch):
        shown = GroupBatch.of(films, groups.members[start : start + batch])
        inputs = normalize(place_films(torch.from_numpy(films.pixels[shown.rows]), shown.present).float().div(255))
        sent = (each.to(device) for each in (inputs, shown.present, shown.lateral))
        parts.append(cast(Any, model).read_studies(*sent).logits[:, :findings].cpu())
    return torch.cat(parts).numpy()


def network_device(model: nn.Module) -> torch.device:
    """Return the device that a network is on; a module without parameters is on the processor."""
    return next((each.device for each in model.parameters()), torch.device("cpu"))


def normalize(films: Tensor) -> Tensor:
    """Normalize films in [0, 1] with the registry's mean and standard deviation."""
    return (films - 0.5) / 0.25


@torch.no_grad()
def start_at_prevalence(body: nn.Module, prevalence: NDArray[np.float32]) -> None:
    """Start the classifier at each finding's log odds, so that the first epochs are not spent on learning them."""
    for layer in classifier_layers(body):
        layer.weight.mul_(INITIAL_SCALE)
        bias = cast(Tensor, layer.bias)
        bias.zero_()
        bias[: len(prevalence)] = prevalence_log_odds(prevalence)
