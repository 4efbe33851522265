"""Converts a film's stability to JSON for the page, `/read` and exports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from explorer.reading.finding_list import FindingRow
from explorer.reading.stability import FilmStability, finding_stability, stability_words


class FindingStabilityAnswer(TypedDict):
    """A finding's scores after the small changes: `low` to `high` without the most extreme, 1 in 10 at either end.

    `above` counts the changes after which the score reaches its threshold, `turned` those that turn the call, and
    `stable` is false for more than 1 in 10; all null without a call. `says` puts `above` in words.
    """

    finding: str
    low: float
    high: float
    above: int | None
    turned: int | None
    stable: bool | None
    says: str


class StabilityAnswer(TypedDict):
    """The stability of one film's scores, also where it is part of a study; `changes` names the small changes."""

    changes: list[str]
    findings: list[FindingStabilityAnswer]
    says: str


def stability_answer(film: FilmStability, rows: Sequence[FindingRow]) -> StabilityAnswer:
    """Return the stability of a film whose reading has these rows."""
    findings = finding_stability(film, rows)
    return {
        "changes": list(film.changes),
        "findings": [
            {
                "finding": each.finding,
                "low": each.low,
                "high": each.high,
                "above": each.above,
                "turned": each.turned,
                "stable": each.stable,
                "says": each.words,
            }
            for each in findings
        ],
        "says": stability_words(findings),
    }
