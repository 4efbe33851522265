"""Operating points of classes of learners, shown like the radiologists in CheXpert's Figure 3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.analysis.one_finding.other_readers import compared_case_names, reader_marks
from explorer.analysis.one_finding.scores import FindingScores, OperatingMark
from explorer.school.classroom.class_calls import ClassCalls, class_calls
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class ClassMarks:
    """A class that read films of the slice: the calls of its majority (`most`) and of each learner."""

    title: str
    most: OperatingMark | None
    learners: tuple[OperatingMark, ...]

    @property
    def marks(self) -> Iterator[OperatingMark]:
        """Yield all marks, the majority's first."""
        if self.most is not None:
            yield self.most
        yield from self.learners


def class_marks(store: Store, chosen: Slice, models: Sequence[str], one: FindingScores) -> tuple[ClassMarks, ...]:
    """Return classes that were asked for the finding on films of the slice; `one` holds the models' scores."""
    held = class_calls(chosen.cohort, one.finding)
    if not held:
        return ()
    cases = compared_case_names(store, chosen, models)
    found = (_marks(one, cases, each) for each in held)
    return tuple(each for each in found if each.learners)


def _marks(one: FindingScores, cases: Sequence[str], calls: ClassCalls) -> ClassMarks:
    most = reader_marks(one, cases, {f"most of {calls.title}": calls.majority})
    learners = {f"learner {number}, {calls.title}": each for number, each in calls.learners.items()}
    return ClassMarks(calls.title, most[0] if most else None, reader_marks(one, cases, learners))
