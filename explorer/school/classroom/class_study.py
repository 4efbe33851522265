"""A class as a reader study of one finding: each learner's certainty of it on each film, and the models' scores.

Learners are R1, R2 and so on, in the order in which they joined; their nicknames are not read.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from explorer.core.findings import Outcome
from explorer.core.outcomes import CALLED_OUTCOMES, PRESENT_OUTCOMES
from explorer.core.reader_study import LeftOut, ReaderRating, ReaderStudy, reader_name
from explorer.core.word_lists import comma_list, quantity
from explorer.school.classroom.finding_study import FindingStudy, StudiedFinding, complete_finding_study, left_out_words
from explorer.school.classroom.kept_classes import class_database, has_table
from explorer.school.classroom.refusal import ClassRefusal

ALONE, WITH_AI = "alone", "with AI"
_LEARNERS = "SELECT learner FROM learners ORDER BY learner"
_ANSWERS = """
SELECT learner, film, cohort, "case", answer, judged FROM {table} JOIN films USING (film) ORDER BY film, learner
"""
_MODEL_CALLS = "SELECT film, model, calls FROM model_calls ORDER BY film"


@dataclass(slots=True)
class _Class:
    """The ratings of every finding in a class; `twice` counts answers to films that an earlier film repeats."""

    title: str
    ratings: defaultdict[str, list[ReaderRating]] = field(default_factory=lambda: defaultdict(list))
    truth: defaultdict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    models: defaultdict[str, defaultdict[str, dict[str, float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(dict))
    )
    has_lists: bool = False
    has_scores: bool = False
    twice: int = 0


def certainty_rating(sure: int, *, called: bool) -> int:
    """Return a call and its certainty (1 a guess to 3 certain) as a rating: 1 certainly absent to 6 certainly there."""
    return 3 + sure if called else 4 - sure


def studied_findings(name: str, folder: Path | None = None) -> tuple[StudiedFinding, ...]:
    """Return the findings that a class was asked for, those answered on most films first. Raises ClassRefusal."""
    read = _read(name, folder)
    found = [_counted(read, finding) for finding in read.ratings]
    return tuple(sorted(found, key=lambda each: (bool(each.why_not), -min(each.present, each.absent), each.finding)))


def class_study(name: str, finding: str, folder: Path | None = None) -> FindingStudy:
    """Return a class's reader study of a finding. Raises ClassRefusal, also if no study can be made of the answers."""
    read = _read(name, folder)
    if finding not in read.ratings:
        asked = comma_list(sorted(read.ratings))
        raise ClassRefusal(f"The class was not asked for {finding}", f"It answered: {asked}. Choose one of these.")
    study, left = complete_finding_study(
        _counted(read, finding), read.ratings[finding], read.truth[finding], read.models[finding], "learners"
    )
    return FindingStudy(read.title, finding, study, left, tuple(_notes(read, study, left)))


def _counted(read: _Class, finding: str) -> StudiedFinding:
    rated = read.ratings[finding]
    labels = Counter(read.truth[finding][case] for case in {each.case for each in rated})
    return StudiedFinding(finding, labels[1], labels[0], len({each.reader for each in rated}))


def _read(name: str, folder: Path | None) -> _Class:
    with class_database(name, folder) as database:
        (title,) = database.execute("SELECT title FROM class").fetchone()
        codes = {learner: reader_name(place - 1) for learner, place in learner_order(database).items()}
        read = _Class(title)
        cases = _cases(database)
        modalities = {ALONE: "answers"} | ({WITH_AI: "second_answers"} if _answered_again(database) else {})
        for modality, table in modalities.items():
            _add_answers(read, modality, database.execute(_ANSWERS.format(table=table)), codes)
        if has_table(database, "model_calls"):
            for film, model, calls in database.execute(_MODEL_CALLS):
                read.has_scores = True
                for finding, (score, _) in json.loads(calls).items():
                    read.models[finding][model].setdefault(cases[film], score)
    return read


def learner_order(database: sqlite3.Connection) -> dict[int, int]:
    """Return each learner's place, from 1, in the order in which those who stayed joined."""
    return {learner: place for place, (learner,) in enumerate(database.execute(_LEARNERS), 1)}


def _answered_again(database: sqlite3.Connection) -> bool:
    """Return whether learners answered again after they had seen a model."""
    if not has_table(database, "second_answers"):
        return False
    return database.execute("SELECT 1 FROM second_answers LIMIT 1").fetchone() is not None


def _cases(database: sqlite3.Connection) -> dict[int, str]:
    rows = database.execute('SELECT film, cohort, "case" FROM films')
    return {film: _case_name(cohort, case) for film, cohort, case in rows}


def _case_name(cohort: str, case: str) -> str:
    return f"{cohort}/{case}" if cohort else case


def _add_answers(
    read: _Class, modality: str, rows: Iterable[tuple[int, int, str, str, str, str]], codes: Mapping[int, str]
) -> None:
    """Add the answers of a modality; of two films that are the same, the first one's answer counts."""
    seen: dict[tuple[str, str, str], int] = {}
    for learner, film, cohort, case, answer, judged in rows:
        given, outcomes = json.loads(answer), json.loads(judged)["outcomes"]
        read.has_lists |= "findings" in given
        place, reader, again = _case_name(cohort, case), codes[learner], False
        for finding, outcome in outcomes.items():
            if seen.setdefault((finding, reader, place), film) != film:
                again = True
                continue
            kind = Outcome(outcome)
            read.truth[finding].setdefault(place, int(kind in PRESENT_OUTCOMES))
            rating = certainty_rating(given["sure"], called=kind in CALLED_OUTCOMES)
            read.ratings[finding].append(ReaderRating(reader, place, modality, float(rating)))
        read.twice += again


def _notes(read: _Class, study: ReaderStudy, left: LeftOut) -> Iterator[str]:
    yield "Ratings run from 1, certainly absent, to 6, certainly present; 3 and 4 are guesses."
    if read.has_lists:
        yield "Where learners listed findings, one certainty covers the whole list."
    yield from left_out_words(left)
    if read.twice:
        yield f"{quantity(read.twice, 'answer')} to a film shown before: the first answer counts."
    if not read.has_scores:
        yield "No model's score is kept with this class."
    elif not study.models and not left.models:
        yield "No model scored this finding."
