"""Two stages: one network recognizes normal films; a second, trained on the others, names their findings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.array_types import Float32
from models.training.inference.normal_gating import NORMAL_FINDING, gate_scores
from models.training.network import predict


@dataclass(frozen=True, slots=True)
class TwoStage:
    """A finding's score is p * (1 - q), with q the first network's Normal and p the second's. Normal is the first's.

    As in 2026 Task 1 F; multiplying the two is Tailscope's idea. Support Devices come from the second network only.
    """

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        place = list(findings).index(NORMAL_FINDING)
        normal = predict(networks[0], pixels, len(findings))[:, place]
        logits = predict(networks[1], pixels, len(findings))
        logits[:, place] = normal
        return gate_scores(logits, normal, findings)
