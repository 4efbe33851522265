"""A slice: the (film, finding) pairs that a visitor looks at. It is data: it becomes SQL with values, and words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from explorer.evaluation.plan import Grouping
from explorer.vocabulary import FrequencyGroup, Outcome

AgeBand = Literal["0-17", "18-39", "40-59", "60-79", "80+", "unknown"]
Relation = Literal["both wrong", "disagree"]


@dataclass(frozen=True, slots=True)
class Slice:
    """Pairs of one cohort that one model scored; None: not restricted. A model's missing findings are left out.

    `outcomes` are those at the operating point. `relation` compares with the model `against`: both wrong about the
    pair, or one calling it present and the other not. Scores are raw, `low` <= score < `high`.
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

    def population(self) -> Slice:
        """The same films and findings whatever the model said of them: what rates are counted over."""
        return replace(self, outcomes=(), low=None, high=None, against=None, relation=None)


@dataclass(frozen=True, slots=True)
class Where:
    """A condition of SQL with a value for each of its question marks."""

    sql: str
    parameters: tuple[object, ...]


def where(chosen: Slice, findings: Sequence[str] = ()) -> Where:
    """The condition that a row of pairs must meet; `findings` are those of the slice's group, if it has one.

    The rows have the columns finding, center, view, sex, age_band, source and whole (the row for all label sources
    together), outcome and score; with a relation also `relation`, a `Relation`.
    """
    conditions = list(_conditions(chosen, findings))
    return Where(
        " AND ".join(sql for sql, _ in conditions), tuple(value for _, values in conditions for value in values)
    )


def films_where(chosen: Slice) -> Where:
    """The condition on films alone, with the columns center, view, sex and age_band."""
    conditions = list(_of_films(chosen))
    return Where(" AND ".join(["true", *(sql for sql, _ in conditions)]), tuple(value for _, value in conditions))


def _of_films(chosen: Slice) -> Iterator[tuple[str, object]]:
    for column, value in (
        ("center", chosen.center),
        ("view", chosen.view),
        ("sex", chosen.sex),
        ("age_band", chosen.age),
    ):
        if value is not None:
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
        yield "score >= ?", (chosen.low,)
    if chosen.high is not None:
        yield "score < ?", (chosen.high,)


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
_SEXES = {"F": "women and girls", "M": "men and boys", "unknown": "sex not known"}
_GROUPINGS: dict[Grouping, str] = {
    "paper": "CXR-LT 2026",
    "padchest": "PadChest",
    "nih": "NIH ChestX-ray14",
    "cohort": "this cohort",
}


def sentence(chosen: Slice) -> str:
    """The slice in words, such as `Misses of rare findings (groups of PadChest) at NIH by nih-mini`.

    No full stop: the page goes on with the counts.
    """
    return "".join([_what(chosen), _findings(chosen), _films(chosen), _score(chosen), _who(chosen)])


def _what(chosen: Slice) -> str:
    text = _listed([_PLURAL[outcome] for outcome in chosen.outcomes]) or "scores"
    return text[0].upper() + text[1:]


def _findings(chosen: Slice) -> str:
    group = chosen.group
    kind = "" if group is None else f"{'' if group is FrequencyGroup.NORMAL else f'{group.value} '}findings"
    if group is FrequencyGroup.NORMAL:
        return " of Normal" if chosen.finding in (None, "Normal") else f" of {chosen.finding} as Normal"
    source = f" (groups of {_GROUPINGS[chosen.source]})"
    if chosen.finding is None:
        return f" of {kind}{source}" if group else " of all findings"
    return f" of {chosen.finding}" + (f" among {kind}{source}" if group else "")


def _films(chosen: Slice) -> str:
    parts = [
        f" at {chosen.center}" if chosen.center is not None else "",
        "" if chosen.view is None else ", view not known" if chosen.view == "unknown" else f", {chosen.view} films",
        "" if chosen.sex is None else f", {_SEXES.get(chosen.sex, chosen.sex)}",
        "" if chosen.age is None else ", age not known" if chosen.age == "unknown" else f", {chosen.age} years old",
        "" if chosen.label_source is None else f", labelled by {chosen.label_source}",
    ]
    return "".join(parts)


def _score(chosen: Slice) -> str:
    low, high = chosen.low, chosen.high
    if low is not None and high is not None:
        return f", scored from {low:g} to under {high:g}"
    return f", scored {low:g} or more" if low is not None else f", scored under {high:g}" if high is not None else ""


def _who(chosen: Slice) -> str:
    if chosen.relation is None:
        return f" by {chosen.model}"
    both = f"{chosen.model} and {chosen.against}"
    return f", where {both} {'are both wrong' if chosen.relation == 'both wrong' else 'disagree'}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
