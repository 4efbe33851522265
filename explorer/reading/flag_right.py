"""How often a flag was right on the test films with the nearest scores, where a model's single scores are known."""

from __future__ import annotations

import numpy as np

from explorer.core.rates import Rate
from explorer.reading.flag_verdict import FEWEST, FlagRight
from explorer.reading.out_of_fold import Scores, out_of_fold
from explorer.reading.shipped_scores import shipped_scores
from models.cards.card import Card

# Of the counts tried (all that score as high, all flagged, the nearest 20, 30, 50 and 100) the one whose verdicts part
# right flags from wrong ones best on the phantom and as well as any on nih-oof: `python -m tests.benchmarks.verdicts`.
NEAREST = 30


def right_near(card: Card, finding: str, score: float) -> FlagRight | None:
    """How many films with scores near `score` have the finding; None where that is not known.

    The films are those of the card's out-of-fold numbers, else those of a shipped cohort that the model was not trained
    on. Raises UnusableModel as `out_of_fold` does.
    """
    kept, point = out_of_fold(card) or shipped_scores(card), card.operating_points.get(finding)
    having = kept.having.get(finding) if kept else None
    if kept is None or point is None or having is None:
        return None
    return counted_near(kept.every[finding], having, point.threshold, score)


def counted_near(every: Scores, having: Scores, threshold: float, score: float) -> FlagRight:
    """The NEAREST films, half of them on either side, and all that score as they do; both arrays ascend.

    Where fewer than FEWEST films reach the threshold, these few are counted instead.
    """
    reached, of_all = int((every >= threshold).sum()), Rate(len(having), len(every))
    if reached < FEWEST:
        return FlagRight(Rate(int((having >= threshold).sum()), reached), "flagged", of_all)
    first = int(np.clip(np.searchsorted(every, score) - NEAREST // 2, 0, max(0, len(every) - NEAREST)))
    low, high = every[first], every[min(first + NEAREST, len(every)) - 1]
    n, hits = (int(((each >= low) & (each <= high)).sum()) for each in (every, having))
    return FlagRight(Rate(hits, n), "with the nearest scores", of_all)
