"""The network that is trained: a timm backbone with ImageNet weights, its head, and what both make of films."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import timm
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.classifier.mask_head import MaskHead, feature_maps
from models.training.heads.head import SMALL, Head, log_odds
from models.training.heads.output import HeadOutput
from models.training.heads.projection import ContrastiveProjection
from models.training.heads.registry import head_of
from models.training.recipe import Part, Recipe

LINEAR = Part("linear")


class HeadedNetwork(nn.Module):
    """A timm backbone with a head of findings; beside it a linear layer of traits on the mean over places."""

    def __init__(self, body: nn.Module, head: Head) -> None:
        """`body` answers traits alone, `head` reads its last feature map."""
        super().__init__()
        self.body, self.head = body, head

    def outputs(self, inputs: Tensor) -> HeadOutput:
        """Logits (n, findings + traits) of inputs (n, 1, h, w), and the head's own loss."""
        body = cast(Any, self.body)  # timm's interface is by convention, not by type
        maps: Tensor = body.forward_features(inputs)
        said = self.head(maps)
        return HeadOutput(torch.cat([said.logits, body.forward_head(maps)], 1), said.auxiliary)

    def forward(self, inputs: Tensor) -> Tensor:
        """Logits (n, findings + traits)."""
        return self.outputs(inputs).logits


class NetworkAndMore(nn.Module):
    """A timm network that answers findings and traits by itself, and learns something beside them."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def outputs(self, inputs: Tensor) -> HeadOutput:
        """Logits (n, findings + traits) of inputs (n, 1, h, w), and what is said beside them."""
        raise NotImplementedError

    def forward(self, inputs: Tensor) -> Tensor:
        """Logits (n, findings + traits)."""
        logits: Tensor = self.body(inputs)
        return logits


class NetworkWithMasks(NetworkAndMore):
    """A timm network whose last maps, and those of twice their resolution, also say where each finding lies."""

    def __init__(self, body: nn.Module, findings: int) -> None:
        super().__init__(body)
        self.masks = MaskHead.of(body, findings)

    def outputs(self, inputs: Tensor) -> HeadOutput:
        """Logits (n, findings + traits) of inputs (n, 1, h, w); log odds of masks (n, findings, h / 16, w / 16)."""
        fine, last = feature_maps(self.body, inputs)
        logits: Tensor = cast(Any, self.body).forward_head(last)
        return HeadOutput(logits, logits.new_zeros(()), self.masks(fine, last))


class NetworkWithProjection(NetworkAndMore):
    """A timm network whose features are also projected to a sphere, on which films of one class are drawn together."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__(body)
        self.projection = ContrastiveProjection(int(cast(Any, body).head_hidden_size))

    def outputs(self, inputs: Tensor) -> HeadOutput:
        """Logits (n, findings + traits) of inputs (n, 1, h, w); unit vectors (n, width)."""
        body = cast(Any, self.body)
        maps: Tensor = body.forward_features(inputs)
        logits: Tensor = body.forward_head(maps)
        return HeadOutput(logits, logits.new_zeros(()), vectors=self.projection(maps))


WithOutputs = HeadedNetwork | NetworkAndMore  # more than timm's own network


def imagenet_model(recipe: Recipe, outputs: int, state: dict[str, Tensor]) -> nn.Module:
    """A one-channel `recipe.architecture` carrying ImageNet weights, its classifier fresh.

    `state` lists the published tensors in the order of timm's own state dict; the stem's color filters are summed.
    """
    model = timm.create_model(
        recipe.architecture, in_chans=1, num_classes=outputs, drop_rate=recipe.dropout, drop_path_rate=recipe.drop_path
    )
    own = model.state_dict()
    for (name, target), source in zip(own.items(), state.values(), strict=True):
        if name.startswith("classifier"):
            continue
        own[name] = source.sum(1, keepdim=True) if source.shape != target.shape else source
    model.load_state_dict(own)
    return model.to(memory_format=torch.channels_last)


def network_of(
    recipe: Recipe, head: Part, prevalence: NDArray[np.float32], traits: int, state: dict[str, Tensor]
) -> nn.Module:
    """A fresh network whose outputs are the findings, as common as `prevalence` (k,) says, followed by the traits.

    With a linear head it is timm's own network, so that its weights are a classifier as they are; with masks it has
    such a network for its body. Raises ValueError for a head that there is not, or that has no masks.
    """
    findings = len(prevalence)
    if head == LINEAR:
        model = imagenet_model(recipe, findings + traits, state)
        start_at_prevalence(cast(nn.Linear, cast(Any, model).get_classifier()), prevalence)
        if recipe.mask_weight and recipe.contrastive_weight:
            raise ValueError("A network learns masks or likeness. Take mask_weight or contrastive_weight out.")
        if recipe.contrastive_weight:
            return NetworkWithProjection(model)
        return NetworkWithMasks(model, findings) if recipe.mask_weight else model
    if recipe.mask_weight or recipe.contrastive_weight:
        raise ValueError(f"The head {head.name} has no masks and no projection. Take their weight or the head out.")
    body = imagenet_model(recipe, traits, state)
    channels = int(cast(Any, body).head_hidden_size)
    with_head = HeadedNetwork(body, head_of(head.name, head.parameters, channels, findings, recipe.dropout))
    with_head.head.start_at(prevalence)
    return with_head


def restart_head(network: nn.Module, prevalence: NDArray[np.float32]) -> None:
    """Forget what the head has learned; the backbone stays. Its linear layer is drawn anew from torch's seed."""
    if isinstance(network, WithOutputs):
        raise ValueError("Only a linear head is trained again on the features below it. Choose the linear head.")
    classifier = cast(nn.Linear, cast(Any, network).get_classifier())
    classifier.reset_parameters()
    start_at_prevalence(classifier, prevalence)


def head_parameters(network: nn.Module) -> list[nn.Parameter]:
    """The parameters of the head, of traits among them where it has them."""
    head = network.head if isinstance(network, HeadedNetwork) else cast(Any, network).get_classifier()
    return list(head.parameters())


def outputs_of(network: nn.Module, inputs: Tensor) -> HeadOutput:
    """Logits (n, findings + traits) of inputs (n, 1, h, w), and the head's own loss."""
    if isinstance(network, WithOutputs):
        return network.outputs(inputs)
    logits: Tensor = network(inputs)
    return HeadOutput(logits, torch.zeros(()))


@torch.inference_mode()
def predict(model: nn.Module, pixels: NDArray[np.uint8], findings: int, batch: int = 32) -> NDArray[np.float32]:
    """Logits (n, findings) of letterboxed films (n, size, size)."""
    parts = []
    for start in range(0, len(pixels), batch):
        films = torch.from_numpy(pixels[start : start + batch]).float().div(255)[:, None]
        parts.append(model(normalize(films).contiguous(memory_format=torch.channels_last))[:, :findings])
    return torch.cat(parts).numpy()


def normalize(films: Tensor) -> Tensor:
    """Films in [0, 1] as the model reads them; the registry's mean and standard deviation."""
    return (films - 0.5) / 0.25


@torch.no_grad()
def start_at_prevalence(classifier: nn.Linear, prevalence: NDArray[np.float32]) -> None:
    """Let the classifier begin at the log odds of each finding: the first epochs are not spent on finding them."""
    classifier.weight.mul_(SMALL)
    classifier.bias.zero_()
    classifier.bias[: len(prevalence)] = log_odds(prevalence)
