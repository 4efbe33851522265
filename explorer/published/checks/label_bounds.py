"""How far each rank of CXR-LT 2023 may be off, because a text program with a measured error made the labels."""

from __future__ import annotations

from statistics import mean

from explorer.core.csv_table import Cells
from explorer.core.figures import percent_text, share_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.metrics.label_errors import auroc_bounds, rank_bounds
from explorer.published.challenge_tables import MEAN_ROW
from explorer.published.checks.cells import findings_of, row_values, table
from explorer.published.checks.check_figure import CheckFigure, FigurePoint, FigureSeries, RowsChart

TITLE = "Bounds: how far wrong labels may move a rank"
TABLES = RESULTS, LABELER = ("2023-auroc", "chexpert-labeler")
_COLUMN = "Mention F1, CheXpert"


def label_bounds() -> ResultTable:
    """Return each team's printed mean AUROC, its bounds and its possible ranks."""
    wrong = _wrong_labels()
    rows = _rows(wrong)
    share = percent_text(mean(wrong.values()))
    notes = (
        f"Assumption: a label of present is wrong as often as the CheXpert labeler's F1 of mentions falls short of 1 "
        f"({share} on average over the 26 findings; its macro-average where it has no such finding), labels of absent "
        "are right, and the wrong films may score anything.",
        "These are worst cases, apart for each team. Errors at random, the same for all teams, would bring every AUROC "
        "closer to 0.5 by the same factor and leave the order as it is.",
    )
    return ResultTable(TITLE, notes, (_grid(rows),), tuple(rows))


def bounds_figures() -> tuple[CheckFigure, ...]:
    """Return the figure of each team's printed mean AUROC within its bounds."""
    rows = _rows(_wrong_labels())
    first = rows[0]
    _, printed, _, low, high, best, worst = _words(first)
    says = (
        f"The mean AUROC of {first['team']}, {printed}, may be anything from {low} to {high}: its rank from {best} to "
        f"{worst}."
    )
    names = tuple(f"{row['team']}, rank {row['rank_best']} to {row['rank_worst']}" for row in rows)
    points = tuple(
        FigurePoint(*(float(row[key] or 0) for key in ("AUROC", "AUROC_least", "AUROC_most"))) for row in rows
    )
    chart = RowsChart("team", names, (FigureSeries("printed, with its bounds", points),), "mean AUROC")
    return (CheckFigure("bounds", "Mean AUROC of each team, with its bounds", says, chart, TABLES, _grid(rows)),)


def _rows(wrong: dict[str, float]) -> list[Cells]:
    teams = table(RESULTS).columns
    printed = row_values(RESULTS, MEAN_ROW)
    bounds = [_bounds(team, wrong) for team in teams]
    return [
        {
            "team": team,
            "rank": 1 + sum(other > printed[team] for other in printed.values()),
            "AUROC": printed[team],
            "AUROC_least": low,
            "AUROC_most": high,
            "rank_best": best,
            "rank_worst": worst,
        }
        for team, (low, high), (best, worst) in zip(teams, bounds, rank_bounds(bounds), strict=True)
    ]


def _grid(rows: list[Cells]) -> TextGrid:
    header = ("team", "printed mean AUROC", "printed rank", "least", "most", "best rank", "worst rank")
    return TextGrid(TITLE, header, tuple(map(_words, rows)))


def _wrong_labels() -> dict[str, float]:
    """Return, by finding of 2023, the share of wrong labels of present."""
    labeler = table(LABELER)
    macro = labeler.cells["Macro-average", _COLUMN]
    return {each: 1 - labeler.cells.get((each, _COLUMN), macro).value for each in findings_of(RESULTS)}


def _bounds(team: str, wrong: dict[str, float]) -> tuple[float, float]:
    ends = [auroc_bounds(row_values(RESULTS, row)[team], share) for row, share in wrong.items()]
    return mean(low for low, _ in ends), mean(high for _, high in ends)


def _words(row: Cells) -> tuple[str, ...]:
    printed, low, high = (share_text(float(row[key] or 0), 3) for key in ("AUROC", "AUROC_least", "AUROC_most"))
    return str(row["team"]), printed, str(row["rank"]), low, high, str(row["rank_best"]), str(row["rank_worst"])
