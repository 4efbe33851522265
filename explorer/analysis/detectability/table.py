"""Writes what a model detects of inserted findings as a table in one of four formats."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.analysis.detectability.flagged import (
    ZONE,
    Flagged,
    flagged,
    flagged_groups,
    lacks_heart,
    model_difference,
)
from explorer.analysis.detectability.report import (
    Detectability,
    half_text,
    half_words,
    notes,
    points_text,
    sentences,
    title,
    trust_words,
    usual_severity,
)
from explorer.core.csv_table import Cells, rate_cells
from explorer.core.figures import fixed, percent_rate_text, share_text
from explorer.core.rates import Rate
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from models.anatomy.places import OVER_THE_HEART

ANY = ""  # in the columns of a group


def detectability_table(found: Detectability) -> ResultTable:
    """Return a grid by finding and severity, one of scores, and one by group for each finding."""
    first = [next(sentences(found, finding, usual_severity(found, finding))) for finding in found.findings]
    halves = [half_words(curve) for curve in found.curves.values()]
    grids = (severity_grid(found), without_grid(found), *(groups_grid(found, each) for each in found.findings))
    trust = [trust_words(found, finding) for finding in found.findings]
    return ResultTable(title(found), (*first, *halves, *trust, *notes(found)), grids, tuple(_rows(found)))


def severity_grid(found: Detectability) -> TextGrid:
    """Return share flagged and score by finding and severity, and the share flagged by a second model."""
    header = ["finding", "severity", f"flagged by {found.trials.model}", "median score [quartiles]"]
    if found.other is not None:
        header += [f"flagged by {found.other.model}", "difference, percentage points"]
    rows = []
    for curve in found.curves.values():
        for severity, rate, quartiles in zip(curve.severities, curve.shares, curve.scores.tolist(), strict=True):
            row = [curve.finding, fixed(severity, 1), rate_with_n(rate), quartile_text(quartiles)]
            if found.other is not None:
                at, other = (each.about(curve.finding, severity) for each in (found.trials, found.other))
                row += [percent_rate_text(flagged(other).inserted), points_text(model_difference(at, other))]
            rows.append(tuple(row))
    return TextGrid("Inserted findings that are flagged, and score, by severity", tuple(header), tuple(rows))


def without_grid(found: Detectability) -> TextGrid:
    """Return from which severity on half are flagged, and what is flagged on films without and with each finding."""
    header = [
        "finding",
        "half flagged from severity",
        "films flagged without it",
        "films labeled with it, flagged",
        "score without it",
        "threshold",
    ]
    rows = [
        [
            curve.finding,
            half_text(curve.half),
            rate_with_n(flagged(found.trials.about(curve.finding)).without),
            rate_with_n(found.labeled[curve.finding]) if curve.finding in found.labeled else "none",
            quartile_text(curve.without.tolist()),
            share_text(curve.threshold, 3),
        ]
        for curve in found.curves.values()
    ]
    if found.other is not None:
        header.append(f"flagged without it by {found.other.model}")
        for row, finding in zip(rows, found.findings, strict=True):
            row.append(rate_with_n(flagged(found.other.about(finding)).without))
    return TextGrid(
        "Half flagged, and films without the finding or labeled with it", tuple(header), tuple(map(tuple, rows))
    )


def groups_grid(found: Detectability, finding: str, severity: float | None = None) -> TextGrid:
    """Return the share flagged by zone, side and property of the film, at one severity."""
    severity = usual_severity(found, finding) if severity is None else severity
    header = ["group", found.trials.model, "films flagged without it"]
    counts = [(each.by, each.name, [each.flagged]) for each in flagged_groups(found.trials.about(finding, severity))]
    if found.other is not None:
        header.append(found.other.model)
        others = flagged_groups(found.other.about(finding, severity))
        for (_, _, own), other in zip(counts, others, strict=True):
            own.append(other.flagged)
    rows = [(f"{by}: {name}", *_group_cells(own)) for by, name, own in counts]
    if lacks_heart(found.trials.about(finding)):
        after = sum(by == ZONE for by, _, _ in counts)
        rows.insert(after, (f"{ZONE}: {OVER_THE_HEART}", *["not measured"] * (len(header) - 1)))
    return TextGrid(f"{finding}, severity {fixed(severity, 1)}: flagged, by group", tuple(header), tuple(rows))


def rate_with_n(rate: Rate) -> str:
    """Return a share in percent with its interval and n."""
    return f"{percent_rate_text(rate)}, n {rate.n:,}"


def quartile_text(quartiles: list[float]) -> str:
    """Return the median of scores with its quartiles."""
    low, median, high = (share_text(each, 3) for each in quartiles)
    return f"{median} [{low}\N{EN DASH}{high}]"


def _group_cells(counts: list[Flagged]) -> tuple[str, ...]:
    first, *rest = counts
    return (
        rate_with_n(first.inserted),
        rate_with_n(first.without),
        *(percent_rate_text(each.inserted) for each in rest),
    )


def _rows(found: Detectability) -> Iterator[Cells]:
    for trials in (found.trials, *([found.other] if found.other is not None else [])):
        for finding in found.findings:
            for severity in trials.severities(finding):
                at = trials.about(finding, severity)
                groups = [(each.by, each.name, each.flagged) for each in flagged_groups(at)]
                for by, name, count in [(ANY, ANY, flagged(at)), *groups]:
                    yield {
                        "cohort": found.chosen.cohort,
                        "model": trials.model,
                        "finding": finding,
                        "severity": severity,
                        "by": by,
                        "group": name,
                        "films": count.without.n,
                        **rate_cells("flagged", count.inserted),
                        **rate_cells("flagged_without", count.without),
                        **rate_cells("flagged_labeled", found.labeled.get(finding) if trials is found.trials else None),
                    }
