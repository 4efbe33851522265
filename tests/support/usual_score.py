"""How far a score lies above what is usual for its finding, told once more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np


def above_usual(score: Any, among: Sequence[Any], labels: Sequence[str]) -> float:  # noqa: ANN401 - of a row
    """How far its place among all films' lies above the place that as many films reach as have the finding."""
    scores, mine = np.array(among, np.float32), np.float32(score)
    place = (int((scores < mine).sum()) + int((scores <= mine).sum())) / 2 / len(scores)
    known = labels.count("present") + labels.count("absent")
    usual = 1 - labels.count("present") / known if known else 0.5
    usual = min(max(usual, 0.5 / len(scores)), 1 - 0.5 / len(scores))
    return math.log(place / (1 - place)) - math.log(usual / (1 - usual))
