"""Writes the tables of a model card: metrics by frequency group, center and finding, with n and 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from explorer.simulator.request import Center
from explorer.workshop.lab.ranking_figures import METRIC_KINDS, CenterFigures, MetricKind
from models.cards.card import CardPoint
from models.training.shipping.nih.card_file import rate_words

FiguresByCenter = Mapping[Center, CenterFigures]


def metrics_by_group(found: FiguresByCenter, groups: Mapping[str, Sequence[str]]) -> str:
    """Return the mean metrics over the findings of each group, by center."""
    lines = [
        f"| group | findings | center | films | fewest n+ | {' | '.join(METRIC_KINDS)} |",
        "|---" * (5 + len(METRIC_KINDS)) + "|",
    ]
    for group, findings in groups.items():
        for center, at in found.items():
            fewest = min(at.positives[at.findings.index(finding)] for finding in findings)
            cells = [group, str(len(findings)), center, f"{at.films:,}", str(fewest)]
            cells += [interval_text(at.macro(kind, findings)) for kind in METRIC_KINDS]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def metrics_by_finding(
    found: FiguresByCenter, findings: Sequence[str], kinds: Sequence[MetricKind] = ("AUROC", "AP", "natural AP")
) -> str:
    """Return each finding's metrics by center."""
    heads = [f"{head} {center}" for center in found for head in ("n+", *kinds)]
    lines = [f"| finding | {' | '.join(heads)} |", "|---" * (1 + len(heads)) + "|"]
    for finding in findings:
        cells = [finding]
        for at in found.values():
            cells.append(str(at.positives[at.findings.index(finding)]))
            cells += [interval_text(at.one(kind, finding)) for kind in kinds]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def point_table(points: Mapping[str, CardPoint]) -> str:
    """Return the thresholds with sensitivity and specificity."""
    lines = ["| finding | threshold | sensitivity | specificity |", "|---|---|---|---|"]
    for finding, point in points.items():
        sensitivity = rate_words(point.sensitivity, point.positives)
        specificity = rate_words(point.specificity, point.negatives)
        lines.append(f"| {finding} | {point.threshold:.4f} | {sensitivity} | {specificity} |")
    return "\n".join(lines)


def rank_warnings(found: FiguresByCenter, findings: Sequence[str], what: str) -> dict[str, str]:
    """Return findings that may rank no better than chance at a center; `what` names the scores in the sentences."""
    found_warnings: dict[str, str] = {}
    for finding in findings:
        poor = []
        for center, at in found.items():
            value, low, high = at.one("AUROC", finding)
            if not low > 0.5:
                positives = at.positives[at.findings.index(finding)]
                poor.append(f"center {center} {interval_text((value, low, high))}, n+ {positives}")
        if poor:
            found_warnings[finding] = (
                f"On test films {what} may rank this finding no better than chance: AUROC {'; '.join(poor)}."
            )
    return found_warnings


def interval_text(estimate: tuple[float, float, float]) -> str:
    """Return a figure with its interval, or "undefined"."""
    value, low, high = estimate
    return "undefined" if math.isnan(value) else f"{value:.3f} [{low:.3f}-{high:.3f}]"
