"""How far wrong labels may move a score, and with it a rank."""

from __future__ import annotations

from collections.abc import Sequence


def auroc_bounds(auroc: float, wrong: float) -> tuple[float, float]:
    """Return the least and largest AUROC of films with the finding, if a share of those labeled present lack it.

    Films labeled absent are taken as right. Against them, the AUROC counted is (1 - wrong) times that of the films with
    the finding plus wrong times that of the wrongly labeled ones, which may be anything from 0 to 1. The wrongly
    labeled films themselves are left out of the true AUROC. `wrong` is from 0 to below 1; raises ValueError otherwise.
    """
    if not 0 <= wrong < 1:
        raise ValueError(f"A share of wrong labels is from 0 to below 1. It is {wrong}.")
    return max(0.0, (auroc - wrong) / (1 - wrong)), min(1.0, auroc / (1 - wrong))


def rank_bounds(bounds: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """Return the best and worst rank of each, 1 for the largest, if each value lies anywhere within its bounds."""
    return [
        (
            1 + sum(other_low > high for other_low, _ in bounds),
            len(bounds) - sum(other_high < low for _, other_high in bounds),
        )
        for low, high in bounds
    ]
