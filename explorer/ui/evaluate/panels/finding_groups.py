"""Operating points of classes of learners and of reviews, shown like the radiologists in CheXpert's Figure 3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.analysis.one_finding.film_readers import FilmReader, film_reader
from explorer.analysis.one_finding.scores import FindingScores, OperatingMark
from explorer.core.arrays import Floats
from explorer.core.reader_study import reader_name
from explorer.school.classroom.class_calls import ClassCalls, class_calls
from explorer.school.reviews.cohort_reviews import CohortReview, cohort_reviews
from explorer.school.reviews.graded_ratings import graded_ratings
from explorer.school.reviews.protocols import LEAST_READERS


@dataclass(frozen=True, slots=True)
class ReadingGroup:
    """A class or a review that read films of the slice: the calls of its majority (`most`) and of each member.

    `members` is the word for them, such as learners. `readers` are the majority, if there is one, and the members, with
    their certainty as ratings. `made_labels`: a review's readers made the labels that count here.
    """

    title: str
    members: str
    most: OperatingMark | None
    each: tuple[OperatingMark, ...]
    readers: tuple[FilmReader, ...]
    made_labels: bool = False

    @property
    def marks(self) -> Iterator[OperatingMark]:
        """Yield all marks, the majority's first."""
        if self.most is not None:
            yield self.most
        yield from self.each


def reading_groups(
    cohort: str, one: FindingScores, cases: Sequence[str], label_source: str | None
) -> tuple[ReadingGroup, ...]:
    """Return classes and reviews that were asked for the finding on the compared cases (n,).

    `one` holds the models' scores; `label_source` is the one that counts, None if all do.
    """
    found = [_of_class(one, cases, each) for each in class_calls(cohort, one.finding)]
    for review in cohort_reviews(cohort):
        if one.finding in review.ratings.review.findings:
            found.append(_of_review(one, cases, review, cohort, label_source))
    return tuple(each for each in found if each.each)


def _of_class(one: FindingScores, cases: Sequence[str], calls: ClassCalls) -> ReadingGroup:
    most = film_reader(f"most of {calls.title}", cases, calls.majority, {})
    learners = [
        film_reader(f"learner {number}, {calls.title}", cases, called, calls.ratings.get(number, {}))
        for number, called in calls.learners.items()
    ]
    return _group(calls.title, "learners", one, most, learners)


def _of_review(
    one: FindingScores, cases: Sequence[str], held: CohortReview, cohort: str, label_source: str | None
) -> ReadingGroup:
    ratings, review = held.ratings, held.ratings.review
    title, place = f"the review {review.name}", review.findings.index(one.finding)
    graded = graded_ratings(ratings, one.finding)
    films = [film.case for film in review.films]
    calls = ratings.present[:, :, place]
    several = (~np.isnan(calls)).sum(1) >= LEAST_READERS
    majority = np.where(several, ratings.majority()[:, place], np.nan)
    readers = [
        film_reader(
            f"{reader_name(reader)}, {title}",
            cases,
            _by_case(films, calls[:, reader]),
            {} if reader in graded.by_calls else _by_case(films, graded.values[:, reader]),
        )
        for reader in range(ratings.readers)
    ]
    sources = held.sources(cohort)
    made = bool(sources) if label_source is None else label_source in sources
    most = film_reader(f"most of {title}", cases, _by_case(films, majority), {})
    return _group(title, "readers", one, most, readers, made_labels=made)


def _by_case(cases: Sequence[str], values: Floats) -> dict[str, float]:
    return {case: value for case, value in zip(cases, values.tolist(), strict=True) if value == value}


def _group(
    title: str,
    members: str,
    one: FindingScores,
    most: FilmReader,
    each: Sequence[FilmReader],
    *,
    made_labels: bool = False,
) -> ReadingGroup:
    marked = [(reader, mark) for reader in each if (mark := reader.mark(one)) is not None]
    majority = most.mark(one)
    readers = (*([most] if majority is not None else []), *(reader for reader, _ in marked))
    return ReadingGroup(title, members, majority, tuple(mark for _, mark in marked), readers, made_labels)
