"""Measures how well a typed text ranks a cohort's films against the labels of the matching finding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.cases.text_ranking import TextRanking, text_margins
from explorer.asking.text_metrics import LabeledMargins, ranking_estimates
from explorer.core.figures import Estimate
from explorer.core.finding_words import plain
from explorer.metrics.patient_ids import patient_numbers
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice, films_sentence

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class TextPerformance:
    """AUROC and average precision over `n` films labeled present (`positives`) or absent; None if one class is missing.

    `films` describes the films in words: those that pass the slice's film filters, whatever their scores. `own`: the
    text is the name of a labeled finding that the text's model has no scores for.
    """

    finding: str
    films: str
    n: int
    positives: int
    auroc: Estimate | None
    average_precision: Estimate | None
    own: bool = False


def text_performance(store: Store, chosen: Slice, ranked: TextRanking) -> TextPerformance | None:
    """Return how well the ranking's text finds its finding; None if the text matches no finding.

    A finding named exactly like the text takes precedence over a similar one. Intervals are resampled by patient.
    Raises the store's errors.
    """
    films = replace(chosen.population().every_finding(), model=ranked.model.model, source="paper")
    version = store.version(films.cohort, films.model)
    own = _finding_of_same_name(store, films, ranked)
    if own is not None:
        return _own_finding_performance(store, films, own, ranked, version)
    taken = ranked.analysis.taken_for
    return None if taken is None else _matched_performance(store, films, taken.finding, ranked, version)


def _finding_of_same_name(store: Store, films: Slice, ranked: TextRanking) -> str | None:
    """Return the labeled finding that the text names exactly and the model does not score, or None."""
    scored = store.facets(films.cohort, films.model).findings
    name = plain(ranked.analysis.scored)
    there = store.labels(films.cohort, films.label_source).findings
    return next((finding for finding in there if plain(finding) == name and finding not in scored), None)


@cached_per_owner(8)
def _own_finding_performance(
    store: Store, films: Slice, finding: str, ranked: TextRanking, version: str
) -> TextPerformance:
    """Use labels alone, because the model has no scores for this finding."""
    known = store.labels(films.cohort, films.label_source, films.policy)
    numbers, facts = store.films_meeting(films), store.film_facts(films.cohort)
    label = known.labels[numbers, known.findings.index(finding)]
    found = text_margins(store, films.cohort, ranked)[numbers]
    there = (label >= 0) & ~np.isnan(found)
    here = numbers[there]
    labelled = LabeledMargins(
        found[there].astype(np.float64),
        label[there] == 1,
        patient_numbers(facts.patient[here]),
        np.zeros(there.sum(), np.uint8),
    )
    return _performance(store, finding, films, labelled, own=True)


@cached_per_owner(8)
def _matched_performance(
    store: Store, films: Slice, finding: str, ranked: TextRanking, version: str
) -> TextPerformance:
    column = store.column(films, finding)
    found = text_margins(store, films.cohort, ranked)[column.case]
    known = ~np.isnan(column.label) & ~np.isnan(found)
    labelled = LabeledMargins(
        found[known].astype(np.float64),
        column.label[known] == 1,
        patient_numbers(column.patient[known]),
        np.zeros(known.sum(), np.uint8),
    )
    return _performance(store, finding, films, labelled, own=False)


def _performance(store: Store, finding: str, films: Slice, labelled: LabeledMargins, *, own: bool) -> TextPerformance:
    both = 0 < labelled.positives < labelled.n
    auroc, precision = ranking_estimates(labelled) if both else (None, None)
    words = films_sentence(films, counted=store.counted(films.cohort))
    return TextPerformance(finding, words, labelled.n, labelled.positives, auroc, precision, own)
