"""Lists a model's thresholds in use and their performance on the films they were chosen on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.performance.center_rates import rate_of_all
from explorer.cohorts.chosen_thresholds import films_words
from explorer.cohorts.counted import CASES, Counted, cases_text
from explorer.core.rates import Rate
from explorer.core.threshold_rules import BY_FOLD
from explorer.core.word_lists import quantity
from explorer.store.filter_registry import OF_FILMS
from explorer.store.results import Tally
from explorer.store.slices import Slice
from explorer.store.where_words import FILM_WORDS, slice_in

if TYPE_CHECKING:
    from explorer.cohorts.chosen_thresholds import ChosenOn
    from explorer.store.store import Store


NO_THRESHOLDS = "none"  # neither own nor chosen thresholds: nothing is called


@dataclass(frozen=True, slots=True)
class ThresholdLine:
    """A finding's thresholds by split (None: for every film), and their performance on the table's films.

    `reason` says why there is none. Rates count only films with a threshold.
    """

    finding: str
    thresholds: tuple[tuple[str | None, float], ...]
    by_hand: bool
    reason: str | None
    positives: int
    sensitivity: Rate
    specificity: Rate


@dataclass(frozen=True, slots=True)
class ThresholdTable:
    """Thresholds by finding; `words` describes their source, `films` the films behind the rates and any optimism."""

    words: str
    chosen_here: bool
    films: str
    lines: tuple[ThresholdLine, ...]


def threshold_table(store: Store, cohort: str, model: str) -> ThresholdTable:
    """Return the table with a line for each scored finding, sorted by name."""
    chosen = store.chosen_thresholds(cohort, model)
    about = None if chosen is None else chosen.about
    crossed = about is not None and about.where == BY_FOLD
    where = "" if about is None or crossed else about.to if about.carried else about.where
    by_finding: dict[str, list[tuple[str | None, float]]] = defaultdict(list)
    for point in store.thresholds(cohort, model):
        by_finding[point.finding].append((point.split, point.threshold))
    films = slice_in(store, cohort, model, where, {}, FILM_WORDS)
    counts: dict[str, list[Tally]] = defaultdict(list)
    for tally in store.tally(films):
        counts[tally.finding].append(tally)
    by_patient = store.patient_counts(films)
    lines = tuple(
        ThresholdLine(
            finding=finding,
            thresholds=tuple(sorted(by_finding[finding], key=lambda point: (point[0] or "", point[1]))),
            by_hand=about is not None and finding in about.by_hand,
            reason=None if by_finding[finding] else _reason(finding, {} if about is None else dict(about.reasons)),
            positives=_positives(counts[finding], about if crossed else None, finding),
            sensitivity=rate_of_all(by_patient.get(finding), "sensitivity"),
            specificity=rate_of_all(by_patient.get(finding), "specificity"),
        )
        for finding in sorted(store.facets(cohort, model).findings)
    )
    own = f"the model's own ({store.model(cohort, model).thresholds})" if any(by_finding.values()) else NO_THRESHOLDS
    words = own if about is None else about.words
    return ThresholdTable(words, about is not None, _on(store, cohort, model), lines)


def _positives(counts: list[Tally], crossed: ChosenOn | None, finding: str) -> int:
    """Count films with a finding; with thresholds by fold, only films in a fold, because others have no threshold."""
    if crossed is not None and finding in crossed.positives:
        return crossed.positives[finding]
    return sum(each.positives for each in counts)


def in_sample_films(store: Store, chosen_slice: Slice, films: NDArray[np.int32] | None = None) -> int:
    """Count the slice's films that thresholds in use were chosen on; 0 for cross-fitted thresholds.

    `films` (n,) are film numbers; by default those that pass the slice's film filters.
    """
    chosen = store.chosen_thresholds(chosen_slice.cohort, chosen_slice.model)
    if chosen is None or chosen.about.rule is None or chosen.about.source or chosen.about.where == BY_FOLD:
        return 0
    fitted = slice_in(store, chosen_slice.cohort, chosen_slice.model, chosen.about.where, {}, FILM_WORDS)
    here = {word.field: getattr(chosen_slice, word.field) for each in OF_FILMS for word in each.words}
    those = store.films(Slice(chosen_slice.cohort, chosen_slice.model, **here)) if films is None else films
    return len(np.intersect1d(store.films(fitted), those))


def thresholds_words(store: Store, chosen_slice: Slice) -> str:
    """Describe the thresholds in use: `Youden on center A (1,100 films), chosen here; in-sample on 1,100 films
    here`.
    """
    chosen = store.chosen_thresholds(chosen_slice.cohort, chosen_slice.model)
    if chosen is None:
        own = store.thresholds(chosen_slice.cohort, chosen_slice.model)
        if not own:
            return NO_THRESHOLDS
        rules = {each.rule for each in own}
        return f"{rules.pop()}, not chosen" if len(rules) == 1 and not own[0].chosen else "the model's own"
    films = in_sample_films(store, chosen_slice)
    if not films:
        return chosen.about.words
    return f"{chosen.about.words}; in-sample on {cases_text(films, chosen.about.counted)} here"


def _on(store: Store, cohort: str, model: str) -> str:
    chosen = store.chosen_thresholds(cohort, model)
    if chosen is not None and chosen.about.carried:
        return _out_of_sample(chosen.about, store.counted(cohort))
    if chosen is None or chosen.about.rule is None:
        return f"Rates are on all {CASES[store.counted(cohort)].lower()} of the cohort."
    films, patients = chosen.about.films_text, quantity(chosen.about.patients, "patient")
    if chosen.about.where == BY_FOLD:
        return f"Rates are cross-fitted: the threshold of each of the {films} was chosen on other folds' patients."
    return f"Rates are in-sample: on the {films} of {patients} that the thresholds were chosen on."


def _out_of_sample(about: ChosenOn, unit: Counted) -> str:
    """Return a sentence on rates of carried thresholds, in a cohort with such cases."""
    films, patients = about.films_text, quantity(about.patients, "patient")
    start = f"Rates are out of sample: on {films_words(about.to, unit)}. The thresholds come from {about.chosen_on}"
    counted = f" ({films} of {patients})" if about.films else ""
    if not about.shared:
        return f"{start}{counted}."
    among = f"{quantity(about.shared, 'patient')} {'is' if about.shared == 1 else 'are'} among both"
    return f"{start}{counted}. {among}, which makes rates optimistic."


def _reason(finding: str, reasons: dict[str, str]) -> str:
    return reasons.get(finding, "the model has none")
