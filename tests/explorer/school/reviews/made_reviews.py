"""Reviews of a few films, made without a cohort, and their votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path

from explorer.school.reviews.allocation import allocated
from explorer.school.reviews.ratings import Ratings, ratings_of
from explorer.school.reviews.review import Reading, Review, ReviewFilm, ReviewRules, Vote
from explorer.school.reviews.review_database import KeptVote, ReviewDatabase, make_review

FINDINGS = ("Mass", "Nodule", "Pleural Effusion")
NO_REPEATS = ReviewRules(repeats=0.0)
_IDS = count()


def review_of(
    suggested: Sequence[tuple[str, ...] | None], findings: Sequence[str] = FINDINGS, rules: ReviewRules = NO_REPEATS
) -> Review:
    """A review with one film for each suggestion, called f0, f1, ..."""
    films = tuple(ReviewFilm(f"f{place}", "films", f"f{place}.png", each) for place, each in enumerate(suggested))
    return Review("small", "cohort", "All films", "a file", False, tuple(findings), rules, films)


def database_of(place: Path, review: Review, readers: int = 3) -> ReviewDatabase:
    """The review on disk, its films shared among readers with the codes AAAA0, AAAA1, ..."""
    file = place / "small.sqlite"
    shares = allocated(len(review.films), readers, review.rules)
    make_review(file, review, shares, [f"AAAA{reader}" for reader in range(readers)])
    return ReviewDatabase(file)


def kept(reader: int, film: int, vote: Vote, *, again: bool = False, revision: int = 1) -> KeptVote:
    return KeptVote(Reading(reader, 100 * again + film, film, again), revision, "2026-11-28T10:00:00Z", vote)


def own(*findings: str) -> Vote:
    """The vote of a reader to whom nothing was suggested."""
    return Vote("own findings", frozenset(findings))


def ratings_by(review: Review, readers: Sequence[Mapping[int, Vote]], more: Iterable[KeptVote] = ()) -> Ratings:
    """The votes of each reader by film."""
    votes = [kept(reader, film, vote) for reader, by_film in enumerate(readers) for film, vote in by_film.items()]
    return ratings_of(review, len(readers), [*votes, *more])


def next_id() -> str:
    return f"vote-{next(_IDS)}"
