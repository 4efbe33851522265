"""Films with equal labels attract each other."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from models.training.heads.projection import supervised_contrastive


@dataclass(frozen=True, slots=True)
class EqualLabels:
    """Supervised contrastive loss (Khosla et al., NeurIPS 2020, eq. 2); films with equal labels share a class."""

    temperature: float = 0.1

    def __call__(self, vectors: Tensor, labels: Tensor) -> Tensor:
        return supervised_contrastive(vectors, label_classes(labels), self.temperature)


def label_classes(labels: Tensor) -> Tensor:
    """Return the class (n,) of films by their labels (n, findings): films with equal labels share a class."""
    classes: Tensor = torch.unique(labels.nan_to_num(-1.0), dim=0, return_inverse=True)[1]
    return classes
