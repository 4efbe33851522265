"""The threshold of an answer: a margin fitted on validation films if its finding has thresholds, else 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.asking.answer import TextMeasurement
from explorer.asking.text_metrics import LabeledMargins, youden_margin
from explorer.core.rates import Rate
from models.cards.card import CardPoint

UNTESTED_RULE = "margin 0, where the score is 0.5: not tested on labeled films"
UNSEEN_RULE = "margin 0, where the score is 0.5, as for every finding without a threshold of the model"


@dataclass(frozen=True, slots=True)
class Cutoff:
    """A threshold margin, the rule by which it was chosen, whether it was fitted on labeled films, and its rates."""

    margin: float
    rule: str
    fitted: bool
    sensitivity: Rate | None = None
    specificity: Rate | None = None


def is_unseen(finding: str, points: Mapping[str, CardPoint]) -> bool:
    """Return whether a model has thresholds but none for this finding, which then uses margin 0."""
    return bool(points) and finding not in points


def cutoff(
    labelled: LabeledMargins | None,
    counted: TextMeasurement | None,
    finding: str | None,
    points: Mapping[str, CardPoint],
) -> Cutoff:
    """Return a text's threshold: fitted on the validation films, else the model's own for the matching finding.

    For an unseen finding it is 0, as in Explore, lessons and classes.
    """
    if finding and counted is not None and is_unseen(finding, points):
        return Cutoff(0.0, UNSEEN_RULE, False, counted.sensitivity, counted.specificity)
    margin = None if labelled is None else youden_margin(labelled.labels, labelled.margins)
    if counted is not None and margin is not None:
        rule = f"Youden's J of this text on {counted.n:,} validation films, {counted.positives:,} with the finding"
        return Cutoff(margin, rule, True, counted.sensitivity, counted.specificity)
    point = points.get(finding) if labelled is None and finding else None
    if point is None:
        return Cutoff(0.0, UNTESTED_RULE, False)
    found, rejected = point.sensitivity * point.positives, point.specificity * point.negatives
    sensitivity, specificity = Rate(round(found), point.positives), Rate(round(rejected), point.negatives)
    return Cutoff(point.threshold, point.rule, True, sensitivity, specificity)
