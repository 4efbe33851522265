"""A common scale for an answer, its threshold and every prompt.

Each prompt shifts the margins of all films: with "no {}", every film may seem closer to the finding than with "{} is
not seen". Margins and scores of different prompts are therefore not comparable. If there are validation films, a film's
place by a prompt is its percentile among their margins by the same prompt. The answer's threshold is converted to a
percentile of the answer's margins and applied to each prompt, which then calls the same share of validation films.
Without validation films the shifts are unknown: places are margins, and every prompt uses the answer's threshold.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from models.array_types import Floating

ScaleUnit = Literal["percentile", "margin"]
MIN_MARGIN, MAX_MARGIN = -2.0, 2.0  # possible range of margins, which are differences of cosines


def percentile_of(margin: float, films: Floating) -> float:
    """Return a margin's percentile among the margins of films (n,), n >= 1, with ties counted half.

    The percentile is interpolated linearly between neighboring films, and toward 0 and 100 at the ends of the possible
    range, so that a larger margin always has a larger percentile.
    """
    values, counts = np.unique(np.asarray(films, dtype=np.float64), return_counts=True)
    middles = 100 * (np.cumsum(counts) - counts / 2) / len(films)
    return float(np.interp(margin, np.r_[MIN_MARGIN, values, MAX_MARGIN], np.r_[0, middles, 100]))


def places_on_scale(
    margins: Floating, threshold: float, films: Floating | None
) -> tuple[ScaleUnit, list[float], float]:
    """Return the unit, places (1 + prompts,) and the threshold's place, all on one scale.

    `margins` (1 + prompts,) are a film's margins, the answer's first; `threshold` is a margin of the answer; `films`
    (n, 1 + prompts) are the validation films' margins, or None.
    """
    if films is None:
        return "margin", [float(margin) for margin in margins], threshold
    places = [percentile_of(float(margin), column) for margin, column in zip(margins, films.T, strict=True)]
    return "percentile", places, percentile_of(threshold, films[:, 0])


def scale_ends(unit: ScaleUnit, places: list[float]) -> tuple[float, float]:
    """Return the scale's ends: 0 and 100 or, for margins, the smallest 1, 2 or 5 times a power of ten that fits."""
    if unit == "percentile":
        return 0.0, 100.0
    largest = max(map(abs, places)) or 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    end = next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= largest)
    return -end, end
