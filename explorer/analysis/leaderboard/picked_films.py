"""Describes films selected by some of their (film, finding) pairs, and warns about the selection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from explorer.analysis.leaderboard.joint_scores import slice_films
from explorer.cohorts.counted import CASES, Counted
from explorer.store.marked import Marked
from explorer.store.slices import Slice, films_sentence

if TYPE_CHECKING:
    from explorer.store.store import Store


def whole_film_slice(store: Store, chosen: Slice) -> Slice:
    """Return a canonical slice of the same films, without a finding filter that every film passes."""
    plain = chosen.of_films()
    return plain if plain == chosen or store.count(chosen).films else chosen


def picked_words(chosen: Slice, counted: Counted = "film") -> str:
    """Describe the films in words that follow "on": `films with misses of Mass by nih-mini in nih-oof`."""
    sentence = films_sentence(chosen, counted=counted)
    lowered = f"{sentence[0].lower()}{sentence[1:]}"
    return lowered if sentence.startswith(f"{CASES[counted]} of") else f"{CASES[counted].lower()} with {lowered}"


def picked_notes(chosen: Slice) -> Iterator[str]:
    """Yield caveats about films selected by pairs or by scores; none for other slices."""
    if chosen.picks_pairs:
        yield f"Films with at least one such pair count, {_finding_phrase(chosen)}. All findings are measured on them."
    if chosen.population() != chosen:
        yield (
            f"These films were selected by the scores of {chosen.model}: its figures here, and differences from it, do "
            "not show how good it is."
        )


def listed_film_slice(store: Store, chosen: Slice) -> Slice:
    """Return a slice of the same films by case name, with all pairs, which works for any model."""
    names, films = list(store.patients(chosen.cohort)), slice_films(store, chosen)
    cases = tuple(names if films is None else (names[film] for film in films))
    alike = replace(Slice(chosen.cohort, chosen.model), source=chosen.source, center=chosen.center)
    read = replace(alike, label_source=chosen.label_source, uncertain=chosen.uncertain)
    return replace(read, marked=Marked("list", cases, "these films"))


def _finding_phrase(chosen: Slice) -> str:
    """Describe which finding the pair must have."""
    if chosen.finding is not None:
        return f"of {chosen.finding}"
    if chosen.group is None and chosen.task is None:
        return "of any finding"
    return f"of any of the {' '.join(filter(None, (chosen.group, chosen.task)))} findings"
