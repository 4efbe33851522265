"""Learners' answers on a cohort's films, over all saved classes: human readers to compare with the cohort's models."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from explorer.core.findings import Outcome
from explorer.core.outcomes import CALLED_OUTCOMES
from explorer.school.classroom.class_study import certainty_rating, learner_order
from explorer.school.classroom.kept_classes import class_database, class_ids
from explorer.school.classroom.refusal import ClassRefusal

MAX_CLASSES = 8  # the newest ones of a cohort; a chart with more points would be illegible

LearnerCalls = Mapping[str, bool]  # case -> whether the learner answered "present"
LearnerRatings = Mapping[str, float]  # case -> the call and its certainty, 1 to 6


@dataclass(frozen=True, slots=True)
class ClassCalls:
    """A class, identified by its title and day, with each learner's calls, and the same calls with their certainty.

    Learners are numbered from 1 in the order in which they joined; nicknames stay on the class's own page. A film on
    which a class splits evenly has no majority.
    """

    title: str
    learners: Mapping[int, LearnerCalls]
    ratings: Mapping[int, LearnerRatings] = field(default_factory=dict, compare=False)

    @property
    def majority(self) -> LearnerCalls:
        """The answer of more than half of those who answered, by case."""
        votes: defaultdict[str, list[bool]] = defaultdict(list)
        for calls in self.learners.values():
            for case, called in calls.items():
                votes[case].append(called)
        return {case: 2 * sum(each) > len(each) for case, each in votes.items() if 2 * sum(each) != len(each)}


_ANSWERS = """
SELECT learner, "case", answer, judged FROM answers JOIN films USING (film) WHERE cohort = ? ORDER BY learner, film
"""


def class_calls(cohort: str, finding: str, folder: Path | None = None) -> tuple[ClassCalls, ...]:
    """Return the classes that were asked about the finding on films of the cohort, newest first.

    Unreadable classes are left out; `python -m explorer class list` names them.
    """
    found = (_read(name, folder, cohort, finding) for name in reversed(class_ids(folder)))
    return tuple(islice((each for each in found if each is not None), MAX_CLASSES))


def _read(name: str, folder: Path | None, cohort: str, finding: str) -> ClassCalls | None:
    """Return the calls of a class; None if it is unreadable or was never asked about the finding."""
    calls: defaultdict[int, dict[str, bool]] = defaultdict(dict)
    ratings: defaultdict[int, dict[str, float]] = defaultdict(dict)
    try:
        with class_database(name, folder) as database:
            (title,) = database.execute("SELECT title FROM class").fetchone()
            order = learner_order(database)
            for number, case, answer, judged in database.execute(_ANSWERS, (cohort,)):
                learner = order[number]
                outcome = json.loads(judged)["outcomes"].get(finding)
                if outcome is not None:
                    called = Outcome(outcome) in CALLED_OUTCOMES
                    calls[learner][case] = called
                    ratings[learner][case] = float(certainty_rating(json.loads(answer)["sure"], called=called))
    except (ClassRefusal, ValueError, KeyError):
        return None
    titled = f"{title}, {name[:4]}-{name[4:6]}-{name[6:8]}"
    return ClassCalls(titled, dict(calls), dict(ratings)) if calls else None
