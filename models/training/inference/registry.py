"""Builds inference methods by their names in recipes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.training.inference.class_wise import ClassWiseEnsemble
from models.training.inference.frequency_experts import FrequencyExperts
from models.training.inference.logit_adjustment import LogitAdjustment
from models.training.inference.mean import MeanEnsemble
from models.training.inference.mirror import MirrorAveraging
from models.training.inference.normal_gating import NormalGating
from models.training.inference.projection_router import ProjectionRouter
from models.training.inference.ten_crops import TenCrops
from models.training.inference.turns import TurnAveraging
from models.training.inference.two_stage import TwoStage
from models.training.nearest_name import unknown_name
from models.training.parameters import Parameter, checked_parameters


class Inference(Protocol):
    """Returns logits (n, findings) of letterboxed films (n, s, s) from trained networks.

    `findings` maps each finding to its share of the training films on which it is known.
    """

    def __call__(
        self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Mapping[str, float]
    ) -> NDArray[np.float32]: ...


INFERENCE_TYPES: Mapping[str, type[Any]] = {
    "turns": TurnAveraging,
    "mirror": MirrorAveraging,
    "ten-crops": TenCrops,
    "normal-gating": NormalGating,
    "logit-adjustment": LogitAdjustment,
    "mean": MeanEnsemble,
    "two-stage": TwoStage,
    "projection-router": ProjectionRouter,
    "frequency-experts": FrequencyExperts,
    "class-wise": ClassWiseEnsemble,
}
NETWORK_COUNTS: Mapping[str, tuple[int, int]] = {
    "mean": (2, 10),
    "two-stage": (2, 2),
    "projection-router": (3, 9),
    "frequency-experts": (3, 3),
    "class-wise": (2, 10),
}


def build_inference(name: str, parameters: Mapping[str, Parameter], networks: int) -> Inference:
    """Return the inference `name` with `parameters` in place of its defaults, for this number of networks.

    Raises ValueError for an unknown name or parameter, or an unsuitable value or number of networks.
    """
    if name not in INFERENCE_TYPES:
        raise ValueError(unknown_name("inference", name, INFERENCE_TYPES))
    least, most = NETWORK_COUNTS.get(name, (1, 1))
    if not least <= networks <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise ValueError(f"`of` names {networks} recipes, but the inference {name!r} takes {wanted}.")
    made: Inference = INFERENCE_TYPES[name](
        **checked_parameters(f"inference {name!r}", INFERENCE_TYPES[name], parameters)
    )
    if isinstance(made, MeanEnsemble):
        made.check_networks(networks)
    return made
