"""Counts how often a flag was correct on test films with similar scores, if the model's scores are available."""

from __future__ import annotations

import numpy as np

from explorer.core.rates import Rate
from explorer.reading.flag_verdict import MIN_FLAGGED_FILMS, FlagRight
from explorer.reading.out_of_fold import AscendingScores, out_of_fold_scores
from explorer.reading.shipped_scores import shipped_scores
from models.cards.card import Card

# Among the alternatives (all films scoring as high, all flagged, the nearest 20, 30, 50 or 100), 30 separates correct
# from wrong flags best on the phantom and as well as any on nih-oof: `python -m tests.benchmarks.verdicts`.
NEAREST_FILMS = 30


def flag_right_near(card: Card, finding: str, score: float) -> FlagRight | None:
    """Return how many films with scores near `score` have the finding; None if unknown.

    The films are those of the card's out-of-fold scores, else of a shipped cohort that the model was not trained on.
    Raises UnusableModel like `out_of_fold_scores`.
    """
    kept, point = out_of_fold_scores(card) or shipped_scores(card), card.operating_points.get(finding)
    having = kept.having.get(finding) if kept else None
    if kept is None or point is None or having is None:
        return None
    return count_near(kept.every[finding], having, point.threshold, score)


def count_near(every: AscendingScores, having: AscendingScores, threshold: float, score: float) -> FlagRight:
    """Count the films with the nearest scores, half on each side, including ties; both arrays are ascending.

    If too few films reach the threshold, only those films are counted.
    """
    reached, of_all = int((every >= threshold).sum()), Rate(len(having), len(every))
    if reached < MIN_FLAGGED_FILMS:
        return FlagRight(Rate(int((having >= threshold).sum()), reached), "flagged", of_all)
    first = int(np.clip(np.searchsorted(every, score) - NEAREST_FILMS // 2, 0, max(0, len(every) - NEAREST_FILMS)))
    low, high = every[first], every[min(first + NEAREST_FILMS, len(every)) - 1]
    n, hits = (int(((each >= low) & (each <= high)).sum()) for each in (every, having))
    return FlagRight(Rate(hits, n), "with the nearest scores", of_all)
