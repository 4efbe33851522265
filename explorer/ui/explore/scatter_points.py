"""The points of the scatter of prevalence against average precision, from a table's cells."""

from __future__ import annotations

from explorer.analysis.intervals.intervals_job import IntervalsProgress
from explorer.analysis.performance.performance_table import FindingLine, PerformanceCell, PerformanceTable
from explorer.core.figures import NO_NEGATIVES, NO_POSITIVES
from explorer.core.findings import FrequencyGroup
from explorer.store.filter_kinds import as_word
from explorer.ui.explore.figures import PrevalencePoint
from explorer.ui.shared.panel_words import ValuePayload, bounds_payload


class PointPayload(ValuePayload):
    """A point of the scatter as numbers, for visitors who cannot see it."""

    finding: str
    word: str
    group: FrequencyGroup | None
    positives: int
    films: int


def scatter_points(
    table: PerformanceTable, known: IntervalsProgress, center: str | None
) -> tuple[list[PrevalencePoint], list[str]]:
    """A point for each finding at the center, or at all centers, and why the others have none."""
    points = []
    undrawn: dict[str, list[str]] = {}
    for line in table.lines:
        cell = _cell(line, center)
        point = None if cell is None else _point(line, cell, known)
        if point is not None:
            points.append(point)
        elif cell is not None:
            undrawn.setdefault(_reason(cell), []).append(line.finding)
    return points, [f"{why}: {', '.join(findings)}" for why, findings in undrawn.items()]


def point_payload(point: PrevalencePoint) -> PointPayload:
    """The numbers of a point."""
    return {
        "finding": point.finding,
        "word": point.word,
        "group": point.group,
        "positives": point.positives,
        "films": point.films,
        "value": point.value,
        **bounds_payload(point.interval),
    }


def _cell(line: FindingLine, center: str | None) -> PerformanceCell | None:
    return line.pooled if center is None else next((cell for cell in line.cells if cell.center == center), None)


def _point(line: FindingLine, cell: PerformanceCell, known: IntervalsProgress) -> PrevalencePoint | None:
    if cell.average_precision is None:
        return None
    interval = known.done.get((cell.finding, cell.center))
    return PrevalencePoint(
        finding=line.finding,
        word=as_word(line.finding),
        group=line.group,
        positives=cell.positives,
        films=cell.positives + cell.negatives,
        value=cell.average_precision,
        interval=interval.interval if interval else None,
    )


def _reason(cell: PerformanceCell) -> str:
    if not cell.positives and not cell.negatives:
        return "no labels"
    return NO_POSITIVES if not cell.positives else NO_NEGATIVES
