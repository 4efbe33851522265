"""What learners called present on the films of a cohort, over all classes that are kept: readers beside its models."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from explorer.classroom.class_files import classes_folder, is_id
from explorer.core.findings import Outcome

MOST_CLASSES = 8  # of a cohort, the newest: a chart with the points of more tells nobody apart
_CALLED = {Outcome.HIT: True, Outcome.FALSE_ALARM: True, Outcome.MISS: False, Outcome.CORRECT_REJECTION: False}

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
    found = (_read(file, cohort, finding) for file in _newest_first(folder or classes_folder()))
    return tuple(islice((each for each in found if each is not None), MOST_CLASSES))


def _newest_first(folder: Path) -> Iterator[Path]:
    yield from sorted((each for each in folder.glob("*.sqlite") if is_id(each.stem)), reverse=True)


def _read(file: Path, cohort: str, finding: str) -> ClassCalls | None:
    """None where the class cannot be read, or was asked for nothing of the kind."""
    calls: defaultdict[int, dict[str, bool]] = defaultdict(dict)
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
            ((title,),) = database.execute("SELECT title FROM class").fetchall()
            for learner, case, judged in database.execute(_ANSWERS, (cohort,)):
                outcome = json.loads(judged)["outcomes"].get(finding)
                if outcome is not None:
                    calls[learner][case] = _CALLED[Outcome(outcome)]
    except (sqlite3.Error, ValueError, KeyError, TypeError):
        return None
    day = f"{file.stem[:4]}-{file.stem[4:6]}-{file.stem[6:8]}"
    return ClassCalls(f"{title}, {day}", dict(calls)) if calls else None
