"""Builds similarity losses by their names in recipes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from torch import Tensor

from models.training.nearest_name import unknown_name
from models.training.parameters import Parameter, checked_parameters
from models.training.similarity.equal_labels import EqualLabels
from models.training.similarity.shared_labels import SharedLabels


class Similarity(Protocol):
    """Maps unit vectors (n, d) and labels (n, k), NaN where unknown, to a loss per film (n,)."""

    def __call__(self, vectors: Tensor, labels: Tensor) -> Tensor: ...


SIMILARITY_TYPES: dict[str, type[Any]] = {"equal-labels": EqualLabels, "shared-labels": SharedLabels}


def build_similarity(name: str, parameters: Mapping[str, Parameter]) -> Similarity:
    """Return the similarity loss `name` with `parameters` in place of its defaults.

    Raises ValueError for an unknown name or parameter, or an unsuitable value.
    """
    if name not in SIMILARITY_TYPES:
        raise ValueError(unknown_name("similarity", name, SIMILARITY_TYPES))
    made: Similarity = SIMILARITY_TYPES[name](
        **checked_parameters(f"similarity {name!r}", SIMILARITY_TYPES[name], parameters)
    )
    return made
