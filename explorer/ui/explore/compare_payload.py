"""Two slices side by side as the script gets them."""

from __future__ import annotations

from typing import TypedDict

from explorer.analysis.compare import Compared, ComparedFigure, Difference, Measured, Pair
from explorer.store.filter_kinds import as_word
from explorer.ui.explore.panel_words import BoundsPayload, ValuePayload, bounds


class CountPayload(TypedDict):
    """How many (film, finding) pairs a slice has, of how many films."""

    pairs: int
    films: int


class FigurePayload(ValuePayload):
    """A measure of one slice, of `n` positives or negatives."""

    n: int


class DifferencePayload(BoundsPayload):
    """One minus the other; `differs`: the interval leaves 0 out."""

    value: float | None
    differs: bool


class PairPayload(TypedDict):
    """A measure of a finding on both sides; `word` is the address's for the finding."""

    finding: str
    word: str
    measure: Measured
    one: FigurePayload
    other: FigurePayload
    difference: DifferencePayload


class ComparedPayload(TypedDict):
    """`films` of the two populations, `shared` of them in both; `computing`: the intervals are still to come."""

    counts: list[CountPayload]
    films: list[int]
    shared: int
    pairs: list[PairPayload]
    left_out: list[str]
    computing: bool


def compared_payload(compared: Compared) -> ComparedPayload:
    """Counts, and three measures of each finding that both slices have."""
    return {
        "counts": [{"pairs": count.pairs, "films": count.films} for count in (compared.one, compared.other)],
        "films": list(compared.films),
        "shared": compared.shared,
        "pairs": [_pair(pair) for pair in compared.pairs],
        "left_out": list(compared.left_out),
        "computing": not compared.intervals,
    }


def _pair(pair: Pair) -> PairPayload:
    return {
        "finding": pair.finding,
        "word": as_word(pair.finding),
        "measure": pair.measure,
        "one": _figure(pair.one),
        "other": _figure(pair.other),
        "difference": _difference(pair.difference),
    }


def _figure(figure: ComparedFigure) -> FigurePayload:
    return {"value": figure.value, "n": figure.n, **bounds(figure.interval)}


def _difference(difference: Difference) -> DifferencePayload:
    return {"value": difference.value, "differs": difference.excludes_zero, **bounds(difference.interval)}
