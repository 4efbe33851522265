"""Two slices compared, for the script."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TypedDict

from explorer.analysis.performance.compare import ComparedMeasure, SliceComparison, SliceFigure
from explorer.analysis.performance.two_sides import SliceMeasure
from explorer.store.filter_kinds import as_word
from explorer.ui.shared.panel_words import DifferencePayload, ValuePayload, bounds_payload, difference_payload


class CountPayload(TypedDict):
    """How many (film, finding) pairs a slice has, and of how many films."""

    pairs: int
    films: int


class FigurePayload(ValuePayload):
    """A measure of one slice over `n` positives or negatives; `chance` is null for rates."""

    n: int
    chance: float | None


class PairPayload(TypedDict):
    """A measure of a finding in both slices; `word` is its address word; `known`: the intervals are computed."""

    finding: str
    word: str
    measure: SliceMeasure
    one: FigurePayload
    other: FigurePayload
    difference: DifferencePayload
    known: bool


class ComparedPayload(TypedDict):
    """A slice compared with a pinned one.

    `films` counts the two populations, `shared` their overlap.
    """

    counts: list[CountPayload]
    films: list[int]
    shared: int
    pairs: list[PairPayload]
    left_out: list[str]


def compared_payload(compared: SliceComparison) -> ComparedPayload:
    """The counts, and each measure of the findings that both slices have."""
    return {
        "counts": [{"pairs": count.pairs, "films": count.films} for count in (compared.one, compared.other)],
        "films": list(compared.films),
        "shared": compared.shared,
        "pairs": [_pair(pair) for pair in compared.pairs],
        "left_out": list(compared.left_out),
    }


def computed_pairs(compared: Sequence[SliceComparison], known: Set[str]) -> list[list[PairPayload]]:
    """The findings of each comparison that are computed, but for those whose words are in `known`.

    Once all are computed they have marks, which are adjusted over all: then every finding comes again.
    """
    if all(each.intervals for each in compared):
        known = frozenset()
    return [_computed_pairs(each, known) for each in compared]


def _computed_pairs(compared: SliceComparison, known: Set[str]) -> list[PairPayload]:
    findings = (compared.of(each) for each in compared.findings if as_word(each) not in known)
    return [_pair(each) for pairs in findings if all(pair.known for pair in pairs) for each in pairs]


def _pair(pair: ComparedMeasure) -> PairPayload:
    return {
        "finding": pair.finding,
        "word": as_word(pair.finding),
        "measure": pair.measure,
        "one": _figure(pair.one),
        "other": _figure(pair.other),
        "difference": difference_payload(pair.difference),
        "known": pair.known,
    }


def _figure(figure: SliceFigure) -> FigurePayload:
    return {"value": figure.value, "n": figure.n, "chance": figure.chance, **bounds_payload(figure.interval)}
