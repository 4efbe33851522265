"""What is said of films that were picked by what is true of some of their pairs of film and finding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from explorer.analysis.leaderboard.joint_scores import films_of
from explorer.store.marked import Marked
from explorer.store.slices import Slice, films_sentence

if TYPE_CHECKING:
    from explorer.store.store import Store


def of_films(store: Store, chosen: Slice) -> Slice:
    """The slice of the same films, the same one for all that have these: a finding that every film has a pair of is no
    part of it.
    """
    plain = chosen.of_films()
    return plain if plain == chosen or store.count(chosen).films else chosen


def picked_words(chosen: Slice) -> str:
    """Whose films these are, in words that go on from `on`: `films with misses of Mass by nih-mini in nih-oof`."""
    said = films_sentence(chosen)
    start = "" if said.startswith("Films of") else "films with "
    return f"{start}{said[0].lower()}{said[1:]}"


def picked_notes(chosen: Slice) -> Iterator[str]:
    """What a reader must know of the films of such a slice, in sentences; none of a slice of whole films."""
    if chosen.picks_pairs:
        yield f"Counted are films with at least one such pair, {_whose(chosen)}. All findings are measured on them."
    if chosen.population() != chosen:
        yield (
            f"These films were picked by what {chosen.model} says of them: its figures here, and differences to it, do "
            "not tell how good it is."
        )


def listed(store: Store, chosen: Slice) -> Slice:
    """All pairs of the same films, whatever picked these, of any model: the films by the names of their cases."""
    names, films = list(store.patients(chosen.cohort)), films_of(store, chosen)
    cases = tuple(names if films is None else (names[film] for film in films))
    alike = replace(Slice(chosen.cohort, chosen.model), source=chosen.source, center=chosen.center)
    return replace(alike, label_source=chosen.label_source, marked=Marked("list", cases, "these films"))


def _whose(chosen: Slice) -> str:
    """Of which finding the pair has to be."""
    if chosen.finding is not None:
        return f"of {chosen.finding}"
    if chosen.group is None and chosen.task is None:
        return "of any finding"
    return f"of any of the {' '.join(filter(None, (chosen.group, chosen.task)))} findings"
