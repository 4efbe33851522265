"""Readers' ratings of one finding in a review: calls with their certainty, or calls alone if it is mostly missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from explorer.core.arrays import Floats
from explorer.core.reader_study import reader_name
from explorer.core.word_lists import and_list, quantity
from explorer.school.classroom.class_study import certainty_rating
from explorer.school.reviews.ratings import Ratings

LEAST_SAID = 0.5  # share of a reader's calls with a certainty from which on it counts


@dataclass(frozen=True, slots=True, eq=False)
class GradedRatings:
    """Ratings (films, readers) of one finding, higher if likelier, NaN where there is none.

    A rating is 1 certainly absent to 6 certainly present. For the readers in `by_calls`, counted from 0, it is the call
    alone: 1 present, 0 absent. `unsaid` counts, by reader, calls without certainty of the others, which have no rating.
    """

    values: Floats
    by_calls: tuple[int, ...]
    unsaid: Mapping[int, int]

    def sentences(self) -> Iterator[str]:
        """Yield how the ratings come from votes."""
        if len(self.by_calls) < self.values.shape[1]:
            yield (
                "Ratings run from 1, certainly absent, to 6, certainly present; 3 and 4 are guesses. One certainty "
                "covers all findings of a vote."
            )
        if self.by_calls:
            who = and_list([reader_name(reader) for reader in self.by_calls])
            yield (
                f"Calls alone, 1 or 0, without certainty on most films: {who}. Such an AUROC is the mean of "
                "sensitivity and specificity, which is mostly lower than that of graded ratings."
            )
        if self.unsaid:
            count = quantity(sum(self.unsaid.values()), "vote")
            each = and_list([f"{reader_name(reader)} {found:,}" for reader, found in self.unsaid.items()])
            yield f"Not rated: {count} without certainty ({each})."


def graded_ratings(ratings: Ratings, finding: str) -> GradedRatings:
    """Return each reader's ratings of a finding that the review asks about.

    A reader who says the certainty of at least half of their calls is rated by it, and their other calls have no
    rating: any grade would be a guess. A reader who says it less often is rated by calls alone.
    """
    calls = ratings.present[:, :, ratings.review.findings.index(finding)]
    values, by_calls, unsaid = np.full_like(calls, np.nan), [], {}
    for reader in range(ratings.readers):
        called, sure = calls[:, reader], ratings.certainty[:, reader]
        there = ~np.isnan(called)
        said = there & ~np.isnan(sure)
        if said.sum() < LEAST_SAID * there.sum() or not there.any():
            values[:, reader] = called
            by_calls += [reader] if there.any() else []
            continue
        values[said, reader] = [
            certainty_rating(int(each), called=call == 1) for each, call in zip(sure[said], called[said], strict=True)
        ]
        if lacking := int((there & ~said).sum()):
            unsaid[reader] = lacking
    return GradedRatings(values, tuple(by_calls), unsaid)
