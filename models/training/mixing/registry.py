"""Builds ways of mixing by their names in recipes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.training.mixing.cutmix import CutMix
from models.training.mixing.mix import Mixing
from models.training.mixing.mixup import Mixup
from models.training.mixing.mosaic import Mosaic
from models.training.nearest_name import unknown_name
from models.training.parameters import Parameter, checked_parameters

MIXING_TYPES: dict[str, type[Any]] = {"mixup": Mixup, "cutmix": CutMix, "mosaic": Mosaic}


def build_mixing(name: str, parameters: Mapping[str, Parameter]) -> Mixing:
    """Return the mixing `name` with `parameters` in place of its defaults.

    Raises ValueError for an unknown name or parameter, or an unsuitable value.
    """
    if name not in MIXING_TYPES:
        raise ValueError(unknown_name("mixing", name, MIXING_TYPES))
    made: Mixing = MIXING_TYPES[name](**checked_parameters(f"mixing {name!r}", MIXING_TYPES[name], parameters))
    return made
