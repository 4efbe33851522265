"""A slice: the (film, finding) pairs that a visitor looks at. It is data: it becomes SQL with values, and words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from explorer.cohorts.schema import Unit
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.metric_plan import Grouping

AgeBand = Literal["0-17", "18-39", "40-59", "60-79", "80+", "unknown"]
Relation = Literal["both wrong", "disagree"]


@dataclass(frozen=True, slots=True)
class Slice:
    """Pairs of one cohort that one model scored; None: not restricted. A model's missing findings are left out.

    `outcomes` are those at the operating point. `relation` compares with the model `against`: both wrong about the
    pair, or one calling it present and the other not. Scores are raw, `low` <= score < `high`. `called` is another
    finding that the model calls present on the same film.
    """

    cohort: str
    model: str
    source: Grouping = "paper"  # of the frequency groups
    group: FrequencyGroup | None = None
    center: str | None = None
    finding: str | None = None
    outcomes: tuple[Outcome, ...] = ()
    label_source: str | None = None
    view: str | None = None
    sex: str | None = None
    age: AgeBand | None = None
    low: float | None = None
    high: float | None = None
    against: str | None = None
    relation: Relation | None = None
    called: str | None = None

    def population(self) -> Slice:
        """The same films and findings whatever the model said of them: what rates are counted over."""
        return replace(self, outcomes=(), low=None, high=None, against=None, relation=None, called=None)


_FILM = {"center": "center", "view": "view", "sex": "sex", "age": "age_band"}  # filters of films, and their columns


@dataclass(frozen=True, slots=True)
class Where:
    """A condition of SQL with a value for each of its question marks."""

    sql: str
    parameters: tuple[object, ...]


def where(chosen: Slice, findings: Sequence[str] = (), *, pairs: str = "pairs", film: str = "film") -> Where:
    """The condition that a row of pairs must meet; `findings` are those of the slice's group, if it has one.

    `pairs` is the table with every pair of the model, and `film` its column that names a pair's film.

    The rows have the columns finding, center, view, sex, age_band, source and whole (the row for all label sources
    together), outcome and score; with a relation also `relation`, a `Relation`.
    """
    conditions = list(_conditions(chosen, findings))
    if chosen.called is not None:
        calls = f"{film} IN (SELECT {film} FROM {pairs} WHERE finding = ? AND called)"
        conditions.append((calls, (chosen.called,)))
    return Where(
        " AND ".join(sql for sql, _ in conditions), tuple(value for _, values in conditions for value in values)
    )


def films_where(chosen: Slice) -> Where:
    """The condition on films alone, with the columns center, view, sex and age_band."""
    conditions = list(_of_films(chosen))
    return Where(" AND ".join(["true", *(sql for sql, _ in conditions)]), tuple(value for _, value in conditions))


def _of_films(chosen: Slice) -> Iterator[tuple[str, object]]:
    for name, column in _FILM.items():
        if (value := getattr(chosen, name)) is not None:
            yield f"{column} = ?", value


def _conditions(chosen: Slice, findings: Sequence[str]) -> Iterator[tuple[str, Sequence[object]]]:
    if chosen.label_source is None:
        yield "whole", ()
    else:
        yield "source = ?", (chosen.label_source,)
    if chosen.group is not None:
        yield _among("finding", findings)
    if chosen.outcomes:
        yield _among("outcome", [outcome.value for outcome in chosen.outcomes])
    if chosen.finding is not None:
        yield "finding = ?", (chosen.finding,)
    for sql, value in _of_films(chosen):
        yield sql, (value,)
    if chosen.relation is not None:
        yield "relation = ?", (chosen.relation,)
    if chosen.low is not None:
        yield "score >= ?::FLOAT", (_first_score(chosen.low),)
    if chosen.high is not None:
        yield "score < ?::FLOAT", (_first_score(chosen.high),)


def _first_score(bound: float) -> float:
    """The least 32-bit number, as scores are, that is not below the bound."""
    nearest = np.float32(bound)
    return float(nearest if float(nearest) >= bound else np.nextafter(nearest, np.float32(np.inf)))


def _among(column: str, values: Sequence[str]) -> tuple[str, Sequence[object]]:
    if not values:
        return "false", ()
    return f"{column} IN ({', '.join('?' * len(values))})", values


_PLURAL = {
    Outcome.MISS: "misses",
    Outcome.FALSE_ALARM: "false alarms",
    Outcome.HIT: "hits",
    Outcome.CORRECT_REJECTION: "correct rejections",
}
_GROUPINGS: dict[Grouping, str] = {
    "paper": "CXR-LT 2026",
    "padchest": "PadChest",
    "nih": "NIH ChestX-ray14",
    "cohort": "this cohort",
}
_SEXES = {"F": "women and girls", "M": "men and boys", "unknown": "sex not known"}
_AGES = {"unknown": "age not known", "80+": "80 years or older"}
_RELATIONS: dict[Relation, str] = {"both wrong": "is wrong too", "disagree": "says otherwise"}


def sentence(chosen: Slice, unit: Unit = "score") -> str:
    """The slice in words, such as `Misses of rare findings (groups of PadChest) by nih-mini in nih-oof, PA films`.

    `unit` is what the model says. No full stop: the page goes on with the counts.
    """
    outcomes = _listed([_PLURAL[outcome] for outcome in chosen.outcomes]) or f"{unit}s"
    center = "" if chosen.center is None else f" at {chosen.center}"
    start = f"{outcomes} of {_findings(chosen)}{center} by {chosen.model} in {chosen.cohort}"
    return ", ".join([start[0].upper() + start[1:], *_restrictions(chosen, unit)])


def films_sentence(chosen: Slice, unit: Unit = "score") -> str:
    """The slice in words where its films are meant: `Films of nih-oof, PA films`, unless findings restrict it too."""
    if chosen != Slice(chosen.cohort, chosen.model, chosen.source, **{name: getattr(chosen, name) for name in _FILM}):
        return sentence(chosen, unit)
    center = "" if chosen.center is None else f" at {chosen.center}"
    return ", ".join([f"Films of {chosen.cohort}{center}", *_restrictions(chosen, unit)])


def _findings(chosen: Slice) -> str:
    if chosen.group is None:
        return chosen.finding or "all findings"
    if chosen.group is FrequencyGroup.NORMAL and chosen.finding in (None, "Normal"):
        return "Normal"
    grouped = f"{chosen.group} findings (groups of {_GROUPINGS[chosen.source]})"
    return grouped if chosen.finding is None else f"{chosen.finding} among {grouped}"


def _restrictions(chosen: Slice, unit: Unit) -> Iterator[str]:
    if chosen.view is not None:
        yield "view not known" if chosen.view == "unknown" else f"{chosen.view} films"
    if chosen.sex is not None:
        yield _SEXES.get(chosen.sex, chosen.sex)
    if chosen.age is not None:
        yield _AGES.get(chosen.age, f"{chosen.age} years old")
    if chosen.label_source is not None:
        yield f"labelled by {chosen.label_source}"
    if chosen.low is not None or chosen.high is not None:
        yield _range(chosen.low, chosen.high, unit)
    if chosen.relation is not None:
        yield f"where {chosen.against} {_RELATIONS[chosen.relation]}"
    if chosen.called is not None:
        yield f"where it called {chosen.called}"


def _range(low: float | None, high: float | None, unit: Unit) -> str:
    start, sign = ("scored ", "") if unit == "score" else ("with a margin ", "+")  # one of 0.02 is not small
    low_text, high_text = (None if each is None else f"{each:{sign}g}" for each in (low, high))
    if low_text and high_text:
        return f"{start}from {low_text} to under {high_text}"
    return f"{start}under {high_text}" if low_text is None else f"{start}{'of ' * bool(sign)}{low_text} or more"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
