"""Learners, class and models against the truth, as the script gets the table."""

from __future__ import annotations

from typing import TypedDict

from explorer.teaching.results import ClassResults, FilmRate, Kind


class FilmRatePayload(TypedDict):
    """`hits` of `n` answers on so many `films`; null where nothing was counted."""

    hits: int
    n: int
    films: int
    value: float | None
    low: float | None
    high: float | None


class ReaderPayload(TypedDict):
    """Who read; `right` is of whole answers, null for a model."""

    name: str
    kind: Kind
    right: FilmRatePayload | None


class ResultRowPayload(TypedDict):
    """A finding, a frequency group or all findings: sensitivity and specificity of each reader."""

    name: str
    finding: bool
    sensitivity: list[FilmRatePayload]
    specificity: list[FilmRatePayload]


class ResultTablePayload(TypedDict):
    """`readers` begin with the class; `again` are the films that half of the class or more was wrong on."""

    readers: list[ReaderPayload]
    rows: list[ResultRowPayload]
    again: list[int]


def result_table_payload(results: ClassResults) -> ResultTablePayload:
    """The table of a class that has ended."""
    return {
        "readers": [
            {"name": name, "kind": kind, "right": None if right is None else film_rate_payload(right)}
            for (name, kind), right in zip(results.readers, results.right, strict=True)
        ],
        "rows": [
            {
                "name": row.name,
                "finding": row.finding,
                "sensitivity": [film_rate_payload(each.sensitivity) for each in row.read],
                "specificity": [film_rate_payload(each.specificity) for each in row.read],
            }
            for row in results.rows
        ],
        "again": list(results.again),
    }


def film_rate_payload(rate: FilmRate) -> FilmRatePayload:
    """The rate with its interval, which counts films."""
    low, high = rate.interval or (None, None)
    return {"hits": rate.hits, "n": rate.n, "films": rate.films, "value": rate.value, "low": low, "high": high}
