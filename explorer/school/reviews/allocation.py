"""Shares the films of a review among its readers, in a seeded random order for each, with hidden repeats."""

from __future__ import annotations

import numpy as np

from explorer.core.word_lists import quantity
from explorer.school.reviews.review import MAX_FILMS, MAX_READERS, Reading, ReviewRefusal, ReviewRules

_REPEATS_FROM = 0.5  # share of a reader's films before the first repeat may come


def allocated(films: int, readers: int, rules: ReviewRules) -> tuple[tuple[Reading, ...], ...]:
    """Return each reader's sequence of readings. The same arguments give the same sequences.

    `everyone`: every reader reads every film. `blocks`: `rules.anchors` random films go to every reader, each of the
    others to the `rules.per_film` readers who have the fewest films, and among those who share the fewest with one
    another. Repeats are drawn from the first half of a sequence and come in its second half. Raises ReviewRefusal if
    the films cannot be shared so.
    """
    _refuse_impossible(films, readers, rules)
    random = np.random.default_rng([rules.seed, films, readers])
    order = [int(film) for film in random.permutation(films)]
    if rules.allocation == "everyone":
        shares = [list(order) for _ in range(readers)]
    else:
        shares = _blocks(order, readers, rules, random)
    longest = max(map(len, shares))
    if longest > rules.most:
        raise ReviewRefusal(
            "The readers cannot read that many films",
            f"{quantity(films, 'film')} shared among {quantity(readers, 'reader')} would give one of them "
            f"{longest:,}; at most {rules.most:,} are allowed. Add readers, choose fewer films, or raise --most.",
        )
    return tuple(_sequence(reader, share, rules.repeats, random) for reader, share in enumerate(shares))


def _refuse_impossible(films: int, readers: int, rules: ReviewRules) -> None:
    if not 1 <= films <= MAX_FILMS:
        raise ReviewRefusal(
            f"A review has 1 to {MAX_FILMS:,} films", f"These are {films:,}. Narrow the slice, or choose a sample."
        )
    if not 1 <= readers <= MAX_READERS:
        raise ReviewRefusal(f"A review has 1 to {MAX_READERS} readers", f"{readers} were asked for.")
    if rules.allocation == "blocks" and not 1 <= rules.per_film <= readers:
        raise ReviewRefusal(
            f"Each film cannot have {quantity(rules.per_film, 'reader')}",
            f"The review has {quantity(readers, 'reader')}. Add readers, or lower --per-film.",
        )
    if not 0 <= rules.anchors <= films:
        raise ReviewRefusal("That number of anchor films cannot be", f"Choose 0 to {films:,}.")
    if not 0 <= rules.repeats <= 0.5:  # a repeat needs an earlier film
        raise ReviewRefusal("That share of repeats cannot be", "Choose 0 to 0.5; 0.2 repeats every fifth film.")


def _blocks(order: list[int], readers: int, rules: ReviewRules, random: np.random.Generator) -> list[list[int]]:
    shares: list[list[int]] = [order[: rules.anchors] for _ in range(readers)]
    shared = np.zeros((readers, readers), np.int64)
    for film in order[rules.anchors :]:
        chosen: list[int] = []
        luck = random.permutation(readers)
        for _ in range(rules.per_film):
            rest = (reader for reader in range(readers) if reader not in chosen)
            chosen.append(min(rest, key=lambda one: (len(shares[one]), int(shared[one, chosen].sum()), luck[one])))
        for reader in chosen:
            shares[reader].append(film)
        shared[np.ix_(chosen, chosen)] += 1
    return shares


def _sequence(reader: int, share: list[int], repeats: float, random: np.random.Generator) -> tuple[Reading, ...]:
    films = [int(film) for film in random.permutation(share)]
    first = int(len(films) * _REPEATS_FROM)
    count = min(round(len(films) * repeats), first)
    again = [(int(film), True) for film in random.choice(films[:first], count, replace=False)] if count else []
    late = [*((film, False) for film in films[first:]), *again]
    shuffled = [late[int(place)] for place in random.permutation(len(late))]
    sequence = [*((film, False) for film in films[:first]), *shuffled]
    return tuple(Reading(reader, place, film, repeat) for place, (film, repeat) in enumerate(sequence))
