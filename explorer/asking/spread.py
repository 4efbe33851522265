"""How far the answer depends on how the question is put: every prompt alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.asking.answer import PromptScore, Spread
from explorer.asking.prompts import Prompts
from explorer.metrics.calibration_curves import sigmoid
from explorer.reading.percentiles import places

Floats = NDArray[np.floating]
# Of the prompts alone, this part on the other side of the threshold than the answer makes the answer unstable: that is
# said of 18 % of nih-mini-vlm's validation films (7 to 36 %, by text: the 90 words for findings whose AUROC is above
# chance). There the mean of sensitivity and specificity is 0.60, elsewhere 0.70. One prompt alone would say it of 45 %.
AGAINST = 0.25


def spread_of(prompts: Prompts, margins: Floats, scale: float, threshold: float, films: Floats | None) -> Spread:
    """The spread of a film's margins (1 + prompts,), the answer's own first, beside those of the validation films.

    `films` (n, 1 + prompts) are in the same order; None where there are none. A prompt has an offset of its own for all
    films, so it is asked where among the validation films it puts this one, and where the threshold lies by that.
    """
    scores = score_of(margins[1:], scale)
    places = None if films is None else np.array([place_of(*pair) for pair in zip(margins, films.T, strict=True)])
    above = margins >= threshold if places is None or films is None else places >= place_of(threshold, films[:, 0])
    against = int((above[1:] != above[0]).sum())
    each = tuple(
        PromptScore(
            pair.positive[0],
            pair.negative[0],
            float(scores[number]),
            None if places is None else float(places[number + 1]),
            number >= prompts.templates,
        )
        for number, pair in enumerate(prompts.alone)
    )
    low, median, high = (float(value) for value in np.quantile(scores, (0, 0.5, 1)))
    return Spread(
        low,
        median,
        high,
        None if places is None else (float(places[1:].min()), float(places[1:].max())),
        against >= AGAINST * len(each),
        f"{against} of {len(each)} prompts put the film on the other side of the threshold.",
        each,
    )


def score_of(margin: Floats | float, scale: float) -> NDArray[np.float64]:
    """The pair softmax, sigmoid(scale * margin): 0.5 where the film is as near to prompts with as to those without."""
    return sigmoid(scale * np.asarray(margin, dtype=np.float64))


def place_of(value: float, among: Floats) -> float:
    """The percentile of a value: % of the others that are lower, equal ones counted half."""
    return float(places(np.asarray(value), np.sort(among)))
