"""Figures of the statements: the printed cells that decide whether the text of a paper holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from explorer.core.figures import fixed
from explorer.published.checks.cells import best_columns, figure_point, findings_of, row_values, table
from explorer.published.checks.check_figure import (
    Chart,
    CheckFigure,
    FigurePoint,
    FigureSeries,
    LinesChart,
    Mark,
    RowsChart,
    ScatterChart,
    ScatterPoint,
    ScatterSeries,
)
from explorer.published.checks.statement import Statement
from explorer.published.checks.statements import all_statements
from explorer.published.checks.statements_2026 import METRICS
from explorer.published.checks.statements_others import KAPPA, KAPPA_RANGE, LABELER_TASKS, LEAST_2023
from explorer.published.printed_table import in_order

Cell = tuple[str, str, str]  # a printed table, its row and its column
_POLICIES = "chexpert-policies"
CENTERS = ("PadChest", "NIH")


def statement_figures() -> tuple[CheckFigure, ...]:
    """Return the figures in the order of the statements; several statements may share one."""
    every = all_statements()
    return tuple(
        _figure(name, [each for each in every if each.figure == name])
        for name in in_order([each.figure for each in every if each.figure])
    )


def _figure(name: str, statements: list[Statement]) -> CheckFigure:
    title, make = FIGURES[name]
    says = " ".join(f"{each.says} By the table: {each.verdict}." for each in statements)
    tables = in_order([table for each in statements for table in each.tables])
    return CheckFigure(f"statement_{name}", title, says, make(), tables, under=statements[0].paper)


def _first_place() -> Chart:
    shown = table("2026-main-1")
    points = tuple(figure_point("2026-main-1", "mAP", team) for team in shown.columns)
    lower_end = shown.cells["mAP", "team A"].low or 0
    marks = (Mark(lower_end, "lower end of team A's interval"),)
    return RowsChart("team", shown.columns, (FigureSeries("mAP, Task 1", points),), "mAP", marks=marks)


def _unseen() -> Chart:
    rows = {
        f"{team[-1]}, {metric}": (("2026-main-1", metric, team), ("2026-main-2", metric, team))
        for team in ("team A", "team B")
        for metric in METRICS
    }
    return _pairs("team, metric", rows, ("seen findings", "unseen findings"), "value of the metric")


def _main_and(other: str, name: str, metric: str) -> Chart:
    """Return the teams of both tasks in the main test and in another, whose tables are `other` with the task."""
    rows = {
        f"Task {task}, {team}": ((f"2026-main-{task}", metric, team), (f"2026-{other}-{task}", metric, team))
        for task in "12"
        for team in table(f"2026-main-{task}").columns
    }
    return _pairs("task, team", rows, ("main test", name), metric)


def _rarity() -> Chart:
    groups = table("2026-groups")
    series = tuple(
        FigureSeries(team, tuple(figure_point("2026-groups", group, team) for group in groups.rows))
        for team in groups.columns
    )
    return LinesChart("group", groups.rows, series, "mAP")


def _centers() -> Chart:
    rows = {
        f"{team}, {metric}": tuple(("2026-centers", f"{metric} at {center}", team) for center in CENTERS)
        for metric in ("mAP", "AUROC")
        for team in table("2026-centers").columns
    }
    return _pairs("team, metric", rows, CENTERS, "value of the metric")


def _least_ap() -> Chart:
    best = {row: best_columns("2023-ap", row)[0] for row in findings_of("2023-ap")}
    rows = tuple(sorted(best, key=lambda row: best[row]))
    series = FigureSeries("best team's AP", tuple(FigurePoint(best[row]) for row in rows))
    mark = Mark(LEAST_2023, f"{fixed(LEAST_2023, 3)}, as the text says")
    return RowsChart("finding", rows, (series,), "AP", marks=(mark,))


def _gold_ap() -> Chart:
    points = [
        ScatterPoint(f"{row}, {team}", test, row_values("2023-ap-gold", row)[team])
        for row in findings_of("2023-ap")
        for team, test in row_values("2023-ap", row).items()
    ]
    higher = tuple(each for each in points if each.y > each.x)
    others = tuple(each for each in points if each.y <= each.x)
    series = (
        ScatterSeries(f"higher on the gold standard ({len(higher)})", higher),
        ScatterSeries(f"not higher ({len(others)})", others),
    )
    axes = ("AP on the test set", "AP on the gold standard")
    return ScatterChart("finding, team", *axes, series, slope=1, intercept=0, line="equal", named=False)


def _labeler() -> Chart:
    columns = {task: (f"{task} F1, NIH", f"{task} F1, CheXpert") for task in LABELER_TASKS}
    rows: dict[str, tuple[Cell, ...]] = {
        f"{row}, {task.lower()}": tuple(("chexpert-labeler", row, each) for each in pair)
        for row in table("chexpert-labeler").rows
        for task, pair in columns.items()
        if pair[0] in row_values("chexpert-labeler", row)
    }
    return _pairs("finding, task", rows, ("NIH's labeler", "CheXpert's labeler"), "F1")


def _policies() -> Chart:
    policies = table(_POLICIES).columns
    points = tuple(figure_point(_POLICIES, "Consolidation", policy) for policy in policies)
    return RowsChart("policy", policies, (FigureSeries("consolidation", points),), "AUROC")


def _kappa() -> Chart:
    rows = table("reveal-agreement").rows
    points = tuple(figure_point("reveal-agreement", row, KAPPA) for row in rows)
    marks = tuple(Mark(end, fixed(end, 3)) for end in KAPPA_RANGE)
    return RowsChart("finding", rows, (FigureSeries("kappa", points),), KAPPA, marks=marks)


def _pairs(corner: str, rows: Mapping[str, tuple[Cell, ...]], names: tuple[str, str], axis: str) -> Chart:
    """Return a chart of two printed cells a row."""
    series = tuple(
        FigureSeries(name, tuple(figure_point(*cells[place]) for cells in rows.values()))
        for place, name in enumerate(names)
    )
    return RowsChart(corner, tuple(rows), series, axis)


# By the name that statements give: the title, and the function that makes the chart.
FIGURES: Mapping[str, tuple[str, Callable[[], Chart]]] = MappingProxyType(
    {
        "first-place": ("First place in Task 1", _first_place),
        "unseen": ("Unseen findings", _unseen),
        "perturbed-map": ("Perturbed films, mAP", partial(_main_and, "perturbed", "perturbed films", "mAP")),
        "perturbed-f1": ("Perturbed films, F1", partial(_main_and, "perturbed", "perturbed films", "F1")),
        "held-out": ("Held-out subsets", partial(_main_and, "held-out", "held-out subset", "mAP")),
        "rarity": ("Rarity", _rarity),
        "centers": ("NIH and PadChest, Task 2", _centers),
        "least-ap": ("Best AP of each finding", _least_ap),
        "gold-ap": ("AP on the gold standard", _gold_ap),
        "labeler": ("F1 of the two labelers", _labeler),
        "policies": ("Consolidation by treatment of uncertain labels", _policies),
        "kappa": ("Agreement of radiologists", _kappa),
    }
)
