"""The one scale on which an answer, its threshold and every prompt are compared.

A prompt has an offset of its own for all films: by "no {}" every film may lie nearer to the finding than by "{} is not
seen". So margins and scores of different prompts are not compared. Where there are validation films, a film's place by
a prompt is its percentile among their margins by the same prompt. The threshold of the answer, a margin, has a
percentile by the answer's own margins, and the threshold of each prompt is the margin at that same percentile by the
prompt's own margins: it calls the same share of the validation films. Without validation films nobody knows the
offsets: all places are margins, and every prompt is held against the threshold of the answer.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from models.array_types import Floating

Unit = Literal["percentile", "margin"]
LEAST, MOST = -2.0, 2.0  # of all margins: they are differences of cosines


def percentile_of(margin: float, films: Floating) -> float:
    """The percentile of a margin among those of films (n,), one or more: % of them lower, equal ones counted half.

    Between two neighboring films it rises in a straight line, as it does from 0 at the least margin there can be and to
    100 at the largest: of two margins the larger has the larger percentile, even where no film lies between them.
    """
    values, counts = np.unique(np.asarray(films, dtype=np.float64), return_counts=True)
    middles = 100 * (np.cumsum(counts) - counts / 2) / len(films)
    return float(np.interp(margin, np.r_[LEAST, values, MOST], np.r_[0, middles, 100]))


def places_of(margins: Floating, threshold: float, films: Floating | None) -> tuple[Unit, list[float], float]:
    """Unit, places (1 + prompts,) and the place of the threshold, all on one scale.

    `margins` (1 + prompts,) are a film's, the answer's own first; `threshold` is a margin of the answer; `films`
    (n, 1 + prompts) are the margins of the validation films, None where there are none.
    """
    if films is None:
        return "margin", [float(margin) for margin in margins], threshold
    places = [percentile_of(float(margin), column) for margin, column in zip(margins, films.T, strict=True)]
    return "percentile", places, percentile_of(threshold, films[:, 0])


def ends_of(unit: Unit, places: list[float]) -> tuple[float, float]:
    """The ends of the scale: 0 and 100; of margins the least of 1, 2 and 5 times a power of ten that holds all."""
    if unit == "percentile":
        return 0.0, 100.0
    largest = max(map(abs, places)) or 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    end = next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= largest)
    return -end, end
