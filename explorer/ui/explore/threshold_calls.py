"""The calls about a model's thresholds: show them, choose by a rule, set by hand, reset to the model's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from explorer.analysis.thresholds.carried import SEPARATOR, TEST_SPLIT, carry, origin_of
from explorer.analysis.thresholds.choice import NoThresholds, choose_by_hand, choose_by_rule
from explorer.analysis.thresholds.table import ThresholdLine, threshold_table
from explorer.cohorts.chosen_thresholds import ChosenOn, ChosenThresholds, films_words
from explorer.cohorts.counted import CASES
from explorer.cohorts.schema import Unit
from explorer.cohorts.unlisted import public_name
from explorer.core.rates import Rate
from explorer.core.threshold_rules import BY_FOLD, RULE_WORDS, RuleName
from explorer.store.slices import Slice
from explorer.ui.explore.panel_calls import NUMBERS_HIDDEN
from explorer.ui.shared.links import resolve_slice
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import state_in, value_in
from explorer.ui.shared.services import Services

if TYPE_CHECKING:
    from explorer.store.store import Store


CARRIED = "from "  # starts the word of films whose thresholds are carried to others


class RatePayload(TypedDict):
    """A rate; `value` and `interval` are null if nothing was counted."""

    value: float | None
    interval: tuple[float, float] | None
    n: int


class ThresholdLinePayload(TypedDict):
    """A finding; `least` and `most` differ if each fold has its own threshold, and are null without one."""

    finding: str
    least: float | None
    most: float | None
    by_hand: bool
    reason: str | None
    positives: int
    sensitivity: RatePayload
    specificity: RatePayload


class ThresholdOptionPayload(TypedDict):
    """An option: the word to send back, and its name."""

    word: str
    name: str


class ThresholdsPayload(TypedDict):
    """The dialog's content; `rule` and `where` are those in force, null and empty for the model's own thresholds."""

    stage: Literal["thresholds"]
    title: str
    words: str
    films: str
    own: bool
    unit: Unit
    rule: RuleName | None
    where: str
    rules: list[ThresholdOptionPayload]
    places: list[ThresholdOptionPayload]
    lines: list[ThresholdLinePayload]


def calls(services: Services) -> list[Callable[[object], object]]:
    """The script's calls, each with one argument: the state and more values."""
    store = services.store

    def thresholds_shown(sent: object) -> ThresholdsPayload | RefusedPayload:
        return _answer(store, sent, lambda chosen: None)

    def thresholds_chosen(sent: object) -> ThresholdsPayload | RefusedPayload:
        def keep(chosen: Slice) -> None:
            rule, sent_where = _rule(value_in(sent, "rule")), value_in(sent, "where")
            where = sent_where if isinstance(sent_where, str) else ""
            if where.startswith(CARRIED):
                found = carry(store, chosen.cohort, chosen.model, origin_of(where.removeprefix(CARRIED)), rule)
            else:
                found = choose_by_rule(store, chosen.cohort, chosen.model, rule, where)
            store.keep_thresholds(chosen.cohort, chosen.model, found)

        return _answer(store, sent, keep)

    def thresholds_by_hand(sent: object) -> ThresholdsPayload | RefusedPayload:
        def keep(chosen: Slice) -> None:
            finding, value = value_in(sent, "finding"), value_in(sent, "value")
            if not isinstance(finding, str) or isinstance(value, bool) or not isinstance(value, int | float):
                raise NoThresholds("That is not a threshold", "Give a number.")
            store.keep_thresholds(
                chosen.cohort, chosen.model, choose_by_hand(store, chosen.cohort, chosen.model, {finding: float(value)})
            )

        return _answer(store, sent, keep)

    def thresholds_own(sent: object) -> ThresholdsPayload | RefusedPayload:
        return _answer(store, sent, lambda chosen: store.keep_thresholds(chosen.cohort, chosen.model, None))

    return [thresholds_shown, thresholds_chosen, thresholds_by_hand, thresholds_own]


def _answer(store: Store, sent: object, change: Callable[[Slice], None]) -> ThresholdsPayload | RefusedPayload:
    state = state_in(sent)
    if state.get("hide"):
        return NUMBERS_HIDDEN

    def work() -> ThresholdsPayload:
        chosen = resolve_slice(store, state)
        try:
            change(chosen)
        except OSError as error:
            raise NoThresholds(
                "The thresholds cannot be saved",
                f"{error.strerror}. Free some disk space, or make TAILSCOPE_HOME writable.",
            ) from error
        return _payload(store, chosen)

    return answer_or_refusal(work)


def _payload(store: Store, chosen: Slice) -> ThresholdsPayload:
    table = threshold_table(store, chosen.cohort, chosen.model)
    found = store.chosen_thresholds(chosen.cohort, chosen.model)
    return {
        "stage": "thresholds",
        "title": f"Thresholds of {chosen.model} in {public_name(chosen.cohort)}",
        "words": table.words,
        "films": table.films,
        "own": found is None,
        "unit": store.model(chosen.cohort, chosen.model).unit,
        "rule": None if found is None else found.about.rule,
        "where": "" if found is None else _place(found.about),
        "rules": [{"word": rule, "name": RULE_WORDS[rule]} for rule in get_args(RuleName)],
        "places": [
            {"word": where, "name": _place_words(store, chosen.cohort, where)}
            for where in _places(store, chosen, found)
        ],
        "lines": [_line(line) for line in table.lines],
    }


def _places(store: Store, chosen: Slice, found: ChosenThresholds | None) -> list[str]:
    """All films, each of several centers, each fold by the others, splits and cohorts to carry from, and the choice."""
    centers = store.facets(chosen.cohort, chosen.model).of_films["center"]
    splits = sorted({str(split) for split in store.film_facts(chosen.cohort).split if split is not None})
    by_center = [f"center={center}" for center in centers if "," not in center] if len(centers) > 1 else []
    known = ["", *by_center, *([BY_FOLD] if len(splits) > 1 else [])]
    if len(splits) == 2 or TEST_SPLIT in splits:  # the films to report on follow
        known += [f"{CARRIED}split={split}" for split in splits if split != TEST_SPLIT and "," not in split]
    others = (each.name for each in store.cohorts() if each.name != chosen.cohort)
    known += [f"{CARRIED}{name}" for name in others if _scored_by_same(store, chosen, name)]
    place = None if found is None else _place(found.about)
    return known if place is None or place in known else [*known, place]


def _scored_by_same(store: Store, chosen: Slice, cohort: str) -> bool:
    """Whether the model has scored another cohort with the same weights; reads one manifest, if there is one."""
    path = store.folder(cohort).model(chosen.model)
    if not path.is_file():
        return False
    own, other = store.model(chosen.cohort, chosen.model).sha256, store.model(cohort, chosen.model).sha256
    return own == other or None in (own, other)


def _place(about: ChosenOn) -> str:
    """Return the word for the films that thresholds come from."""
    if not about.carried:
        return about.where
    return CARRIED + SEPARATOR.join(filter(None, (about.source, about.where)))


def _place_words(store: Store, cohort: str, place: str) -> str:
    """Return the films of a word: `center A`; `split val, for other films`; `all films of clinic, for these`."""
    if not place.startswith(CARRIED):
        return films_words(place, store.counted(cohort))
    origin = origin_of(place.removeprefix(CARRIED))
    if not origin.cohort:
        return f"{films_words(origin.where)}, for other {CASES[store.counted(cohort)].lower()}"
    return f"{films_words(origin.where, store.counted(origin.cohort))} of {public_name(origin.cohort)}, for these"


def _line(line: ThresholdLine) -> ThresholdLinePayload:
    values = [value for _, value in line.thresholds]
    return {
        "finding": line.finding,
        "least": min(values, default=None),
        "most": max(values, default=None),
        "by_hand": line.by_hand,
        "reason": line.reason,
        "positives": line.positives,
        "sensitivity": _rate(line.sensitivity),
        "specificity": _rate(line.specificity),
    }


def _rate(rate: Rate) -> RatePayload:
    return {"value": rate.value, "interval": rate.interval, "n": rate.n}


def _rule(sent: object) -> RuleName:
    for rule in get_args(RuleName):
        if rule == sent:
            known: RuleName = rule
            return known
    raise NoThresholds("There is no such rule", "Choose one from the list.")
