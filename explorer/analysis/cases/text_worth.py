"""How well a typed text ranks a cohort's films, counted against the labels of the finding that it is taken for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.cases.text_ranking import TextRanking, margins
from explorer.asking.text_metrics import Labelled, estimates
from explorer.core.figures import Estimate
from explorer.core.finding_words import plain
from explorer.metrics.patient_ids import numbered
from explorer.runtime.cached_per_owner import remembered
from explorer.store.slices import Slice, films_sentence

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class Worth:
    """AUROC and average precision over `n` films labeled present (`positives`) or absent; None with one class only.

    `films` says in words which films: those that the slice's filters of films leave, whatever a model said of them.
    `own`: the text is the very name of a finding of the cohort, that the model of the text has no scores for.
    """

    finding: str
    films: str
    n: int
    positives: int
    auroc: Estimate | None
    average_precision: Estimate | None
    own: bool = False


def worth(store: Store, chosen: Slice, ranked: TextRanking) -> Worth | None:
    """Of the text that the slice's films are ranked by; None where it is taken for no finding.

    A finding of the cohort that has the text for its name comes before one that the text is near to. Intervals are by
    patient. Raises what the store does.
    """
    films = replace(chosen.population().every_finding(), model=ranked.model.model, source="paper")
    version = store.version(films.cohort, films.model)
    own = _of_that_name(store, films, ranked)
    if own is not None:
        return _own_worth(store, films, own, ranked, version)
    taken = ranked.heard.taken_for
    return None if taken is None else _worth(store, films, taken.finding, ranked, version)


def _of_that_name(store: Store, films: Slice, ranked: TextRanking) -> str | None:
    """The finding that the cohort is labeled with, and the model has no scores for, which the text names."""
    scored = store.facets(films.cohort, films.model).findings
    name = plain(ranked.heard.scored)
    there = store.labels(films.cohort, films.label_source).findings
    return next((finding for finding in there if plain(finding) == name and finding not in scored), None)


@remembered(8)
def _own_worth(store: Store, films: Slice, finding: str, ranked: TextRanking, version: str) -> Worth:
    """By the labels alone: there is no pair of a film and this finding with a score of the model."""
    known = store.labels(films.cohort, films.label_source)
    numbers, facts = store.films_meeting(films), store.film_facts(films.cohort)
    label = known.labels[numbers, known.findings.index(finding)]
    found = margins(store, films.cohort, ranked)[numbers]
    there = (label >= 0) & ~np.isnan(found)
    here = numbers[there]
    labelled = Labelled(
        found[there].astype(np.float64),
        label[there] == 1,
        numbered(facts.patient[here]),
        np.zeros(there.sum(), np.uint8),
    )
    return _counted(finding, films, labelled, own=True)


@remembered(8)
def _worth(store: Store, films: Slice, finding: str, ranked: TextRanking, version: str) -> Worth:
    column = store.column(films, finding)
    found = margins(store, films.cohort, ranked)[column.case]
    known = ~np.isnan(column.label) & ~np.isnan(found)
    labelled = Labelled(
        found[known].astype(np.float64),
        column.label[known] == 1,
        numbered(column.patient[known]),
        np.zeros(known.sum(), np.uint8),
    )
    return _counted(finding, films, labelled, own=False)


def _counted(finding: str, films: Slice, labelled: Labelled, *, own: bool) -> Worth:
    both = 0 < labelled.positives < labelled.n
    auroc, precision = estimates(labelled) if both else (None, None)
    return Worth(finding, films_sentence(films), labelled.n, labelled.positives, auroc, precision, own)
