"""Converts rows of the finding list to JSON for the page, `/read` and exports."""

from __future__ import annotations

from typing import TypedDict

from explorer.core.figures import mean_text
from explorer.core.findings import SourcedGroup
from explorer.core.rates import Rate
from explorer.core.word_lists import quantity
from explorer.reading.finding_list import FindingRow, FindingState
from explorer.reading.flag_verdict import FlagVerdict
from explorer.reading.map_worth import FindingMapAccuracy, brief_map_words, map_words
from explorer.reading.percentiles import Percentile
from models.cards.card import Card, FindingFree


class RateAnswer(TypedDict):
    """`hits` of `n` with the 95 % interval; `value`, `low` and `high` are null if `n` is 0."""

    value: float | None
    low: float | None
    high: float | None
    hits: int
    n: int


class GroupAnswer(TypedDict):
    """A frequency group, its source and the underlying count (among `films` films), null if unpublished."""

    name: str
    source: str
    count: int | None
    films: int | None


class PercentileAnswer(TypedDict):
    """`value` % of the `n` films of the model's cohort score lower."""

    value: float
    n: int


class MapWorthAnswer(TypedDict):
    """How often a finding's maps point to it, compared with its usual place; null if not measured.

    `says` puts it in words, `brief` in a few words. `shown`: maps are better than the usual place; null with too few
    hits.
    """

    found: RateAnswer | None
    usual: RateAnswer | None
    measured: str | None
    shown: bool | None
    says: str
    brief: str


class FindingAnswer(TypedDict):
    """One finding; facts missing from the model's card are null.

    Without a threshold, `state`, `above` and `margin` are null: the finding is neither positive nor negative. `band` is
    [low, high], the raw scores with `state` "unsure"; `free_in_band` is how many films without any finding score there.
    With `state` "cannot judge", the model may rank films no better than chance, and `above` is meaningless. `rule` says
    how the threshold was chosen and how its rates were counted, `warning` why the score may be misleading. `relations`
    relate the finding to others, such as "narrower than Consolidation, as a paper states". `chosen_here`: the threshold
    was chosen on this machine, as `rule` says. `verdict` rates how reliable a flag is, null if not flagged; `right` is
    how many test films like this one had the finding, `right_words` says the same in a sentence.
    """

    finding: str
    score: float
    threshold: float | None
    margin: float | None
    above: bool | None
    state: FindingState | None
    band: list[float] | None
    free_in_band: RateAnswer | None
    sensitivity: RateAnswer | None
    specificity: RateAnswer | None
    positives: int | None
    rule: str | None
    group: GroupAnswer | None
    percentile: PercentileAnswer | None
    warning: str | None
    map: MapWorthAnswer
    relations: list[str]
    chosen_here: bool
    verdict: FlagVerdict | None
    right: RateAnswer | None
    right_words: str


class FindingFreeAnswer(TypedDict):
    """Mean numbers of flagged and uncertain findings on films without any finding; `says` puts them in words.

    The means are over `films` such films, with 95 % intervals.
    """

    films: int
    above: float
    above_interval: list[float]
    unsure: float
    unsure_interval: list[float]
    measured: str
    says: str


def finding_free_payload(free: FindingFree | None) -> FindingFreeAnswer | None:
    """Return the counts on finding-free films; None if not measured."""
    if free is None:
        return None
    return {
        "films": free.films,
        "above": free.above,
        "above_interval": [free.above_low, free.above_high],
        "unsure": free.unsure,
        "unsure_interval": [free.unsure_low, free.unsure_high],
        "measured": free.measured,
        "says": _free_words(free),
    }


def chosen_here_words(card: Card) -> str:
    """Return how many thresholds were chosen here, and on which films; empty if none."""
    if not card.chosen_here:
        return ""
    rules = "; ".join(dict.fromkeys(card.operating_points[each].rule for each in sorted(card.chosen_here)))
    findings = quantity(len(card.chosen_here), "finding")
    return f"The model states no threshold for {findings}; in use: {rules}. Expect more errors on other films."


def _free_words(free: FindingFree) -> str:
    above = f"{mean_text(free.above, free.above_low, free.above_high)} flagged findings"
    unsure = f"{mean_text(free.unsure, free.unsure_low, free.unsure_high)} uncertain ones"
    on = f"{free.films:,} {free.measured}; in brackets 95 % intervals"
    return f"Even a normal film gets {above} and {unsure} on average ({on})."


def row_payload(row: FindingRow) -> FindingAnswer:
    """Return a row as JSON."""
    return {
        "finding": row.finding,
        "score": row.score,
        "threshold": row.threshold,
        "margin": row.margin,
        "above": row.above,
        "state": row.state,
        "band": [row.band.low, row.band.high] if row.band else None,
        "free_in_band": rate_payload(row.free_in_band) if row.free_in_band else None,
        "sensitivity": rate_payload(row.sensitivity) if row.sensitivity else None,
        "specificity": rate_payload(row.specificity) if row.specificity else None,
        "positives": row.positives,
        "rule": row.rule,
        "group": _group(row.group),
        "percentile": percentile_payload(row.percentile),
        "warning": row.warning,
        "map": map_payload(row.map_worth, row.finding),
        "relations": list(row.relations),
        "chosen_here": row.chosen_here,
        "verdict": row.verdict,
        "right": rate_payload(row.right.rate) if row.verdict and row.right else None,
        "right_words": row.right.words if row.right and (row.verdict or row.state == "unsure") else "",
    }


def map_payload(worth: FindingMapAccuracy | None, finding: str) -> MapWorthAnswer:
    """Return the reliability of a finding's maps as JSON."""
    return {
        "found": rate_payload(worth.found) if worth else None,
        "usual": rate_payload(worth.usual) if worth else None,
        "measured": worth.measured if worth else None,
        "shown": worth.shown if worth else None,
        "says": map_words(worth, finding),
        "brief": brief_map_words(worth),
    }


def percentile_payload(percentile: Percentile | None) -> PercentileAnswer | None:
    """Return a percentile as JSON; None if unknown."""
    return None if percentile is None else {"value": percentile.value, "n": percentile.n}


def rate_payload(rate: Rate) -> RateAnswer:
    """Return a rate with its counts and interval as JSON."""
    low, high = rate.interval or (None, None)
    return {"value": rate.value, "low": low, "high": high, "hits": rate.hits, "n": rate.n}


def _group(group: SourcedGroup | None) -> GroupAnswer | None:
    if group is None:
        return None
    return {"name": group.group.value, "source": group.source, "count": group.count, "films": group.denominator}
