"""What scores look like that hardly anybody means: the same for every film, calls instead of scores, upside down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.core.arrays import Floats
from explorer.core.figures import score_text
from explorer.core.word_lists import quantity
from explorer.metrics.metrics import auroc

SHOWN = 3  # findings in a sentence
INVERTED = 0.35  # AUROC, at most: of scores that are right way up next to none is so low by chance
ENOUGH = 10  # images, and of an AUROC those with the finding and those without it, at least


def odd_scores(findings: Sequence[str], labels: Floats, scores: Floats, areas: Floats | None = None) -> Iterator[str]:
    """A sentence, without its full stop, for each kind of odd scores; labels (n, findings), NaN unknown, and scores
    (n, findings). The scores are used as they are. `areas` (findings,) are their AUROC, where that is known already.
    """
    if len(scores) < ENOUGH:
        return
    lowest, highest = scores.min(axis=0), scores.max(axis=0)
    constant = lowest == highest
    calls = ~constant & ((scores == 0) | (scores == 1)).all(axis=0)
    if constant.any():
        yield f"every image has the same score of {_named(findings, constant)}: nothing can be ranked by it"
    if calls.any():
        yield (
            f"the scores of {_named(findings, calls)} are 0 and 1 alone, which are calls: AP, AUROC and ECE of calls "
            "say little, and no threshold can be chosen. Give the numbers that the calls were made from"
        )
    present, absent = (labels == 1).sum(axis=0), (labels == 0).sum(axis=0)
    areas = auroc(labels, scores) if areas is None else areas
    inverted = ~constant & (present >= ENOUGH) & (absent >= ENOUGH) & (areas <= INVERTED)
    if inverted.any():
        places: list[int] = sorted(np.flatnonzero(inverted).tolist(), key=lambda place: float(areas[place]))
        shown = ", ".join(
            f"{findings[each]} {score_text(areas[each])} (n+ {present[each]:,})" for each in places[:SHOWN]
        )
        more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        yield (
            f"films without the finding score higher, as if scores were upside down: AUROC of {shown}{more}. If a high "
            "number means absent, give 1 - score"
        )


def _named(findings: Sequence[str], chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    names = [name for name, there in zip(findings, chosen.tolist(), strict=True) if there]
    if len(names) <= SHOWN:
        return ", ".join(names)
    return f"{quantity(len(names), 'finding')} ({', '.join(names[:SHOWN])}, ...)"
