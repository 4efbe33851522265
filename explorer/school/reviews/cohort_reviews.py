"""Reviews of a cohort on this machine, whose readers appear beside the cohort's models."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from explorer.school.reviews.ratings import Ratings, ratings_of
from explorer.school.reviews.review import ReviewRefusal
from explorer.school.reviews.review_database import ReviewDatabase
from explorer.school.reviews.review_files import review_file, review_names

MAX_REVIEWS = 8  # the newest; a chart with more readers would be illegible
_Signature = tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CohortReview:
    """A review's votes so far, and each cohort and source of labels that its readers made."""

    ratings: Ratings
    releases: tuple[tuple[str, str], ...]

    def is_of(self, cohort: str) -> bool:
        """Return whether its films are those of the cohort: the reviewed one, or one that its labels went to."""
        return cohort == self.ratings.review.cohort or bool(self.sources(cohort))

    def sources(self, cohort: str) -> frozenset[str]:
        """Return the sources of labels of a cohort that its readers made."""
        return frozenset(source for name, source in self.releases if name == cohort)


def cohort_reviews(cohort: str) -> tuple[CohortReview, ...]:
    """Return the reviews of a cohort with votes, those with the latest votes first.

    Unreadable reviews are left out; `python -m explorer review list` names them.
    """
    return tuple(islice((each for each in _reviews() if each.is_of(cohort)), MAX_REVIEWS))


def released_reviews(cohort: str) -> tuple[CohortReview, ...]:
    """Return the reviews whose readers made labels of a cohort, those with the latest votes first."""
    return tuple(each for each in _reviews() if each.sources(cohort))


def _reviews() -> Iterator[CohortReview]:
    files = sorted(map(review_file, review_names()), key=_changed, reverse=True)
    return (each for file in files if (each := _read(file, _signature(file))) is not None)


@lru_cache(32)  # Evaluate asks again until intervals are ready, and each case asks
def _read(file: Path, _: _Signature) -> CohortReview | None:
    """Return a review; None if it has no vote or cannot be read."""
    try:
        with closing(ReviewDatabase(file)) as database:
            votes = database.votes()
            if not votes:
                return None
            return CohortReview(ratings_of(database.review, len(database.codes), votes), database.releases())
    except ReviewRefusal:
        return None


def _signature(file: Path) -> _Signature:
    """Return what changes with every vote: size and time of the file and of its WAL."""
    return tuple(_facts(each) for each in (file, _wal(file)))


def _facts(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _changed(file: Path) -> int:
    return max((facts[1] for each in (file, _wal(file)) if (facts := _facts(each))), default=0)


def _wal(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")
