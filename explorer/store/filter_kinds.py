"""The kinds of filter of a slice: their meaning, their form in addresses, and the choices that they offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Protocol

from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.schema import Unit
from explorer.core.map_area import MapArea, WrongArea, area_word
from explorer.core.word_lists import quantity
from explorer.store.conditions import Among, AtLeast, Below, Condition, Equals, InArea, Looks

if TYPE_CHECKING:
    from explorer.cohorts.film_map import KnownMap
    from explorer.store.marked import Marked
    from explorer.store.results import Appearance, Case, Facets

Values = Mapping[str, Any]  # of a slice, by field
# What a filter's values belong to: they must be chosen again if this cohort, or this model, changes.
Bound = Literal["cohort", "model"] | None
# How a value is chosen: from a list, as two bounds, as another model with a relation, or as an area of the map.
Kind = Literal["list", "range", "relation", "area"]


@dataclass(frozen=True, slots=True)
class Choices:
    """The values that filters can be chosen from. `film_map` returns the map of the model's films, if there is one."""

    cohort: str
    facets: Facets
    other_models: tuple[str, ...]
    marked: tuple[Marked, ...] = ()
    film_map: Callable[[], KnownMap | None] = lambda: None


@dataclass(frozen=True, slots=True)
class Word:
    """A parameter of an address that holds one field of a slice.

    `values` are those allowed in an address, None if any number is; `offered` those listed in menus, and `also` further
    ones that are accepted. `absent` describes a value that is not allowed. `read` parses values that cannot be listed;
    it raises WrongArea.
    """

    name: str
    field: str
    absent: str = ""
    values: Callable[[Choices], Iterable[Any]] | None = None
    write: Callable[[str, Any], str | None] = lambda cohort, value: as_word(value)
    title: Callable[[Any], str] = str
    offered: Callable[[Choices], Iterable[Any]] | None = None
    also: Callable[[Choices], Iterable[Any]] | None = None
    read: Callable[[str, Choices], Any] | None = None

    def shown(self, choices: Choices) -> Iterable[Any]:
        """Return the values to list in a menu."""
        found = self.offered or self.values
        return () if found is None else found(choices)


class Filter(Protocol):
    """A filter; a slice holds its values in the fields of its words."""

    @property
    def key(self) -> str: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def title(self) -> str: ...
    @property
    def words(self) -> tuple[Word, ...]: ...
    @property
    def tells(self) -> bool:
        """Whether its values, or the mere fact that it is set, reveal labels or scores."""

    @property
    def of_scores(self) -> bool:
        """Whether it depends on the model's scores of a pair; rates are computed without such filters."""

    @property
    def of_findings(self) -> bool:
        """Whether it selects findings; queries over all findings of the same films ignore such filters."""

    @property
    def bound_to(self) -> Bound: ...
    @property
    def needed(self) -> bool:
        """Whether a slice always has a value for it."""

    def conditions(self, values: Values, findings: Sequence[str]) -> Iterator[Condition]:
        """Yield the conditions on a pair; `findings` are those of the slice's frequency group."""

    def clause(self, values: Values, unit: Unit) -> str | None:
        """Return its part of the slice's sentence, which follows a comma."""

    def conflict(self, values: Values) -> str | None:
        """Return what is wrong with contradictory values, to complete the sentence `The link ...`."""


def as_word(value: str) -> str:
    """Return a field's name for an address: lower case, with hyphens."""
    return "-".join(value.lower().replace("+", " plus").split())  # a plus sign would mean a blank


def hidden_word(kind: str) -> Callable[[str, str], str]:
    """Return how an address names values from a visitor's own data: by an opaque id."""
    return lambda cohort, value: opaque_id(cohort, kind, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A choice of one value. `demands` is its condition on a pair, given the findings of the slice's group."""

    word: Word
    title: str
    demands: Callable[[Any, Sequence[str]], Condition] | None = None
    says: Callable[[Any], str] | None = None
    tells: bool = False
    of_scores: bool = False
    of_findings: bool = False
    bound_to: Bound = None
    needed: bool = False
    kind: Kind = "list"

    @property
    def key(self) -> str:
        return self.word.name

    @property
    def words(self) -> tuple[Word, ...]:
        return (self.word,)

    def conditions(self, values: Values, findings: Sequence[str]) -> Iterator[Condition]:
        value = values[self.word.field]
        if self.demands is not None and value not in (None, ()):
            yield self.demands(value, findings)

    def clause(self, values: Values, unit: Unit) -> str | None:
        value = values[self.word.field]
        return None if self.says is None or value is None else self.says(value)

    def conflict(self, values: Values) -> str | None:
        return None


def _number(cohort: str, value: float) -> str:
    return f"{value:g}"


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """Scores from one bound to below another."""

    key: str = "score"
    kind: Kind = "range"
    title: str = "Score"
    words: tuple[Word, ...] = (Word("low", "low", write=_number), Word("high", "high", write=_number))
    tells: bool = True
    of_scores: bool = True
    of_findings: bool = False
    bound_to: Bound = "model"
    needed: bool = False

    def conditions(self, values: Values, findings: Sequence[str]) -> Iterator[Condition]:
        if values["low"] is not None:
            yield AtLeast("score", values["low"])
        if values["high"] is not None:
            yield Below("score", values["high"])

    def clause(self, values: Values, unit: Unit) -> str | None:
        start, sign = ("scored ", "") if unit == "score" else ("with a margin ", "+")  # even a margin of 0.02 is large
        low, high = (None if values[each] is None else f"{values[each]:{sign}g}" for each in ("low", "high"))
        if low and high:
            return f"{start}from {low} to under {high}"
        if low:
            return f"{start}{'of ' * bool(sign)}{low} or more"
        return f"{start}under {high}" if high else None

    def conflict(self, values: Values) -> str | None:
        low, high = values["low"], values["high"]
        return None if low is None or high is None or low < high else "names a range of scores that is empty."


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherModel:
    """The calls of another model, `against`, on the same pair."""

    relations: Mapping[Any, str]  # what the other model does, in words
    key: str = "relation"
    kind: Kind = "relation"
    title: str = "Other model"
    tells: bool = True
    of_scores: bool = True
    of_findings: bool = False
    bound_to: Bound = "model"
    needed: bool = False

    @property
    def words(self) -> tuple[Word, ...]:
        others = Word(
            "against",
            "against",
            "a second model that has not scored this cohort",
            lambda choices: choices.other_models,
            hidden_word("model"),
        )
        return others, Word("relation", "relation", "no known comparison of models", lambda choices: self.relations)

    def conditions(self, values: Values, findings: Sequence[str]) -> Iterator[Condition]:
        if values["relation"] is not None:
            yield Equals("relation", values["relation"])

    def clause(self, values: Values, unit: Unit) -> str | None:
        relation = values["relation"]
        return None if relation is None else f"where {values['against']} {self.relations[relation]}"

    def conflict(self, values: Values) -> str | None:
        if (values["against"] is None) == (values["relation"] is None):
            return None
        return "compares models but does not say which, or how."


def _area(written: str, choices: Choices) -> MapArea:
    known = choices.film_map()
    if known is None:
        raise WrongArea("an area of a map that has not been made here yet: Explore's panel Map makes it")
    return known.area(written)


@dataclass(frozen=True, slots=True)
class LassoFilter:
    """An area of the map of the model's films."""

    key: str = "lasso"
    kind: Kind = "area"
    title: str = "Lasso"
    words: tuple[Word, ...] = (Word("lasso", "lasso", write=lambda cohort, area: area_word(area), read=_area),)
    tells: bool = False
    of_scores: bool = False
    of_findings: bool = False
    bound_to: Bound = "model"
    needed: bool = False

    def conditions(self, values: Values, findings: Sequence[str]) -> Iterator[Condition]:
        if values["lasso"] is not None:
            yield InArea(values["lasso"])

    def clause(self, values: Values, unit: Unit) -> str | None:
        area = values["lasso"]
        return area and f"in a lassoed area of the map of {area.model} ({quantity(area.films, 'film')})"

    def conflict(self, values: Values) -> str | None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmFilter(Choice):
    """A column of films equals a value. `sql` computes the column from the cases' columns, if it is not one of these.

    `together` gives names to groups of values.
    """

    column: str
    sql: str | None = None
    value_of: Callable[[Case], object]
    together: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)


def film_filter(
    key: str,
    title: str,
    *,
    absent: str,
    says: Callable[[str], str] | None = None,
    name: Callable[[str], str] = str,
    column: str | None = None,
    sql: str | None = None,
    value_of: Callable[[Case], object] | None = None,
    every: Sequence[str] = (),
    write: Callable[[str, str], str] | None = None,
    bound_to: Bound = None,
    tells: bool = False,
    together: Mapping[str, tuple[str, ...]] | None = None,
) -> FilmFilter:
    """Return a filter by a column of films, by default named `key`; `every`: all values in order, for menus.

    A group in `together` is listed if films have all of its values, as well as others.
    """
    column, named = column or key, together or {}

    def found(choices: Choices) -> Iterable[str]:
        there = choices.facets.of_films[column]
        yield from (value for value in every if value in there) if every else there
        yield from (name for name, values in named.items() if set(values) < there.keys())

    def also(choices: Choices) -> Iterable[str]:
        return (name for name, values in named.items() if not choices.facets.of_films[column].keys().isdisjoint(values))

    def values(choices: Choices) -> Iterable[str]:
        return (*(every or choices.facets.of_films[column]), *also(choices))

    def demanded(value: str, findings: Sequence[str]) -> Condition:
        return Among(column, named[value]) if value in named else Equals(column, value)

    word = Word(
        key,
        key,
        absent,
        values,
        write or (lambda cohort, value: as_word(value)),
        name,
        found,
        also,
    )
    return FilmFilter(
        word=word,
        title=title,
        demands=demanded,
        says=says,
        tells=tells,
        bound_to=bound_to,
        column=column,
        sql=sql,
        value_of=value_of or attrgetter(column),
        together=named,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AppearanceFilter(Choice):
    """A column of appearances equals a value. `sql` computes it from the file's columns, if it is not one of these."""

    column: str
    sql: str | None = None
    value_of: Callable[[Appearance], object]


def appearance_filter(
    key: str,
    title: str,
    titles: Mapping[Any, str],
    says: Callable[[Any], str],
    *,
    column: str | None = None,
    sql: str | None = None,
    value_of: Callable[[Appearance], object] | None = None,
) -> AppearanceFilter:
    """Return a filter by a column of appearances, by default named `key`; `titles` gives its values in order."""
    column = column or key

    def found(choices: Choices) -> Iterable[Any]:
        return (value for value in titles if value in choices.facets.appearances[column])

    return AppearanceFilter(
        word=Word(key, key, f"a {key} that is of no finding of this cohort", found, title=lambda value: titles[value]),
        title=title,
        demands=lambda value, findings: Looks(column, value),
        says=says,
        tells=True,
        of_findings=True,
        bound_to="cohort",
        column=column,
        sql=sql,
        value_of=value_of or attrgetter(column),
    )
