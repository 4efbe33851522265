"""The finding list: what a model's score says of each finding, ranked, and the findings it says nothing about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.core.finding_relations import FindingRelation, related_words
from explorer.core.findings import FINDINGS, SourcedGroup
from explorer.core.groups import sourced_group
from explorer.core.rates import Rate
from explorer.reading.flag_right import right_near
from explorer.reading.flag_verdict import ORDER, FlagRight, FlagVerdict, counted_right, flag_verdict
from explorer.reading.map_worth import FindingMapWorth, map_worth
from explorer.reading.out_of_fold import free_in_band
from explorer.reading.percentiles import Percentile, percentile
from models.cards.card import Card, UnsureBand

State = Literal["above", "unsure", "below", "cannot judge"]


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding: its raw score, where threshold and unsure band lie, and how far that is to be believed.

    `sensitivity`, `specificity` and `positives` are those of the films the threshold was chosen on; `rule` says how it
    was chosen and they were counted. `warning` is what the card has against the score, `judged` whether the model can
    tell films with the finding from others at all, `map_worth` how often the finding's heat maps find it, and
    `free_in_band` how many films without any finding score inside the unsure band. What the card does not say is None.
    `relations` say what the finding is to others, in words. `chosen_here`: the threshold is not the model's own.
    `right`: how many test films like this one had the finding, where it is flagged.
    """

    finding: str
    score: float
    threshold: float | None = None
    warning: str | None = None
    judged: bool = True
    band: UnsureBand | None = None
    free_in_band: Rate | None = None
    sensitivity: Rate | None = None
    specificity: Rate | None = None
    positives: int | None = None
    rule: str | None = None
    group: SourcedGroup | None = None
    percentile: Percentile | None = None
    map_worth: FindingMapWorth | None = None
    relations: tuple[str, ...] = ()
    chosen_here: bool = False
    right: FlagRight | None = None

    @property
    def relation_words(self) -> str:
        """What the finding is to others, of whose name nothing follows, as a clause; empty where nothing is known."""
        return "; ".join(self.relations)

    @property
    def margin(self) -> float | None:
        """Score minus threshold; None without a threshold."""
        return None if self.threshold is None else self.score - self.threshold

    @property
    def above(self) -> bool | None:
        """Whether the score reaches the threshold; None without one: then it is neither positive nor negative."""
        return None if self.threshold is None else self.score >= self.threshold

    @property
    def state(self) -> State | None:
        """What the page may say: nothing where it is not judged, unsure inside the band; None: no threshold."""
        if not self.judged:
            return "cannot judge"
        if self.above is None:
            return None
        if self.band and self.band.low <= self.score < self.band.high:
            return "unsure"
        return "above" if self.above else "below"

    @property
    def verdict(self) -> FlagVerdict | None:
        """How far a flag is to be believed; None where the finding is not flagged."""
        return flag_verdict(self.right, unreliable=self.warning is not None) if self.state == "above" else None


def rows_of(card: Card, scores: NDArray[np.float32]) -> tuple[FindingRow, ...]:
    """Flagged findings by how often such a flag is right, then rows by margin over threshold, largest first.

    Findings without a threshold follow by percentile, then by score.

    Last come those that the model cannot judge.

    `scores` (findings,) are in the order of the card. Raises UnusableModel where the card's cohort cannot be read.
    """
    relations = relations_of(card)
    said = zip(card.findings, scores, strict=True)
    rows = [_row(card, finding, float(score), relations[finding]) for finding, score in said]
    return tuple(sorted(rows, key=_rank))


def relations_of(card: Card) -> Mapping[str, tuple[str, ...]]:
    """What each finding of a card is to others, in words: by the card, and of foreign names by the papers and by us."""
    stated = [FindingRelation(each.finding, each.relation, each.other) for each in card.relations]
    return {finding: tuple(related_words(finding, stated)) for finding in card.findings}


def not_looked_for(card: Card) -> tuple[str, ...]:
    """The findings of CXR-LT 2026 that the model does not know: of them it cannot even say that they are absent."""
    return tuple(name for name, finding in FINDINGS.items() if finding.task != "nih" and name not in card.findings)


def _row(card: Card, finding: str, score: float, relations: tuple[str, ...]) -> FindingRow:
    row = FindingRow(
        finding,
        score,
        warning=card.cautions.get(finding),
        judged=finding not in card.cannot_judge,
        group=sourced_group(finding),
        percentile=percentile(card, finding, score),
        map_worth=map_worth(card.maps, finding),
        relations=relations,
    )
    point = card.operating_points.get(finding)
    if point is None:
        return row
    here = finding in card.chosen_here
    right = right_near(card, finding, score)
    placed = replace(
        row, threshold=point.threshold, rule=point.rule, band=card.bands.get(finding), chosen_here=here, right=right
    )
    if not point.counted:
        return placed
    sensitivity = Rate(round(point.sensitivity * point.positives), point.positives)
    specificity = Rate(round(point.specificity * point.negatives), point.negatives)
    return replace(
        placed,
        free_in_band=free_in_band(card, finding),
        sensitivity=sensitivity,
        specificity=specificity,
        positives=point.positives,
        right=right or counted_right(sensitivity, specificity),
    )


def _rank(row: FindingRow) -> tuple[bool, bool, int, float, float]:
    """Those of a verdict that says more come first, among them those that are right more often."""
    if row.margin is None:
        return not row.judged, True, 0, -row.percentile.value if row.percentile else 0.0, -row.score
    if row.verdict is None:
        return not row.judged, False, len(ORDER), 0.0, -row.margin
    often = (row.right.rate.value or 0.0) if row.right else 0.0
    return not row.judged, False, ORDER.index(row.verdict), -often, -row.margin
