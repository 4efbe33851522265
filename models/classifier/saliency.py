"""Other heat maps than Grad-CAM, from the grad-cam package, raw: never stretched, on a copy, hooks released.

The package hooks the model it explains and is not safe across threads, so it is given a copy of its own each time.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.classifier.backbone import Backbone
from models.classifier.classifier import Classifier
from models.radiograph import Radiograph

if TYPE_CHECKING:
    from pytorch_grad_cam.base_cam import BaseCAM

METHODS = (
    "GradCAM",
    "GradCAMElementWise",
    "GradCAMPlusPlus",
    "HiResCAM",
    "LayerCAM",
    "XGradCAM",
    "EigenCAM",
    "EigenGradCAM",
)


def saliency(classifier: Classifier, radiograph: Radiograph, finding: str, method: str) -> NDArray[np.float32]:
    """One finding's heat map (g, g) over the square model input by a `METHODS` name of the grad-cam package.

    Values are what the method gives before any stretching, negative ones cut off at 0. GradCAM and HiResCAM are in
    logit units; the others rank places within one map only. Raises ValueError for an unknown finding or method.
    """
    if method not in METHODS:
        raise ValueError(f"There is no method {method!r}; there are {', '.join(METHODS)}.")
    if finding not in classifier.findings:
        raise ValueError(f"{classifier.card.name} does not look for {finding!r}.")
    import pytorch_grad_cam  # 9 s: only who asks for another method waits for it

    network = _Cut(copy.deepcopy(classifier.backbone))
    cam = getattr(pytorch_grad_cam, method)(network, [network.cut], reshape_transform=network.backbone.spatial)
    try:
        return _raw(cam, network, classifier.inputs([radiograph]), classifier.findings.index(finding))
    finally:
        cam.activations_and_grads.release()


class _Cut(nn.Module):
    """A backbone with a module of its own where it is cut, for hooks: the same place in every architecture."""

    def __init__(self, backbone: Backbone) -> None:
        super().__init__()
        self.backbone = backbone
        self.network = backbone.network  # registered, so that its device and parameters are found
        self.cut = nn.Identity()

    def forward(self, inputs: Tensor) -> Tensor:
        with torch.no_grad():
            maps = self.backbone.maps(inputs)
        return self.backbone.head(self.cut(maps.requires_grad_()))


def _raw(cam: BaseCAM, network: _Cut, inputs: Tensor, output: int) -> NDArray[np.float32]:
    """The package's own steps up to its map, without the resizing and stretching that follow there."""

    def target(logits: Tensor) -> Tensor:
        return logits[output]

    watcher = cam.activations_and_grads
    torch.autograd.backward(target(watcher(inputs)[0]))
    activations, gradients = watcher.activations[0].numpy(), watcher.gradients[0].numpy()
    image = cam.get_cam_image(inputs, network.cut, [target], activations, gradients, False)  # no eigen smoothing
    return np.asarray(np.maximum(image[0], 0), dtype=np.float32)
