"""A loss by its name in a recipe, with that recipe's parameters and the counts of its films."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, Protocol

from torch import Tensor

from models.training.losses.asymmetric import Asymmetric
from models.training.losses.bce import Bce
from models.training.losses.distribution_balanced import DistributionBalanced
from models.training.losses.focal import Focal
from models.training.losses.ldam import Ldam
from models.training.losses.robust_asymmetric import RobustAsymmetric
from models.training.losses.weighted_bce import WeightedBce
from models.training.parameters import is_like


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
KINDS = {float: "a finite number", bool: "true or false", str: "a word"}


def loss_of(name: str, parameters: Mapping[str, float | str | bool], positives: Sequence[float], films: int) -> Loss:
    """The loss `name` with `parameters` in place of its defaults; `positives` (k,) of `films` have each finding.

    A parameter is named as its field, without the underscore that keeps `lambda` apart from Python's own.

    Raises ValueError where there is no such loss or parameter, or where a value or a count does not suit it.
    """
    if name not in LOSSES:
        raise ValueError(f"There is no loss {name!r}. Choose one of {', '.join(LOSSES)}.")
    kind = LOSSES[name]
    counts = {"positives": tuple(map(float, positives)), "films": int(films)}
    names = {field.name for field in fields(kind)}
    chosen = {key: value for key, value in counts.items() if key in names} | _checked(name, kind, parameters)
    loss: Loss = kind(**chosen)
    return loss


def _checked(name: str, kind: type[Any], parameters: Mapping[str, float | str | bool]) -> dict[str, Any]:
    """The parameters by the names of their fields, numbers as floats; refused where one is unknown or ill-typed."""
    known = {field.name.rstrip("_"): field for field in fields(kind) if field.default is not MISSING}
    checked: dict[str, Any] = {}
    for key, value in parameters.items():
        if key not in known:
            others = f"Choose among {', '.join(known)}." if known else "Remove it: this loss has none."
            raise ValueError(f"The loss {name!r} has no parameter {key!r}. {others}")
        wanted = type(known[key].default)
        if not is_like(value, known[key].default) or (wanted is float and not math.isfinite(float(value))):
            raise ValueError(f"The parameter {key!r} of the loss {name!r} is {value!r}. Give {KINDS[wanted]}.")
        checked[known[key].name] = float(value) if wanted is float else value
    return checked
