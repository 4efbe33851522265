"""Classes of learners as readers beside a model's curve, as the radiologists of CheXpert's Figure 3 are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.analysis.one_finding.other_readers import case_names, readers_marks
from explorer.analysis.one_finding.scores import FindingScores, Mark
from explorer.school.classroom.class_calls import ClassCalls, class_calls
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class ClassMarks:
    """A class that read films of the slice: `most` is what more than half of it called, `learners` each of them."""

    title: str
    most: Mark | None
    learners: tuple[Mark, ...]

    @property
    def marks(self) -> Iterator[Mark]:
        """All of them, that of most first."""
        if self.most is not None:
            yield self.most
        yield from self.learners


def classes_of(store: Store, chosen: Slice, models: Sequence[str], one: FindingScores) -> tuple[ClassMarks, ...]:
    """The classes that were asked for the finding on films of the slice; `one` are the models' scores of them."""
    held = class_calls(chosen.cohort, one.finding)
    if not held:
        return ()
    cases = case_names(store, chosen, models)
    found = (_marks(one, cases, each) for each in held)
    return tuple(each for each in found if each.learners)


def _marks(one: FindingScores, cases: Sequence[str], calls: ClassCalls) -> ClassMarks:
    most = readers_marks(one, cases, {f"most of {calls.title}": calls.most})
    learners = {f"learner {number}, {calls.title}": each for number, each in calls.learners.items()}
    return ClassMarks(calls.title, most[0] if most else None, readers_marks(one, cases, learners))
