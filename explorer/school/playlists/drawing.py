"""Draws films for a playlist from a slice of a cohort: randomly with a seed, balanced, each patient only once.

The draw depends only on the slice and the seed, not on the order of rows.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from explorer.core.word_lists import quantity
from explorer.school.playlists.balance import balanced_draw
from explorer.school.playlists.playlist import (
    ABOUT_ONE_FINDING,
    FilmQuestion,
    PlaylistFilm,
    QuestionKind,
    WrongPlaylist,
)
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

Balance = Literal["none", "finding", "outcome"]
BALANCES: tuple[Balance, ...] = get_args(Balance)


@dataclass(frozen=True, slots=True)
class SlicePair:
    """A (film, finding) pair of a slice; `patient` is the film itself if the patient is unknown."""

    case: str
    finding: str
    outcome: str | None
    patient: str


@dataclass(frozen=True, slots=True)
class DrawnFilms:
    """Films for a playlist, and notes on anything that the teacher may not expect."""

    films: tuple[PlaylistFilm, ...]
    notes: tuple[str, ...] = ()


def draw_from_slice(
    store: Store,
    chosen: Slice,
    n: int,
    seed: int,
    balance: Balance = "none",
    kind: QuestionKind = "findings",
    keep: Callable[[str, FilmQuestion], bool] = lambda case, question: True,
) -> DrawnFilms:
    """Return n films of a slice in random order, each with a question of one kind.

    Only films are drawn that `keep`, given the case and its question, accepts. A question about one finding is about
    the finding of the pair for which the film was drawn. Raises WrongPlaylist for an empty slice, and for pair
    questions, which need simulated films; also TooManyRows and other errors of the store.
    """
    if kind == "pair":
        raise WrongPlaylist("Films of a cohort have no twin", "Choose another question, or draw simulated films.")
    kept = (pair for pair in slice_pairs(store, chosen) if keep(pair.case, question_about(kind, pair.finding)))
    pairs, notes = draw_pairs(kept, n, seed, balance)
    if not pairs:
        raise WrongPlaylist("There is no film to draw", "Widen the slice, or balance by something else.")
    by_model = balance == "outcome" or chosen != chosen.population()
    picked_by = chosen.model if by_model else ""
    films = (
        PlaylistFilm(
            chosen.cohort,
            each.case,
            question_about(kind, each.finding),
            target=each.finding if kind == "findings" and chosen.picks_pairs else "",
            picked_by=picked_by,
        )
        for each in pairs
    )
    return DrawnFilms(tuple(films), notes)


def question_about(kind: QuestionKind, finding: str) -> FilmQuestion:
    """Return a question of a kind, about the finding if the kind asks about one."""
    return FilmQuestion(kind, finding if kind in ABOUT_ONE_FINDING else None)


def slice_pairs(store: Store, chosen: Slice) -> list[SlicePair]:
    """Return the pairs of a slice. Raises TooManyRows and other errors of the store."""
    table = store.rows(chosen)
    columns = (table[name].to_pylist() for name in ("case", "finding", "outcome", "patient"))
    return [
        SlicePair(case, finding, outcome, f"film {case}" if patient is None else f"patient {patient}")
        for case, finding, outcome, patient in zip(*columns, strict=True)
    ]


def draw_pairs(
    pairs: Iterable[SlicePair], n: int, seed: int, balance: Balance
) -> tuple[list[SlicePair], tuple[str, ...]]:
    """Return n pairs of different films, of different patients while there are enough, and notes about the draw."""
    notes: list[str] = []
    group_of = _GROUPS[balance]
    groups: dict[str, list[SlicePair]] = {}
    for pair in sorted(pairs, key=lambda pair: (_sort_key(seed, pair.case, pair.finding), pair.case, pair.finding)):
        groups.setdefault(group_of(pair), []).append(pair)
    if balance == "outcome" and (bare := groups.pop(_NO_OUTCOME, [])):
        notes.append(f"{quantity(len(bare), 'pair')} without an outcome left out.")
    found = _balanced(groups, n, lambda pair: pair.patient, {})
    if len(found) < n:
        films, counts = {pair.case for pair in found}, Counter(group_of(pair) for pair in found)
        rest = {name: [pair for pair in those if pair.case not in films] for name, those in groups.items()}
        more = _balanced(rest, n - len(found), lambda pair: pair.case, counts)
        if more:
            notes.append(
                f"Only {quantity(len(found), 'patient')} found: added {quantity(len(more), 'more film')} of the same "
                "ones."
            )
        found += more
    if len(found) < n:
        notes.append(f"Only {quantity(len(found), 'film')} found, not {n:,}.")
    if balance != "none" and found:
        notes.append(_counts_words(Counter(group_of(pair) for pair in found)))
    return sorted(found, key=lambda pair: (_sort_key(seed, "order", pair.case), pair.case)), tuple(notes)


def _balanced(
    groups: Mapping[str, Sequence[SlicePair]], n: int, unit: Callable[[SlicePair], str], counted: Mapping[str, int]
) -> list[SlicePair]:
    first: dict[tuple[str, str], SlicePair] = {}
    for name, pairs in groups.items():
        for pair in pairs:
            first.setdefault((name, unit(pair)), pair)
    units = {name: [unit(pair) for pair in pairs] for name, pairs in groups.items()}
    return [first[name, each] for each, name in balanced_draw(units, n, counted).items()]


def _counts_words(counts: Counter[str]) -> str:
    """Return how many films each group has: `5 to 6 films each of 4`, or by name if there are few groups."""
    if len(counts) <= len(_FEW):
        return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) + "."
    least, most = min(counts.values()), max(counts.values())
    each = quantity(least, "film") if least == most else f"{least} to {quantity(most, 'film')}"
    return f"{each} each of {len(counts)} findings."


def _sort_key(seed: int, *names: str) -> bytes:
    """Return a pseudorandom sort key, the same for the same seed and names."""
    return hashlib.sha256("/".join((str(seed), *names)).encode()).digest()


_NO_OUTCOME = ""
_FEW = range(6)
_GROUPS: dict[Balance, Callable[[SlicePair], str]] = {
    "none": lambda pair: "",
    "finding": lambda pair: pair.finding,
    "outcome": lambda pair: pair.outcome or _NO_OUTCOME,
}
