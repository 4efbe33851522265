"""Operating points of classes of learners, shown like the radiologists in CheXpert's Figure 3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.analysis.one_finding.film_readers import FilmReader, film_reader
from explorer.analysis.one_finding.scores import FindingScores, OperatingMark
from explorer.school.classroom.class_calls import ClassCalls, class_calls


@dataclass(frozen=True, slots=True)
class ClassMarks:
    """A class that read films of the slice: the calls of its majority (`most`) and of each learner.

    `readers` are the same, the majority first, with the learners' certainty as ratings.
    """

    title: str
    most: OperatingMark | None
    learners: tuple[OperatingMark, ...]
    readers: tuple[FilmReader, ...]

    @property
    def marks(self) -> Iterator[OperatingMark]:
        """Yield all marks, the majority's first."""
        if self.most is not None:
            yield self.most
        yield from self.learners


def class_marks(cohort: str, one: FindingScores, cases: Sequence[str]) -> tuple[ClassMarks, ...]:
    """Return classes that were asked for the finding on the compared cases (n,); `one` holds the models' scores."""
    found = (_marks(one, cases, each) for each in class_calls(cohort, one.finding))
    return tuple(each for each in found if each.learners)


def _marks(one: FindingScores, cases: Sequence[str], calls: ClassCalls) -> ClassMarks:
    most = film_reader(f"most of {calls.title}", cases, calls.majority, {})
    learners = [
        film_reader(f"learner {number}, {calls.title}", cases, called, calls.ratings.get(number, {}))
        for number, called in calls.learners.items()
    ]
    marked = [(each, mark) for each in learners if (mark := each.mark(one)) is not None]
    majority = most.mark(one)
    readers = (*([most] if majority is not None else []), *(each for each, _ in marked))
    return ClassMarks(calls.title, majority, tuple(mark for _, mark in marked), readers)
