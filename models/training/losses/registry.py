"""Builds losses by their names in recipes, with the counts of the training films."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from torch import Tensor

from models.training.losses.asymmetric import Asymmetric
from models.training.losses.bce import Bce
from models.training.losses.distribution_balanced import DistributionBalanced
from models.training.losses.focal import Focal
from models.training.losses.ldam import Ldam
from models.training.losses.result_weighted import ResultWeighted
from models.training.losses.robust_asymmetric import RobustAsymmetric
from models.training.losses.weighted_asymmetric import WeightedAsymmetric
from models.training.losses.weighted_bce import WeightedBce
from models.training.losses.weighted_focal import WeightedFocal
from models.training.nearest_name import unknown_name
from models.training.parameters import Parameter, with_counts


class Loss(Protocol):
    """Maps logits (n, k) and labels (n, k) of 0 and 1 to a differentiable loss per film (n,), summed over findings."""

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...


LOSS_TYPES: dict[str, type[Any]] = {
    "bce": Bce,
    "weighted-bce": WeightedBce,
    "result-weighted": ResultWeighted,
    "focal": Focal,
    "weighted-focal": WeightedFocal,
    "asymmetric": Asymmetric,
    "weighted-asymmetric": WeightedAsymmetric,
    "robust-asymmetric": RobustAsymmetric,
    "distribution-balanced": DistributionBalanced,
    "ldam": Ldam,
}


def build_loss(name: str, parameters: Mapping[str, Parameter], positives: Sequence[float], films: int) -> Loss:
    """Return the loss `name` with `parameters` in place of its defaults; `positives` (k,) of `films` have each finding.

    A parameter has its field's name, without the underscore that separates `lambda` from Python's keyword.
    Raises ValueError for an unknown loss or parameter, or an unsuitable value or count.
    """
    if name not in LOSS_TYPES:
        raise ValueError(unknown_name("loss", name, LOSS_TYPES))
    kind = LOSS_TYPES[name]
    loss: Loss = kind(**with_counts(f"loss {name!r}", kind, parameters, positives, films))
    return loss
