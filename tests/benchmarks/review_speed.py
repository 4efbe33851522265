"""A review: how long a vote takes until it is durable, and the agreement of a review as large as REVEAL-CXR's."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from explorer.school.reviews.agreement_table import agreement_table
from explorer.school.reviews.allocation import allocated
from explorer.school.reviews.ratings import Ratings, ratings_of
from explorer.school.reviews.review import ReviewRules, Vote
from explorer.school.reviews.review_database import KeptVote
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure
from tests.explorer.school.reviews.made_reviews import review_of
from tests.explorer.school.reviews.served_review import ServedRoom, served_review, voted

READERS, FINDINGS = 17, 12  # of REVEAL-CXR
AT_ONCE = 3  # readers who vote at once


def measured(asked: argparse.Namespace) -> Iterator[Figure]:
    """Votes over the review's own server, and the table of agreement."""
    films, votes = (20, 5) if asked.small else (1_000, 100)
    with TemporaryDirectory() as name, served_review(Path(name), [()] * votes, AT_ONCE) as room:
        with ThreadPoolExecutor(AT_ONCE) as readers:
            times = [
                each for reader in readers.map(lambda number: _votes(room, number), range(AT_ONCE)) for each in reader
            ]
    yield Figure(f"a vote until durable, 95 of 100 ({len(times)})", float(np.percentile(times, 95)), "ms", 300)
    ratings = _ratings(films)
    begun = time.perf_counter()
    agreement_table(ratings, resamples=10 if asked.small else 1_000)
    yield Figure(f"agreement on {films:,} films, {READERS} readers", time.perf_counter() - begun, "s", 30)


def _votes(room: ServedRoom, reader: int) -> list[float]:
    """The milliseconds of each vote of a reader."""
    device, times = room.device(reader), []
    for film in range(len(room.database.review.films)):
        begun = time.perf_counter()
        assert voted(device, film).status == 200
        times.append(1000 * (time.perf_counter() - begun))
        time.sleep(0.1)  # nobody reads films faster than the server lets them ask
    return times


def _ratings(films: int) -> Ratings:
    """Three readers of each film, who add a finding to two fifths of the suggestions."""
    random = np.random.default_rng(0)
    names = tuple(f"Finding {number}" for number in range(FINDINGS))
    suggested = [tuple(name for name in names if random.random() < 0.2) for _ in range(films)]
    review = review_of(suggested, names)
    votes = []
    for reading in (each for share in allocated(films, READERS, ReviewRules(per_film=3)) for each in share):
        more = names[int(random.integers(FINDINGS))]
        added = frozenset({more} - set(suggested[reading.film])) if random.random() < 0.4 else frozenset()
        votes.append(KeptVote(reading, 1, "", Vote("agree mostly" if added else "agree all", added)))
    return ratings_of(review, READERS, votes)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
