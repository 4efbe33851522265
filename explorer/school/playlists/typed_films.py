"""Parses a typed list of films: one name per line, with or without its cohort."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from explorer.core.word_lists import comma_list, quantity
from explorer.school.playlists.drawing import DrawnFilms
from explorer.school.playlists.playlist import MAX_FILMS, FilmQuestion, PlaylistFilm, WrongPlaylist
from explorer.simulator import WrongRequest
from explorer.simulator.address import ADDRESS_PREFIXES, parse_film_address

if TYPE_CHECKING:
    from explorer.store.store import Store

MAX_LIST_LINES = 2000
MAX_LISTED_NAMES = 10  # at most this many missing films are named in a sentence
_ENDINGS = (".png", ".jpg", ".jpeg", ".dcm", ".tif", ".tiff")


def typed_films(store: Store, text: str, question: FilmQuestion, first: str = "") -> DrawnFilms:
    """Return the films of a list's lines: `case`, `cohort/case`, `cohort, case`, or the address of a simulated film.

    A name without a cohort is searched in `first`, then in the other cohorts, with and without a file extension. Notes
    report missing, repeated and ambiguous names. Raises WrongPlaylist if the list is empty or too long.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or len(lines) > MAX_LIST_LINES:
        what = "The list is empty" if not lines else f"A list has up to {MAX_LIST_LINES:,} lines"
        raise WrongPlaylist(what, "Type one image id or cohort/case per line.")
    cohorts = [each.name for each in store.cohorts()]
    order = sorted(cohorts, key=lambda name: name != first)
    requested = [_cohort_and_case(line, cohorts) for line in lines]
    existing = _existing_cases(store, requested, order)
    films, missing, repeats, ambiguous = dict[PlaylistFilm, None](), [], 0, []
    for line, (cohort, case) in zip(lines, requested, strict=True):
        found = _matches(cohort, case, order, existing)
        if not found:
            missing.append(line)
            continue
        if len(found) > 1:
            ambiguous.append(f"{case} of {found[0][0]}")
        film = PlaylistFilm(*found[0], question)
        repeats += film in films
        films[film] = None
    notes = [*_missing_words(missing), *_several_words(ambiguous)]
    if repeats:
        notes.append(f"{quantity(repeats, 'line')} left out as repeats.")
    if len(films) > MAX_FILMS:
        notes.append(f"{quantity(len(films) - MAX_FILMS, 'film')} over {MAX_FILMS} left out.")
    return DrawnFilms(tuple(films)[:MAX_FILMS], tuple(notes))


def _cohort_and_case(line: str, cohorts: Sequence[str]) -> tuple[str | None, str]:
    """Return the cohort and the case of a line; the cohort is None if not named, "" for an address."""
    if line.startswith(ADDRESS_PREFIXES):
        return "", line
    for mark in ("/", ",", "\t", ";"):
        cohort, found, case = line.partition(mark)
        if found and cohort.strip() in cohorts:
            return cohort.strip(), case.strip()
    return None, line


def _existing_cases(
    store: Store, requested: Iterable[tuple[str | None, str]], cohorts: Sequence[str]
) -> dict[str, frozenset[str]]:
    """Return the requested cases that each cohort has."""
    named = list(requested)
    found: dict[str, frozenset[str]] = {}
    for name in cohorts:
        cases = {each for cohort, case in named if cohort in (None, name) for each in _spellings(case)}
        found[name] = frozenset(line.case for line in store.cases(name, sorted(cases))) if cases else frozenset()
    return found


def _matches(
    cohort: str | None, case: str, cohorts: Sequence[str], existing: dict[str, frozenset[str]]
) -> list[tuple[str, str]]:
    if cohort == "":
        try:
            parse_film_address(case)
        except WrongRequest:
            return []
        return [("", case)]
    places = cohorts if cohort is None else [cohort]
    first = ((place, next((each for each in _spellings(case) if each in existing[place]), None)) for place in places)
    return [(place, each) for place, each in first if each is not None]


def _spellings(case: str) -> list[str]:
    """Return the name as typed, and the name without an image file's extension."""
    stem, dot, ending = case.rpartition(".")
    return [case, stem] if stem and dot + ending.lower() in _ENDINGS else [case]


def _missing_words(missing: Sequence[str]) -> list[str]:
    if not missing:
        return []
    more = f" and {len(missing) - MAX_LISTED_NAMES} more" if len(missing) > MAX_LISTED_NAMES else ""
    return [
        f"{quantity(len(missing), 'line')} not found: "
        f"{comma_list(line[:80] for line in missing[:MAX_LISTED_NAMES])}{more}."
    ]


def _several_words(ambiguous: Sequence[str]) -> list[str]:
    if not ambiguous:
        return []
    more = f" and {len(ambiguous) - MAX_LISTED_NAMES} more" if len(ambiguous) > MAX_LISTED_NAMES else ""
    return [
        f"Found in several cohorts; used {comma_list(ambiguous[:MAX_LISTED_NAMES])}{more}. Write cohort/case to choose "
        "another."
    ]
