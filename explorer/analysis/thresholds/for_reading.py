"""Thresholds for a single film where a model's card states none: those that somebody chose here on a cohort's films.

A threshold of the card is never replaced: it belongs to the model, a chosen one to the films that it was chosen on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from explorer.analysis.cases.comparable_cohorts import comparable
from explorer.cohorts.chosen_thresholds import BY_HAND, ChosenOn, films_words
from explorer.core.threshold_rules import RULE_WORDS
from explorer.core.word_lists import quantity
from explorer.reading.reader import Model, Reader
from models.cards.card import Card, CardPoint
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


def reader_with(store: Store) -> Callable[[Model], Reader]:
    """Makes readers that ask for such thresholds with every film, since others may have been chosen meanwhile."""
    return partial(Reader, placed=partial(with_chosen, store))


def with_chosen(store: Store, card: Card) -> Card:
    """The card with the thresholds chosen last on a cohort that these very weights have scored, where it has none.

    Those of simulated films are for a model of such films alone. Thresholds of single folds are for no other film, and
    are left out, as are findings that the model cannot judge. Where nothing can be read, the card is as it was.
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
    """The date and the points of each cohort that has some, the first cohort first."""
    for cohort in comparable(store, card):
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
    """Such as `Youden on center A of mine (1,100 films), chosen here`."""
    if about.rule is None or finding in about.by_hand:
        return f"{BY_HAND} for {cohort}, chosen here"
    films = quantity(about.films, "film")
    return f"{RULE_WORDS[about.rule]} on {films_words(about.where)} of {cohort} ({films}), chosen here"
