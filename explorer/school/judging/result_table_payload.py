"""The table that compares learners, class and models with the truth, for scripts: a class's or one learner's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from explorer.school.judging.results import ClassResults, FilmRate, LearnerFilmAnswer, ReaderKind, class_results
from explorer.school.preparing.prepared import PreparedFilm

OWN_NAME = "you"


class FilmRatePayload(TypedDict):
    """`hits` of `n` answers, given on `films` films; null if nothing was counted."""

    hits: int
    n: int
    films: int
    value: float | None
    low: float | None
    high: float | None


class ReaderPayload(TypedDict):
    """A reader; `right` counts whole answers and is null for a model."""

    name: str
    kind: ReaderKind
    right: FilmRatePayload | None


class ResultRowPayload(TypedDict):
    """A finding, a frequency group or all findings: sensitivity and specificity of each reader."""

    name: str
    finding: bool
    sensitivity: list[FilmRatePayload]
    specificity: list[FilmRatePayload]


class ResultTablePayload(TypedDict):
    """The table; `readers` start with the class, or with the learner whose table it is.

    `again` lists the films that at least half of the class got wrong.
    """

    readers: list[ReaderPayload]
    rows: list[ResultRowPayload]
    again: list[int]


def result_table_payload(results: ClassResults) -> ResultTablePayload:
    """Return the table of a class that has ended."""
    return _payload(results, range(len(results.readers)))


def own_table_payload(films: Sequence[PreparedFilm], answers: Sequence[LearnerFilmAnswer]) -> ResultTablePayload:
    """Return the table of the learner who gave these `answers`, with the models but without other learners."""
    results = class_results(films, answers)
    made = _payload(results, [place for place, (_, kind) in enumerate(results.readers) if kind != "class"])
    for reader in made["readers"]:
        if reader["kind"] == "learner":
            reader["name"] = OWN_NAME
    return made


def _payload(results: ClassResults, places: Sequence[int]) -> ResultTablePayload:
    """Return the table for the readers at these indices."""
    readers = [(*results.readers[place], results.right[place]) for place in places]
    return {
        "readers": [
            {"name": name, "kind": kind, "right": None if right is None else film_rate_payload(right)}
            for name, kind, right in readers
        ],
        "rows": [
            {
                "name": row.name,
                "finding": row.finding,
                "sensitivity": [film_rate_payload(row.read[place].sensitivity) for place in places],
                "specificity": [film_rate_payload(row.read[place].specificity) for place in places],
            }
            for row in results.rows
        ],
        "again": list(results.again),
    }


def film_rate_payload(rate: FilmRate) -> FilmRatePayload:
    """Return the rate with its interval, which is computed over films."""
    low, high = rate.interval or (None, None)
    return {"hits": rate.hits, "n": rate.n, "films": rate.films, "value": rate.value, "low": low, "high": high}
