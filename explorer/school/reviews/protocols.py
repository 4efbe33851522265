"""How votes become labels: a majority, a third reader for ties, two of three alike, or REVEAL-CXR's selection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.core.figures import percent_text
from explorer.core.word_lists import and_list, quantity
from explorer.school.reviews.ratings import AGREE_ALL, Ratings
from explorer.school.reviews.review import ReviewRefusal

Protocol = Literal["majority", "adjudicated", "two-of-three", "reveal"]
Half = Literal["released", "held out"]

PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
LEAST_READERS = 2
LEAST_AGREE_ALL = 2  # of REVEAL-CXR's three readers
RARE_BELOW = 0.25  # share of films: separates REVEAL-CXR's nine less common findings (to 0.230) from its three common
BENCHMARK_FILMS = 200
_UNCERTAIN = -1.0  # equal to itself, unlike NaN


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedLabels:
    """The labels (films, findings) of a release: 1, 0, NaN unknown; `halves` by film of REVEAL-CXR's procedure.

    `notes` are sentences on what was chosen and left out, with counts.
    """

    labels: Floats
    notes: tuple[str, ...]
    halves: Mapping[int, Half]


def released_labels(
    ratings: Ratings, protocol: Protocol, rare: Sequence[str] = (), size: int | None = None, seed: int = 0
) -> ReleasedLabels:
    """Return the labels that a protocol makes of the votes. `rare`, `size` and `seed` are of `reveal` alone.

    - `majority`: of two readers or more; a tie is unknown.
    - `adjudicated`: the same, but a film on which readers still tie is left out whole. With two readers and a third for
      what they disagree on, this is the gold standard of CXR-LT 2023 (Holste et al. 2024, section 2.1.2).
    - `two-of-three`: films of which at least two readers name the same findings, as in the external test set of
      CXR-LT 2026.
    - `reveal`: see `reveal_selection`.

    Raises ReviewRefusal if no film is left.
    """
    made = {
        "majority": lambda: _majority(ratings, whole=False),
        "adjudicated": lambda: _majority(ratings, whole=True),
        "two-of-three": lambda: _two_alike(ratings),
        "reveal": lambda: reveal_selection(ratings, rare, size, seed),
    }[protocol]()
    if np.isnan(made.labels).all():
        raise ReviewRefusal(
            "There is nothing to release yet", f"No film meets the protocol {protocol}. {' '.join(made.notes)}"
        )
    return made


def _majority(ratings: Ratings, *, whole: bool) -> ReleasedLabels:
    labels, tied = ratings.majority(), ratings.ties()
    few = ratings.readers_of_films() < LEAST_READERS
    alone = (~np.isnan(ratings.present)).sum(1) < LEAST_READERS
    labels[alone] = np.nan
    notes = [f"{quantity(int((~few).sum()), 'film has', 'films have')} at least {LEAST_READERS} readers."]
    if few.any():
        notes.append(
            f"{quantity(int(few.sum()), 'film is', 'films are')} left out: fewer than {LEAST_READERS} readers."
        )
    if unsure := int((alone & ~few[:, None]).sum()):
        notes.append(
            f"{quantity(unsure, 'label stays', 'labels stay')} unknown, because readers left the suggestion uncertain."
        )
    if tied.any():
        films = int(tied.any(1).sum())
        where = f"{quantity(int(tied.sum()), 'label')} of {quantity(films, 'film')}"
        if whole:
            labels[tied.any(1)] = np.nan
            notes.append(f"{quantity(films, 'film is', 'films are')} left out: readers tie on {where}.")
        else:
            notes.append(f"Readers tie on {where}: these labels stay unknown.")
        notes.append("`review adjudicate` gives them to a further reader.")
    return ReleasedLabels(labels, tuple(notes), {})


def _two_alike(ratings: Ratings) -> ReleasedLabels:
    labels = np.full((len(ratings.present), len(ratings.review.findings)), np.nan)
    left_out = 0
    for film, rows in enumerate(ratings.present):
        read = rows[~np.isnan(rows).all(1)]
        lists = Counter(tuple(row) for row in np.nan_to_num(read, nan=_UNCERTAIN).tolist()).most_common(2)
        if lists and lists[0][1] >= LEAST_READERS and (len(lists) == 1 or lists[1][1] < lists[0][1]):
            labels[film] = [np.nan if label == _UNCERTAIN else label for label in lists[0][0]]
        else:
            left_out += 1
    kept = len(labels) - left_out
    notes = [f"{quantity(kept, 'film has', 'films have')} two readers who name the same findings."]
    if left_out:
        notes.append(f"{quantity(left_out, 'film is', 'films are')} left out: no two readers name the same findings.")
    return ReleasedLabels(labels, tuple(notes), {})


def reveal_selection(
    ratings: Ratings, rare: Sequence[str] = (), size: int | None = None, seed: int = 0
) -> ReleasedLabels:
    """Return the suggested labels of the films that REVEAL-CXR's procedure selects, in two random halves.

    Films with two votes "agree all" or more are eligible. Those with a rare finding come first, then those with most
    findings, ties in random order, until there are `size` (default 200, or all). Each of the two groups is split at
    random. `rare` defaults to the findings suggested on fewer than 25 % of the review's films. Source: Wei et al.,
    arXiv 2601.15129, section 2.3: 381 eligible films, 123 with a rare finding, 77 more. Raises ReviewRefusal if nothing
    was suggested.
    """
    review = ratings.review
    if not review.suggests:
        raise ReviewRefusal(
            "This review suggested no labels", "REVEAL-CXR's procedure selects by agreement with suggested labels."
        )
    random = np.random.default_rng([seed, len(review.films)])
    suggested = [frozenset(film.suggested or ()) for film in review.films]
    rare = tuple(rare) or _rare_findings(review.findings, suggested)
    agreed = (ratings.verdicts == AGREE_ALL).sum(1)
    eligible = [int(film) for film in np.flatnonzero(agreed >= LEAST_AGREE_ALL)]
    luck = random.permutation(len(review.films))
    order = sorted(eligible, key=lambda film: (not suggested[film] & set(rare), -len(suggested[film]), luck[film]))
    first = [film for film in order if suggested[film] & set(rare)]
    taken = order[: size or BENCHMARK_FILMS]
    taken = taken[: len(taken) - len(taken) % 2]  # two equal halves
    halves = _halves(
        [film for film in taken if film in set(first)], [film for film in taken if film not in set(first)], random
    )
    labels = np.full((len(review.films), len(review.findings)), np.nan)
    for film in halves:
        uncertain = review.films[film].uncertain
        labels[film] = [np.nan if name in uncertain else float(name in suggested[film]) for name in review.findings]
    with_rare = sum(film in set(first) for film in taken)
    three = sum(int(agreed[film]) > LEAST_AGREE_ALL for film in taken)
    notes = (
        f"{quantity(len(eligible), 'film')} of {len(review.films):,} have at least {LEAST_AGREE_ALL} votes for all "
        f"suggested labels.",
        f"{len(first):,} of them have a rare finding ({and_list(rare) or 'none'}); {with_rare:,} of these and "
        f"{len(taken) - with_rare:,} others with most findings are selected.",
        f"On {three:,} of the {len(taken):,} selected films, three readers or more agree with all labels.",
    )
    return ReleasedLabels(labels, notes, halves)


def _rare_findings(findings: Sequence[str], suggested: Sequence[frozenset[str]]) -> tuple[str, ...]:
    counts = Counter(name for each in suggested for name in each)
    return tuple(name for name in findings if 0 < counts[name] < RARE_BELOW * len(suggested))


def _halves(first: Sequence[int], others: Sequence[int], random: np.random.Generator) -> dict[int, Half]:
    """Split each group at random, the second so that both halves are equal."""
    halves: dict[int, Half] = {}
    for group in (first, others):
        shuffled = [group[int(place)] for place in random.permutation(len(group))]
        released = sum(half == "released" for half in halves.values())
        here = (len(halves) + len(group)) // 2 - released
        halves |= {film: "released" if place < here else "held out" for place, film in enumerate(shuffled)}
    return halves


def rare_words() -> str:
    """Return how rare findings are chosen by default, for help texts."""
    return f"findings suggested on fewer than {percent_text(RARE_BELOW)} of the films"


def counts_by_half(values: Sequence[tuple[Half, str]]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the categories of some values, and how often each is in the released and the held-out half (n, 2)."""
    names = sorted({value for _, value in values})
    table = np.zeros((len(names), 2), np.int64)
    for half, value in values:
        table[names.index(value), 0 if half == "released" else 1] += 1
    return names, table
