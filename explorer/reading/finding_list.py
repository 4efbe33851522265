"""The finding list: a model's findings on one film, ranked, and the findings it does not look for."""

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
from explorer.reading.flag_right import flag_right_near
from explorer.reading.flag_verdict import VERDICT_ORDER, FlagRight, FlagVerdict, flag_right_by_rates, flag_verdict
from explorer.reading.map_worth import FindingMapAccuracy, map_accuracy
from explorer.reading.out_of_fold import free_in_band
from explorer.reading.percentiles import Percentile, percentile
from models.cards.card import Card, UnsureBand

FindingState = Literal["above", "unsure", "below", "cannot judge"]


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding: its raw score, threshold, unsure band and reliability.

    `sensitivity`, `specificity` and `positives` were counted on the films on which the threshold was chosen by `rule`.
    `warning` is the card's caveat about the score; `judged` is False if the model cannot detect the finding;
    `map_worth` is how often its heat maps locate it, `free_in_band` the number of films without any finding that score
    inside the unsure band. Facts missing from the card are None. `relations` relate the finding to others in words.
    `chosen_here`: the threshold is not the model's own. `right`: how many test films like this one had the finding, if
    it is flagged.
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
    map_worth: FindingMapAccuracy | None = None
    relations: tuple[str, ...] = ()
    chosen_here: bool = False
    right: FlagRight | None = None

    @property
    def relation_words(self) -> str:
        """The finding's relations as a clause; empty if none are known."""
        return "; ".join(self.relations)

    @property
    def margin(self) -> float | None:
        """Score minus threshold; None without a threshold."""
        return None if self.threshold is None else self.score - self.threshold

    @property
    def above(self) -> bool | None:
        """Whether the score reaches the threshold; None without one."""
        return None if self.threshold is None else self.score >= self.threshold

    @property
    def state(self) -> FindingState | None:
        """The state that is shown: "cannot judge", "unsure" inside the band, else by threshold; None without one."""
        if not self.judged:
            return "cannot judge"
        if self.above is None:
            return None
        if self.band and self.band.low <= self.score < self.band.high:
            return "unsure"
        return "above" if self.above else "below"

    @property
    def verdict(self) -> FlagVerdict | None:
        """How reliable the flag is; None if the finding is not flagged."""
        return flag_verdict(self.right, unreliable=self.warning is not None) if self.state == "above" else None


def finding_rows(card: Card, scores: NDArray[np.float32]) -> tuple[FindingRow, ...]:
    """Return the rows: flagged findings by how often such flags are correct, then others by decreasing margin.

    Findings without a threshold follow, by percentile, then by score; those that the model cannot judge come last.

    `scores` (findings,) are in the card's order. Raises UnusableModel if the card's cohort cannot be read.
    """
    relations = relations_of(card)
    scored = zip(card.findings, scores, strict=True)
    rows = [_row(card, finding, float(score), relations[finding]) for finding, score in scored]
    return tuple(sorted(rows, key=_rank))


def relations_of(card: Card) -> Mapping[str, tuple[str, ...]]:
    """Return each finding's relations in words, as stated by the card, by papers or by Tailscope."""
    stated = [FindingRelation(each.finding, each.relation, each.other) for each in card.relations]
    return {finding: tuple(related_words(finding, stated)) for finding in card.findings}


def not_looked_for(card: Card) -> tuple[str, ...]:
    """Return the CXR-LT 2026 findings that the model does not score, so that it cannot rule them out either."""
    return tuple(name for name, finding in FINDINGS.items() if finding.task != "nih" and name not in card.findings)


def _row(card: Card, finding: str, score: float, relations: tuple[str, ...]) -> FindingRow:
    row = FindingRow(
        finding,
        score,
        warning=card.cautions.get(finding),
        judged=finding not in card.cannot_judge,
        group=sourced_group(finding),
        percentile=percentile(card, finding, score),
        map_worth=map_accuracy(card.maps, finding),
        relations=relations,
    )
    point = card.operating_points.get(finding)
    if point is None:
        return row
    here = finding in card.chosen_here
    right = flag_right_near(card, finding, score)
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
        right=right or flag_right_by_rates(sensitivity, specificity),
    )


def _rank(row: FindingRow) -> tuple[bool, bool, int, float, float]:
    """Return the sort key: stronger verdicts first, then flags that are correct more often."""
    if row.margin is None:
        return not row.judged, True, 0, -row.percentile.value if row.percentile else 0.0, -row.score
    if row.verdict is None:
        return not row.judged, False, len(VERDICT_ORDER), 0.0, -row.margin
    often = (row.right.rate.value or 0.0) if row.right else 0.0
    return not row.judged, False, VERDICT_ORDER.index(row.verdict), -often, -row.margin
