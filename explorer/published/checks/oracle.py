"""What choosing the best team for each finding would be worth at most, with the test labels known."""

from __future__ import annotations

from statistics import mean

from explorer.core.csv_table import Cells
from explorer.core.figures import share_text, signed
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.published.checks.cells import best_columns, findings_of, row_values, table
from explorer.published.checks.check_figure import CheckFigure, FigurePoint, FigureSeries, RowsChart

TITLE = "Oracle by finding: the best team for each"
FILMS = {
    "2026-findings-1": "2026, seen findings",
    "2026-findings-2": "2026, unseen findings",
    "2023-ap": "2023, test set",
    "2023-ap-gold": "2023, gold standard",
}
TABLES = tuple(FILMS)


def oracle() -> ResultTable:
    """Return, by table, the mean of each finding's best AP beside the best single team's mean, and who wins where."""
    rows = [_row(name) for name in TABLES]
    winners = tuple(_winners_grid(name) for name in TABLES)
    notes = (
        "The choice uses the test labels, so no one can make it beforehand: choosing on other films gains less.",
        "Means are recomputed from the printed APs of the findings. Ties name all teams.",
    )
    return ResultTable(TITLE, notes, (_means_grid(rows), *winners), tuple(rows))


def oracle_figures() -> tuple[CheckFigure, ...]:
    """Return a figure of the means of all tables, then one of the findings of each table."""
    return (_means_figure(), *map(_findings_figure, TABLES))


def _means_figure() -> CheckFigure:
    rows = [_row(name) for name in TABLES]
    series = tuple(
        FigureSeries(name, tuple(FigurePoint(_number(row, key)) for row in rows))
        for name, key in (("best single team", "mAP"), ("best team by finding", "oracle_mAP"))
    )
    _, _, team, own, best, gain = _words(rows[0])
    says = (
        f"Choosing the best team for each seen finding of 2026 raises the mean AP from {team}'s {own} to {best}: "
        f"{gain} at most."
    )
    names = tuple(f"{FILMS[name]} ({row['findings']})" for name, row in zip(TABLES, rows, strict=True))
    chart = RowsChart("films (findings)", names, series, "mean AP")
    title = "Mean AP: the best single team, and the best for each finding"
    return CheckFigure("oracle", title, says, chart, TABLES, _means_grid(rows))


def _findings_figure(name: str) -> CheckFigure:
    findings = findings_of(name)
    _, _, team, own_mean, best_mean, _ = _words(_row(name))
    own = tuple(FigurePoint(row_values(name, finding)[team]) for finding in findings)
    best = tuple(FigurePoint(best_columns(name, finding)[0]) for finding in findings)
    others = sum(team not in best_columns(name, finding)[1] for finding in findings)
    says = (
        f"Another team than {team} is best for {others} of {len(findings)} findings. Taking each finding's best raises "
        f"the mean from {own_mean} to {best_mean}."
    )
    series = (FigureSeries(team, own), FigureSeries("best team for the finding", best))
    chart = RowsChart("finding", findings, series, "AP")
    grid = _winners_grid(name)
    return CheckFigure(f"oracle_{name}", grid.title, says, chart, (name,), grid)


def _means_grid(rows: list[Cells]) -> TextGrid:
    header = ("table", "findings", "best team", "its mAP", "best team by finding", "worth at most")
    return TextGrid(TITLE, header, tuple(map(_words, rows)))


def _winners_grid(name: str) -> TextGrid:
    return TextGrid(f"Best team by finding: {_title(name)}", ("finding", "AP", "best"), tuple(_winners(name)))


def _number(row: Cells, key: str) -> float:
    return float(row[key] or 0)


def _title(name: str) -> str:
    return f"{table(name).paper}, {table(name).source}"


def _row(name: str) -> Cells:
    findings = findings_of(name)
    means = {column: mean(row_values(name, row)[column] for row in findings) for column in table(name).columns}
    team = max(means, key=lambda column: means[column])
    best = mean(best_columns(name, row)[0] for row in findings)
    return {
        "table": _title(name),
        "findings": len(findings),
        "best_team": team,
        "mAP": means[team],
        "oracle_mAP": best,
        "difference": best - means[team],
    }


def _words(row: Cells) -> tuple[str, ...]:
    own, best, difference = (_number(row, key) for key in ("mAP", "oracle_mAP", "difference"))
    figures = (share_text(own, 3), share_text(best, 3), signed(difference))
    return str(row["table"]), str(row["findings"]), str(row["best_team"]), *figures


def _winners(name: str) -> list[tuple[str, ...]]:
    best = {row: best_columns(name, row) for row in findings_of(name)}
    return [(row, share_text(value, 3), ", ".join(teams)) for row, (value, teams) in best.items()]
