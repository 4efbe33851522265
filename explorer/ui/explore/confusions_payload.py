"""The findings that the model flagged where it missed one, for the script."""

from __future__ import annotations

import math
from typing import TypedDict

from explorer.analysis.performance.confusions import ConfusedFinding, Confusions
from explorer.core.rates import Rate
from explorer.reading.finding_json import RateAnswer, rate_payload
from explorer.store.filter_kinds import as_word
from explorer.ui.shared.panel_words import ValuePayload


class ConfusedPayload(TypedDict):
    """Another finding: how often it was flagged `among` the misses and on all other films, and the ratio of the two.

    The upper end of the ratio's interval is null if infinite, because JSON has no such number.
    """

    finding: str
    word: str
    among: RateAnswer
    rest: RateAnswer
    ratio: ValuePayload


class ConfusionsPayload(TypedDict):
    """A finding, its misses, and what was flagged there; `word` is its address word."""

    finding: str
    word: str
    misses: RateAnswer
    confused: list[ConfusedPayload]


class CandidatePayload(TypedDict):
    """A finding with misses."""

    finding: str
    word: str
    misses: RateAnswer


class CandidatesPayload(TypedDict):
    """The findings to choose from, and the total number of positives."""

    positives: int
    candidates: list[CandidatePayload]


def confusions_payload(confusions: Confusions) -> ConfusionsPayload:
    """The misses of a finding, and how often each other finding was flagged among them and elsewhere."""
    return {
        "finding": confusions.finding,
        "word": as_word(confusions.finding),
        "misses": rate_payload(confusions.misses),
        "confused": [_confused(other) for other in confusions.confused],
    }


def candidates_payload(candidates: tuple[tuple[str, Rate], ...], most: int = 8) -> CandidatesPayload:
    """The findings with the most misses, and the total number of positives."""
    missed = [(finding, rate) for finding, rate in candidates if rate.hits]
    return {
        "positives": sum(rate.n for _, rate in candidates),
        "candidates": [
            {"finding": finding, "word": as_word(finding), "misses": rate_payload(rate)}
            for finding, rate in missed[:most]
        ],
    }


def _confused(other: ConfusedFinding) -> ConfusedPayload:
    return {
        "finding": other.finding,
        "word": as_word(other.finding),
        "among": rate_payload(other.among),
        "rest": rate_payload(other.rest),
        "ratio": _ratio(other),
    }


def _ratio(other: ConfusedFinding) -> ValuePayload:
    low, high = other.ratio_interval or (None, None)
    return {"value": other.ratio, "low": low, "high": high if high is not None and math.isfinite(high) else None}
