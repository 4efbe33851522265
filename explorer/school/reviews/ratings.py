"""The votes of a review as arrays: verdicts, findings, repeats, and the majority."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.metrics.agreement import majority_of_all
from explorer.school.reviews.review import PLACES, SIDES, SUGGESTED_VERDICTS, Review, ReviewFilm, Vote
from explorer.school.reviews.review_database import KeptVote

AGREE_ALL = float(SUGGESTED_VERDICTS.index("agree all"))
VERDICT_CODES = tuple(float(code) for code in range(len(SUGGESTED_VERDICTS)))


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """The votes that count; NaN where a reader did not read a film or left no opinion.

    `verdicts` (films, readers) are indices into SUGGESTED_VERDICTS, all NaN where nothing was suggested. `present`
    (films, readers, findings) is 1 or 0, NaN also for a suggestion left uncertain; a reader who disagrees without a
    correction has no opinion on findings, which `uncorrected` counts. `sides` and `places` (films, readers, findings)
    are indices into SIDES and PLACES where a reader says where a finding is. `certainty` (films, readers) is 1 a guess,
    2 probable, 3 certain, NaN where it was left out. `repeats` (n, 2) has a reader's first vote on a film and the one
    on its hidden repeat. `changed` counts votes that their readers replaced.
    """

    review: Review
    verdicts: Floats
    present: Floats
    sides: Floats
    places: Floats
    certainty: Floats
    repeats: tuple[tuple[int, int, Vote, Vote], ...]  # reader, film, first, again
    uncorrected: int
    changed: int

    @property
    def readers(self) -> int:
        return int(self.verdicts.shape[1])

    def readers_of_films(self) -> NDArray[np.intp]:
        """Return how many readers rated the findings of each film (films,)."""
        return np.asarray((~np.isnan(self.present)).any(-1).sum(1), np.intp)

    def majority(self) -> Floats:
        """Return the majority's label (films, findings): 1, 0, or NaN for a tie or without votes."""
        films, readers, findings = self.present.shape
        flat = self.present.transpose(0, 2, 1).reshape(films * findings, readers)
        return most_chosen(flat).reshape(films, findings)

    def ties(self) -> NDArray[np.bool_]:
        """Return where two readers or more disagree without a majority (films, findings)."""
        return np.isnan(self.majority()) & (~np.isnan(self.present)).any(1) & (self.readers_of_films() >= 2)[:, None]

    def open_labels(self) -> list[tuple[int, tuple[str, ...]]]:
        """Return the films that need another reader, with the findings on which their readers tie."""
        tied, names = self.ties(), self.review.findings
        return [
            (int(film), tuple(names[int(place)] for place in np.flatnonzero(tied[film])))
            for film in np.flatnonzero(tied.any(1))
        ]


def ratings_of(review: Review, readers: int, votes: Iterable[KeptVote]) -> Ratings:
    """Return the votes of a review as arrays; a reader's last vote on a reading counts."""
    last: dict[tuple[int, int], KeptVote] = {}
    changed = 0
    for each in votes:
        key = each.reading.reader, each.reading.place
        changed += key in last
        if key not in last or last[key].revision < each.revision:
            last[key] = each
    verdicts = np.full((len(review.films), readers), np.nan)
    certainty = np.full_like(verdicts, np.nan)
    present = np.full((len(review.films), readers, len(review.findings)), np.nan)
    sides, places = np.full_like(present, np.nan), np.full_like(present, np.nan)
    first: dict[tuple[int, int], Vote] = {}
    again: dict[tuple[int, int], Vote] = {}
    uncorrected = 0
    for kept in last.values():
        reader, film = kept.reading.reader, kept.reading.film
        (again if kept.reading.again else first)[reader, film] = kept.vote
        if kept.reading.again:
            continue
        if kept.vote.verdict in SUGGESTED_VERDICTS:
            verdicts[film, reader] = SUGGESTED_VERDICTS.index(kept.vote.verdict)
        certainty[film, reader] = np.nan if kept.vote.certainty is None else kept.vote.certainty
        row = _present(kept.vote, review.films[film], review.findings)
        if row is None:
            uncorrected += 1
        else:
            present[film, reader] = row
        for name, site in kept.vote.sites.items():
            at = film, reader, review.findings.index(name)
            sides[at] = np.nan if site.side is None else SIDES.index(site.side)
            places[at] = np.nan if site.place is None else PLACES.index(site.place)
    pairs = tuple((*key, first[key], again[key]) for key in sorted(first.keys() & again.keys()))
    return Ratings(review, verdicts, present, sides, places, certainty, pairs, uncorrected, changed)


def _present(vote: Vote, film: ReviewFilm, names: Sequence[str]) -> Floats | None:
    """Return 1, 0 or NaN (uncertain) for each finding (findings,); None if the vote leaves no opinion."""
    seen, uncertain = vote.findings(film.suggested), vote.left_uncertain(film.uncertain)
    if seen is None:
        return None
    return np.array([np.nan if name in uncertain else float(name in seen) for name in names])


def most_chosen(ratings: Floats) -> Floats:
    """Return the rating that most raters gave each row (n, raters), (n,): 1, 0, or NaN for a tie or without ratings."""
    if ratings.shape[1] == 1:
        return ratings[:, 0].copy()
    return majority_of_all(ratings)[:, 0]


def repeated_ratings(ratings: Ratings, reader: int | None = None) -> tuple[Floats, NDArray[np.intp]]:
    """Return first and repeated ratings of findings (rows, 2), and the film of each row; of one reader or of all.

    Repeats with a vote that leaves no opinion are left out.
    """
    rows: list[Floats] = []
    films: list[int] = []
    names = ratings.review.findings
    for who, film, first, again in ratings.repeats:
        before, after = (_present(vote, ratings.review.films[film], names) for vote in (first, again))
        if (reader is None or who == reader) and before is not None and after is not None:
            pair = np.stack([before, after], axis=1)
            rows.append(pair[~np.isnan(pair).any(1)])
            films += [film] * len(rows[-1])
    pooled = np.concatenate(rows) if rows else np.empty((0, 2))
    return pooled, np.array(films, np.intp)
