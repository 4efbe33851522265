"""Experts by frequency: networks for common findings, rare findings and all findings answer together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.array_types import Float32
from models.training.network import predict


@dataclass(frozen=True, slots=True)
class FrequencyExperts:
    """The mean logit of the first network, of all findings, and of the second or third, of common or rare ones.

    A finding is common if at least the share `cut` of the training films has it. CXR-LT 2023 T3 (section 3.2.3)
    averages three networks trained on head classes, tail classes and all classes. Each finding is averaged over the
    networks that learned it; the paper prints neither this nor its cut.
    """

    cut: float = 0.02

    def __post_init__(self) -> None:
        if not 0 < self.cut < 1:
            raise ValueError(f"The share that makes a finding common is {self.cut}; it must be between 0 and 1.")

    def __call__(
        self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Mapping[str, float]
    ) -> Float32:
        every, common, rare = (predict(network, pixels, len(findings)) for network in networks)
        is_common = np.array(list(findings.values())) >= self.cut
        mean: Float32 = ((every + np.where(is_common, common, rare)) / 2).astype(np.float32)
        return mean
