"""How well a typed text ranks a cohort's films, counted against the labels of the finding that it is taken for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.text_ranking import TextRanking, margins
from explorer.asking.answer import Estimate
from explorer.asking.text_metrics import Labelled, estimates
from explorer.metrics.patient_ids import numbered
from explorer.runtime.cached_per_owner import remembered
from explorer.store.slices import Slice, films_sentence

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class Worth:
    """AUROC and average precision over `n` films labeled present (`positives`) or absent; None with one class only.

    `films` says in words which films: those that the slice's filters of films leave, whatever a model said of them.
    """

    finding: str
    films: str
    n: int
    positives: int
    auroc: Estimate | None
    average_precision: Estimate | None


def worth(store: Store, chosen: Slice, ranked: TextRanking) -> Worth | None:
    """Of the text that the slice's films are ranked by; None where it is taken for no finding.

    Intervals are by patient. Raises what the store does.
    """
    if ranked.heard.taken_for is None:
        return None
    films = replace(chosen.population().every_finding(), model=ranked.model.model, source="paper")
    return _worth(store, films, ranked.heard.taken_for.finding, ranked, store.version(films.cohort, films.model))


@remembered(8)
def _worth(store: Store, films: Slice, finding: str, ranked: TextRanking, version: str) -> Worth:
    column = store.column(films, finding)
    found = margins(store, films.cohort, ranked)[column.case]
    known = ~np.isnan(column.label) & ~np.isnan(found)
    labelled = Labelled(
        found[known].astype(np.float64),
        column.label[known] == 1,
        numbered(column.patient[known], column.center[known]),
        np.zeros(known.sum(), np.uint8),
    )
    both = 0 < labelled.positives < labelled.n
    auroc, precision = estimates(labelled) if both else (None, None)
    return Worth(finding, films_sentence(films), labelled.n, labelled.positives, auroc, precision)
