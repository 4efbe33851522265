"""Heat maps from activations and gradients: three methods are computed here, the others by the grad-cam package."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.cards.heat_method import Cam
from models.classifier.backbone import weighted_maps


def heat_maps(cam: Cam, activations: Tensor, gradients: Tensor) -> Tensor:
    """Return maps (k, h, w), 0 or more, from activations (c, h, w) and gradients (k, c, h, w) of k outputs.

    Maps are not rescaled. GradCAM (Selvaraju et al., ICCV 2017) and HiResCAM (Draelos and Carin, 2020) are in units of
    the output; LayerCAM (Jiang et al., IEEE TIP 2021) and the others only rank positions within one map. Raises
    ValueError for a method that needs other input.
    """
    if cam == "GradCAM":
        return weighted_maps(activations, gradients)
    if cam == "HiResCAM":
        return (gradients * activations).sum(1).relu()
    if cam == "LayerCAM":
        return (gradients.relu() * activations).sum(1).relu()
    if cam in ("Occlusion", "AttentionRollout", "AttentionRelevance", "MaskHead"):
        raise ValueError(f"{cam} is not computed from activations and gradients.")
    return _package_maps(cam, activations, gradients)


def fused_maps(cam: Cam, stages: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
    """Return maps (k, h, w) that are the geometric mean of the maps of several stages.

    Coarser maps are resized to the finest grid, with bilinear interpolation between cell centers.
    """
    maps = [heat_maps(cam, activations, gradients) for activations, gradients in stages]
    size = max(tuple(each.shape[1:]) for each in maps)
    finest = [functional.interpolate(each[None], size, mode="bilinear", align_corners=False)[0] for each in maps]
    return torch.stack(finest).prod(0) ** (1 / len(maps))


def _package_maps(cam: Cam, activations: Tensor, gradients: Tensor) -> Tensor:
    """Apply the package's formula without the package's hooks, resizing or rescaling."""
    import pytorch_grad_cam  # takes 9 s, so only users of these methods wait for it

    film = np.asarray(activations.cpu())[None]
    maps = []
    with getattr(pytorch_grad_cam, cam)(nn.Conv2d(1, 1, 1), []) as method:
        for gradient in np.asarray(gradients.cpu())[:, None]:
            maps.append(method.get_cam_image(None, None, None, film, gradient, False)[0])  # no eigen smoothing
    return torch.from_numpy(np.maximum(np.stack(maps), 0).astype(np.float32))
