"""What learners called present on the films of a cohort, over all classes that are kept: readers beside its models."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from explorer.core.findings import Outcome
from explorer.core.outcomes import CALLED
from explorer.school.classroom.kept_classes import class_database, class_ids
from explorer.school.classroom.refusal import ClassRefusal

MOST_CLASSES = 8  # of a cohort, the newest: a chart with the points of more tells nobody apart

Calls = Mapping[str, bool]  # case -> whether the finding was called present


@dataclass(frozen=True, slots=True)
class ClassCalls:
    """A class by its title and day: what each learner called, by number, and what most of them did.

    Learners are numbers in the order in which they joined: what a nickname answered is for the class's own page. A film
    on which a class is divided in two halves is none that most called.
    """

    title: str
    learners: Mapping[int, Calls]

    @property
    def most(self) -> Calls:
        """What more than half of those who answered called."""
        votes: defaultdict[str, list[bool]] = defaultdict(list)
        for calls in self.learners.values():
            for case, called in calls.items():
                votes[case].append(called)
        return {case: 2 * sum(each) > len(each) for case, each in votes.items() if 2 * sum(each) != len(each)}


_ANSWERS = """
SELECT learner, "case", judged FROM answers JOIN films USING (film) WHERE cohort = ? ORDER BY learner, film
"""


def class_calls(cohort: str, finding: str, folder: Path | None = None) -> tuple[ClassCalls, ...]:
    """The classes in which the finding was asked for on films of the cohort, the newest first.

    Those that cannot be read are left out; `python -m explorer class list` names them.
    """
    found = (_read(name, folder, cohort, finding) for name in reversed(class_ids(folder)))
    return tuple(islice((each for each in found if each is not None), MOST_CLASSES))


def _read(name: str, folder: Path | None, cohort: str, finding: str) -> ClassCalls | None:
    """None where the class cannot be read, or was asked for nothing of the kind."""
    calls: defaultdict[int, dict[str, bool]] = defaultdict(dict)
    try:
        with class_database(name, folder) as database:
            (title,) = database.execute("SELECT title FROM class").fetchone()
            for learner, case, judged in database.execute(_ANSWERS, (cohort,)):
                outcome = json.loads(judged)["outcomes"].get(finding)
                if outcome is not None:
                    calls[learner][case] = Outcome(outcome) in CALLED
    except (ClassRefusal, ValueError, KeyError):
        return None
    return ClassCalls(f"{title}, {name[:4]}-{name[4:6]}-{name[6:8]}", dict(calls)) if calls else None
