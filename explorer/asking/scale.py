"""From a margin to a score: the pair softmax with the model's own logit scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.calibration_curves import sigmoid


def score_of(margin: ArrayLike, scale: float) -> NDArray[np.float64]:
    """sigmoid(scale * margin): 0.5 where image and text are as near to the positive prompts as to the negative."""
    return sigmoid(scale * np.asarray(margin, dtype=np.float64))
