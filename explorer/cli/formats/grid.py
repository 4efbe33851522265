"""A metrics table as text grids, for the formats that people read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from explorer.analysis.challenge_table.lines import MetricEstimate, MetricsLine, TableMetric
from explorer.analysis.challenge_table.metric_table import TABLE_METRICS, MetricTable
from explorer.core.figures import (
    NO_INTERVAL,
    OUTSIDE_MARK,
    OUTSIDE_NOTE,
    earned_digits,
    interval_text,
    outside_interval,
    share_texts,
)
from explorer.core.result_table import WIDTH
from explorer.core.text_grid import TextGrid, aligned

COUNTS = ("n", "n+", "least")
LEFT_OUT, FEWER = "*", "^"
METRIC_BLOCKS: tuple[tuple[TableMetric, ...], ...] = (("AP", "AUROC", "ECE"), ("F1", "precision", "recall"))
FEWER_NOTE = (
    f"{FEWER} undefined in some resamples, mostly for lack of positives; the interval is over the other resamples"
)
MAX_NAMED = 8  # figures that a note lists
WriteFigure = Callable[[MetricEstimate, str, int], str]  # estimate, its mark, decimals of its column -> text


def metric_grids(
    table: MetricTable, blocks: Sequence[Sequence[TableMetric]], figure: WriteFigure
) -> Iterator[TextGrid]:
    """Yield one grid per center and block of metrics, the weighted ones after the plain ones."""
    for center in dict.fromkeys(line.center for line in table.lines):
        lines = _nested([line for line in table.lines if line.center == center])
        title = _title(center, lines[0])
        kinds = {title: lines}
        if table.weighted:
            kinds[f"{title}, weighted"] = [replace(line, estimates=line.weighted) for line in lines]
        for kind, shown in kinds.items():
            for block in blocks:
                columns = {metric: _column_digits([line.estimates[metric] for line in shown]) for metric in block}
                yield TextGrid(
                    title=f"{kind}: {', '.join(block)}",
                    header=("finding", *COUNTS, *block),
                    rows=tuple(_row(line, columns, figure) for line in shown),
                    counts=len(COUNTS),
                    indented=frozenset(place for place, line in enumerate(shown) if line.part.level == "finding"),
                    notes=tuple(_notes(shown, block)),
                    gap=1,
                )


def grids_of_text(table: MetricTable) -> Iterator[TextGrid]:
    """Yield the grids for aligned text; a grid wider than WIDTH gets fewer decimals."""
    for grid, narrow in zip(
        metric_grids(table, METRIC_BLOCKS, short_figure),
        metric_grids(table, METRIC_BLOCKS, shortest_figure),
        strict=True,
    ):
        yield grid if max(map(len, aligned(grid))) <= WIDTH else narrow


def _title(center: str | None, everything: MetricsLine) -> str:
    place = "All centers" if center is None else f"Center {center}"
    if everything.patients is None:
        return place
    return f"{place}, {everything.patients:,} {'patient' if everything.patients == 1 else 'patients'}"


def _nested(lines: Sequence[MetricsLine]) -> list[MetricsLine]:
    """Order the lines so that each group is followed by its findings."""
    nested: list[MetricsLine] = []
    for line in lines:
        if line.part.level != "finding":
            nested.append(line)
        if line.part.level == "group":
            nested += [each for each in lines if each.part.level == "finding" and each.part.group is line.part.group]
    return nested


def _column_digits(column: Sequence[MetricEstimate]) -> int:
    return earned_digits([(each.low, each.high) for each in column if each.low is not None and each.high is not None])


def _row(line: MetricsLine, columns: Mapping[TableMetric, int], figure: WriteFigure) -> tuple[str, ...]:
    single = line.part.level == "finding"
    name = line.part.name if single else f"{line.part.name} ({len(line.part.members)})"
    estimates = [(line.estimates[metric], digits) for metric, digits in columns.items()]
    figures = (each.why or figure(each, _mark(each), digits) for each, digits in estimates)
    least = "" if single else str(line.fewest_positives)  # of a single finding, it would repeat n+
    return name, str(line.n), str(line.positives), least, *figures


def long_figure(estimate: MetricEstimate, mark: str, _: int) -> str:
    """Return `0.585* [0.540\N{EN DASH}0.621]`, as in a paper."""
    figure, interval = _parts(estimate, digits=3)
    return f"{figure}{mark} {interval}"


def short_figure(estimate: MetricEstimate, mark: str, digits: int) -> str:
    """Return `0.58*[0.54\N{EN DASH}0.62]`. The mark replaces the space, which keeps columns narrow."""
    figure, interval = _parts(estimate, digits)
    return f"{figure}{mark or ' '}{interval}"


def shortest_figure(estimate: MetricEstimate, mark: str, _: int) -> str:
    """Return the short form with two decimals, whatever the precision of the column."""
    return short_figure(estimate, mark, 2)


def _parts(estimate: MetricEstimate, digits: int) -> tuple[str, str]:
    known = (each for each in (estimate.value, estimate.low, estimate.high) if each is not None)
    figure, *ends = share_texts(*known, digits=digits)
    return figure, interval_text(*ends) if ends else NO_INTERVAL


def _mark(estimate: MetricEstimate) -> str:
    if estimate.left_out:
        return LEFT_OUT
    if outside_interval(estimate.value, estimate.low, estimate.high):
        return OUTSIDE_MARK
    return FEWER if estimate.incomplete else ""


def _notes(lines: Sequence[MetricsLine], block: Sequence[TableMetric]) -> Iterator[str]:
    shown = [(line, metric, line.estimates[metric]) for line in lines for metric in block]
    fewer = [
        f"{line.part.name} {metric} {each.counted} of {len(line.part.members)}"
        for line, metric, each in shown
        if _mark(each) == LEFT_OUT and each.value is not None
    ]
    if fewer:
        yield f"{LEFT_OUT} mean over the findings for which it is defined: {', '.join(fewer)}."
    defined = [(line, metric, each) for line, metric, each in shown if each.value is not None]
    lacking = [f"{line.part.name} {metric} {each.incomplete:,}" for line, metric, each in defined if each.incomplete]
    if lacking:
        yield f"{FEWER_NOTE}. Resamples without it: {_first(lacking)}."
    beside = [
        f"{line.part.name} {metric}"
        for line, metric, each in defined
        if outside_interval(each.value, each.low, each.high)
    ]
    if beside:
        yield f"{OUTSIDE_NOTE} {_first(beside)}."


def _first(names: Sequence[str]) -> str:
    return ", ".join(names[:MAX_NAMED]) + (f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else "")


ALL_METRICS: tuple[TableMetric, ...] = tuple(TABLE_METRICS)
