"""Adds thresholds chosen on a cohort to model cards that state none, for reading single films.

The card's own thresholds are never replaced: they belong to the model, whereas chosen ones belong to the films they
were chosen on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from explorer.analysis.cases.comparable_cohorts import comparable_cohorts
from explorer.cohorts.chosen_thresholds import BY_HAND, ChosenOn, films_words
from explorer.core.threshold_rules import RULE_WORDS
from explorer.reading.reader import LoadableModel, Reader
from models.cards.card import Card, CardPoint
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


def reader_factory(store: Store) -> Callable[[LoadableModel], Reader]:
    """Return a factory of readers that look up chosen thresholds for every film, because they may change."""
    return partial(Reader, placed=partial(with_chosen_thresholds, store))


def with_chosen_thresholds(store: Store, card: Card) -> Card:
    """Return the card completed with the thresholds chosen last on a cohort scored by the same weights.

    Thresholds from simulated films apply only to models for such films. Thresholds of single folds, and of findings
    that the model cannot judge, are left out. If no chosen thresholds can be read, the card is unchanged.
    """
    lacking = [each for each in card.findings if each not in card.operating_points and each not in card.cannot_judge]
    if not lacking:
        return card
    try:
        found = max(_chosen(store, card, frozenset(lacking)), key=lambda each: each[0], default=("", {}))[1]
    except Refusal:
        return card
    if not found:
        return card
    points = MappingProxyType({**card.operating_points, **found})
    return replace(card, operating_points=points, chosen_here=frozenset(found))


def _chosen(store: Store, card: Card, lacking: frozenset[str]) -> Iterator[tuple[str, dict[str, CardPoint]]]:
    """Yield the date and points of each cohort with applicable thresholds."""
    for cohort in comparable_cohorts(store, card):
        chosen = store.chosen_thresholds(cohort.name, card.name)
        if chosen is None or bool(cohort.simulated) != (card.films == "simulated"):
            continue
        points = {
            point.finding: CardPoint(point.threshold, _rule(chosen.about, point.finding, cohort.name))
            for point in chosen.points
            if point.split is None and point.finding in lacking
        }
        if points:
            yield chosen.about.date, points


def _rule(about: ChosenOn, finding: str, cohort: str) -> str:
    """Return a rule such as `Youden on center A of mine (1,100 films), chosen here`."""
    if about.rule is None or finding in about.by_hand:
        return f"{BY_HAND} for {cohort}, chosen here"
    films = films_words(about.where, about.counted)
    return f"{RULE_WORDS[about.rule]} on {films} of {about.source or cohort} ({about.films_text}), chosen here"
