"""A loss by its name in a recipe, with that recipe's parameters and the counts of its films."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Protocol

from torch import Tensor

from models.training.losses.asymmetric import Asymmetric
from models.training.losses.bce import Bce
from models.training.losses.distribution_balanced import DistributionBalanced
from models.training.losses.focal import Focal
from models.training.losses.ldam import Ldam
from models.training.losses.robust_asymmetric import RobustAsymmetric
from models.training.losses.weighted_bce import WeightedBce
from models.training.parameters import Parameter, fields_of


class Loss(Protocol):
    """Logits (n, k) and labels (n, k) of 0 and 1 to a loss per film (n,), summed over findings, differentiable."""

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...


LOSSES: dict[str, type[Any]] = {
    "bce": Bce,
    "weighted-bce": WeightedBce,
    "focal": Focal,
    "asymmetric": Asymmetric,
    "robust-asymmetric": RobustAsymmetric,
    "distribution-balanced": DistributionBalanced,
    "ldam": Ldam,
}


def loss_of(name: str, parameters: Mapping[str, Parameter], positives: Sequence[float], films: int) -> Loss:
    """The loss `name` with `parameters` in place of its defaults; `positives` (k,) of `films` have each finding.

    A parameter is named as its field, without the underscore that keeps `lambda` apart from Python's own.

    Raises ValueError where there is no such loss or parameter, or where a value or a count does not suit it.
    """
    if name not in LOSSES:
        raise ValueError(f"There is no loss {name!r}. Choose one of {', '.join(LOSSES)}.")
    kind = LOSSES[name]
    counts = {"positives": tuple(map(float, positives)), "films": int(films)}
    names = {field.name for field in fields(kind)}
    chosen = {key: value for key, value in counts.items() if key in names} | fields_of(
        f"loss {name!r}", kind, parameters
    )
    loss: Loss = kind(**chosen)
    return loss
