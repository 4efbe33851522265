"""Detects scores that are probably a mistake: constant, calls instead of scores, or inverted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.core.figures import score_text
from explorer.core.word_lists import quantity
from explorer.metrics.metrics import auroc

MAX_NAMED = 3  # findings in a sentence
MAX_INVERTED_AUROC = 0.35  # correct scores almost never reach an AUROC this low by chance
MIN_IMAGES = 10  # in total, and for an AUROC, of each class


def odd_scores(findings: Sequence[str], labels: Floats, scores: NDArray[np.floating]) -> Iterator[str]:
    """Yield a sentence, without a period, for each kind of odd scores; the scores are not changed.

    Labels (n, findings), NaN unknown, and scores (n, findings).
    """
    present, absent = (labels == 1).sum(axis=0), (labels == 0).sum(axis=0)
    return odd_ranked_scores(findings, scores, present, absent, auroc(labels, scores))


def odd_ranked_scores(
    findings: Sequence[str],
    scores: NDArray[np.floating],
    present: NDArray[np.int64],
    absent: NDArray[np.int64],
    areas: Floats,
) -> Iterator[str]:
    """Yield the same from the numbers of images with and without each finding, and AUROC, all (findings,)."""
    if len(scores) < MIN_IMAGES:
        return
    lowest, highest = scores.min(axis=0), scores.max(axis=0)
    constant = lowest == highest
    calls = (lowest == 0) & (highest == 1)
    calls[calls] = ((scores[:, calls] == 0) | (scores[:, calls] == 1)).all(axis=0)
    if constant.any():
        yield f"every image has the same score of {_named(findings, constant)}: these scores cannot rank images"
    if calls.any():
        yield (
            f"the scores of {_named(findings, calls)} are all 0 or 1, which are calls: AP, AUROC and ECE of calls "
            "say little, and no threshold can be chosen. Give the numbers that the calls were made from"
        )
    inverted = ~constant & (present >= MIN_IMAGES) & (absent >= MIN_IMAGES) & (areas <= MAX_INVERTED_AUROC)
    if inverted.any():
        places: list[int] = sorted(np.flatnonzero(inverted).tolist(), key=lambda place: float(areas[place]))
        shown = ", ".join(
            f"{findings[each]} {score_text(areas[each])} (n+ {present[each]:,})" for each in places[:MAX_NAMED]
        )
        more = f" and {len(places) - MAX_NAMED} more" if len(places) > MAX_NAMED else ""
        yield (
            f"films without the finding score higher, as if scores were upside down: AUROC of {shown}{more}. If a high "
            "number means absent, give 1 - score"
        )


def _named(findings: Sequence[str], chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    names = [name for name, is_chosen in zip(findings, chosen.tolist(), strict=True) if is_chosen]
    if len(names) <= MAX_NAMED:
        return ", ".join(names)
    return f"{quantity(len(names), 'finding')} ({', '.join(names[:MAX_NAMED])}, ...)"
