"""The final results of a class: learners, class and models compared with the truth, by finding and frequency group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.groups import sourced_group
from explorer.core.outcomes import PRESENT_OUTCOMES, WRONG
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.judged import AnswerResult, grade_answer
from explorer.school.preparing.prepared import PreparedFilm
from models.statistics import wilson

ReaderKind = Literal["learner", "class", "model"]
WHOLE_CLASS = "the class"
ALL_FINDINGS = "all findings"


@dataclass(frozen=True, slots=True)
class LearnerFilmAnswer:
    """One learner's answer to a film, by the film's index in the playlist."""

    learner: str
    film: int
    answer: LearnerAnswer


@dataclass(frozen=True, slots=True)
class FilmRate:
    """`hits` of `n` answers, given on `films` different films."""

    hits: int
    n: int
    films: int

    @property
    def value(self) -> float | None:
        """hits / n; None if nothing was counted."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval with all answers on one film counted as one; None if nothing was counted.

        Learners err on the same films, and on several findings of one film, so counting each answer as a film would
        make the interval too narrow. This interval, by contrast, tends to be too wide.
        """
        return None if self.value is None else wilson(self.value * self.films, self.films)


@dataclass(frozen=True, slots=True)
class ReaderRates:
    """A reader's performance: the share of present findings that were named, and of absent findings that were not."""

    sensitivity: FilmRate
    specificity: FilmRate


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A finding, a frequency group or all findings; `read` by reader, in the order of `ClassResults.readers`."""

    name: str
    group: FrequencyGroup | None
    finding: bool
    read: tuple[ReaderRates, ...]


@dataclass(frozen=True, slots=True)
class FilmResult:
    """A film, given by its index: how many of the answers that can be judged are right."""

    film: int
    right: FilmRate


@dataclass(frozen=True, slots=True)
class ClassResults:
    """The results; `readers` are the class, its learners by name, and the models.

    `rows` start with all findings, then groups from frequent to rare, then findings in that order; `right` counts whole
    answers, by reader; `films` are in order; `again` lists the films that at least half of the class got wrong, worst
    first.
    """

    readers: tuple[tuple[str, ReaderKind], ...]
    rows: tuple[ResultRow, ...]
    right: tuple[FilmRate | None, ...]
    films: tuple[FilmResult, ...]
    again: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Pair:
    """A reader's outcome for a finding on a film."""

    reader: int
    film: int
    finding: str
    outcome: Outcome


def class_results(films: Sequence[PreparedFilm], answers: Iterable[LearnerFilmAnswer]) -> ClassResults:
    """Return the results of the answers. Models count only for findings asked about on films that were answered."""
    made = sorted(answers, key=lambda each: (each.learner, each.film))
    learners = tuple(dict.fromkeys(each.learner for each in made))
    models = tuple(dict.fromkeys(name for film in films for name in film.outcomes))
    readers: tuple[tuple[str, ReaderKind], ...] = (
        (WHOLE_CLASS, "class"),
        *((name, "learner") for name in learners),
        *((name, "model") for name in models),
    )
    seen = [(each, _judged(films[each.film], each.answer)) for each in made]
    pairs = [*_learner_pairs(seen, learners), *_model_pairs(films, seen, 1 + len(learners), models)]
    by_film = tuple(_film_result(film, seen) for film in range(len(films)))
    return ClassResults(
        readers=readers,
        rows=tuple(_rows(pairs, len(readers))),
        right=(
            _right_rate(seen, None),
            *(_right_rate(seen, name) for name in learners),
            *(None for _ in models),
        ),
        films=by_film,
        again=_hard_films(by_film),
    )


def _judged(film: PreparedFilm, answer: LearnerAnswer) -> AnswerResult:
    return grade_answer(film.entry.question, answer, film.truth, film.entry.target)


def _learner_pairs(seen: Sequence[tuple[LearnerFilmAnswer, AnswerResult]], learners: Sequence[str]) -> Iterator[_Pair]:
    """Yield each pair twice: for the learner and for the class."""
    places = {name: 1 + place for place, name in enumerate(learners)}
    for each, made in seen:
        for finding, outcome in made.outcomes.items():
            yield _Pair(0, each.film, finding, outcome)
            yield _Pair(places[each.learner], each.film, finding, outcome)


def _model_pairs(
    films: Sequence[PreparedFilm],
    seen: Sequence[tuple[LearnerFilmAnswer, AnswerResult]],
    first: int,
    models: Sequence[str],
) -> Iterator[_Pair]:
    film_findings = dict.fromkeys((each.film, finding) for each, made in seen for finding in made.outcomes)
    for place, name in enumerate(models, first):
        for film, finding in film_findings:
            outcome = films[film].outcomes.get(name, {}).get(finding)
            if outcome is not None:
                yield _Pair(place, film, finding, outcome)


class _Count:
    """Counts a reader's right and wrong pairs in one row, and the films they are on."""

    def __init__(self) -> None:
        self._good = self._bad = 0
        self._films: set[int] = set()

    def add(self, film: int, *, good: bool) -> None:
        self._good += good
        self._bad += not good
        self._films.add(film)

    @property
    def rate(self) -> FilmRate:
        return FilmRate(self._good, self._good + self._bad, len(self._films))


RowKey = tuple[Literal["all", "group", "finding"], str]  # identifies a row
RowCounts = defaultdict[tuple[RowKey, int], _Count]  # by row and reader


def _rows(pairs: Sequence[_Pair], readers: int) -> Iterator[ResultRow]:
    groups = groups_by_finding(each.finding for each in pairs)
    there: RowCounts = defaultdict(_Count)
    absent: RowCounts = defaultdict(_Count)
    for pair in pairs:
        counts = there if pair.outcome in PRESENT_OUTCOMES else absent
        good = pair.outcome not in WRONG
        for row in _rows_of(pair.finding, groups[pair.finding]):
            counts[row, pair.reader].add(pair.film, good=good)

    def read(row: RowKey) -> tuple[ReaderRates, ...]:
        return tuple(ReaderRates(there[row, reader].rate, absent[row, reader].rate) for reader in range(readers))

    yield ResultRow(ALL_FINDINGS, None, False, read(("all", "")))
    yield from (
        ResultRow(group.value, group, False, read(("group", group)))
        for group in FrequencyGroup
        if group in groups.values()
    )
    for finding in sorted(groups, key=lambda finding: (_rank(groups[finding]), finding)):
        yield ResultRow(finding, groups[finding], True, read(("finding", finding)))


def _rows_of(finding: str, group: FrequencyGroup | None) -> Iterator[RowKey]:
    if finding != "Normal":  # Normal is not a finding: detecting it means finding nothing
        yield "all", ""
    yield "finding", finding
    if group is not None:
        yield "group", group


def groups_by_finding(findings: Iterable[str]) -> Mapping[str, FrequencyGroup | None]:
    """Return the frequency group of each finding; None if unknown."""
    return {
        finding: found.group if (found := sourced_group(finding)) is not None else None
        for finding in dict.fromkeys(findings)
    }


def _rank(group: FrequencyGroup | None) -> int:
    return len(FrequencyGroup) if group is None else list(FrequencyGroup).index(group)


def _right_rate(seen: Sequence[tuple[LearnerFilmAnswer, AnswerResult]], learner: str | None) -> FilmRate:
    known = [
        (each.film, made.right)
        for each, made in seen
        if made.right is not None and (learner is None or each.learner == learner)
    ]
    return FilmRate(sum(right for _, right in known), len(known), len({film for film, _ in known}))


def _film_result(film: int, seen: Sequence[tuple[LearnerFilmAnswer, AnswerResult]]) -> FilmResult:
    return FilmResult(film, _right_rate([each for each in seen if each[0].film == film], None))


def _hard_films(films: Sequence[FilmResult]) -> tuple[int, ...]:
    """Return the films that at least half of the class got wrong."""
    wrong = [each for each in films if each.right.value is not None and each.right.value <= 0.5]
    return tuple(each.film for each in sorted(wrong, key=lambda each: (each.right.value or 0.0, each.film)))
