"""Filters by a column of films, and by one of how a finding looks on its film."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from explorer.store.conditions import Among, Condition, Equals, Looks
from explorer.store.filter_kinds import Bound, Choice, Choices, Word, as_word

if TYPE_CHECKING:
    from explorer.store.results import Appearance, Case


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmFilter(Choice):
    """A column of films has one value. `sql` computes it from the columns of a cohort's cases where it is not one.

    `together` are names of several of its values.
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
    """A filter by a column of films, `key` unless it is named; `every`: its values in order, where films lack some.

    A name of several values `together` is shown where there are films of all of them, and of others, too.
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
    """A column of how a finding looks has one value. `sql` computes it from those of the file where it is not one."""

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
    """A filter by a column of appearances, `key` unless it is named; `titles` are those of its values, in order."""
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
