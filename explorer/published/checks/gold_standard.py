"""Whether the teams of CXR-LT 2023 keep their order on the gold standard: correlations of their means."""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy

from explorer.core.csv_table import Cells
from explorer.core.figures import fixed, significant
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.metrics.rank_correlation import kendall, spearman
from explorer.published.challenge_tables import MEAN_ROW
from explorer.published.checks.cells import row_values
from explorer.published.checks.check_figure import CheckFigure, ScatterChart, ScatterPoint, ScatterSeries

TABLES = ("2023-ap", "2023-ap-gold", "2023-auroc", "2023-auroc-gold")
Metric = Literal["ap", "auroc"]
METRICS: tuple[Metric, ...] = ("ap", "auroc")
_NAMES: dict[Metric, str] = {"ap": "mAP", "auroc": "mAUROC"}
TITLE = "Gold standard: whether the teams keep their order"


def gold_standard() -> ResultTable:
    """Return the correlations of nine teams' means on the two sets, by metric, and the means themselves."""
    rows = [_row(metric) for metric in METRICS]
    header = ("metric", "teams", "r", "R²", "p", "Spearman's rho", "Kendall's tau")
    grid = TextGrid(TITLE, header, tuple(map(_words, rows)))
    notes = (
        "The paper prints r 0.979, R² 0.958 and p 4.7e-6 for mAP (section 3.3.2). From the means with three decimals "
        "R² is 0.959, a difference of rounding.",
    )
    return ResultTable(TITLE, notes, (grid, *map(_means_grid, METRICS)), tuple(rows))


def gold_standard_figures() -> tuple[CheckFigure, ...]:
    """Return a figure of the teams' means on the two sets, by metric."""
    return tuple(map(_figure, METRICS))


def _figure(metric: Metric) -> CheckFigure:
    row = _row(metric)
    name, teams, r, square, p, *_ = _words(row)
    (test, gold), tables = _means(metric), _tables(metric)
    slope, intercept = np.polyfit(list(test.values()), list(gold.values()), 1)
    points = tuple(ScatterPoint(team, test[team], gold[team]) for team in test)
    chart = ScatterChart(
        "team",
        f"{name} on the test set",
        f"{name} on the gold standard",
        (ScatterSeries("teams", points),),
        float(slope),
        float(intercept),
        f"least squares, R² {square}",
        named=True,
    )
    says = f"{name} of {teams} teams on the two sets: r {r}, R² {square}, p {p}."
    return CheckFigure(f"gold-standard_{name.lower()}", _title(metric), says, chart, tables, _means_grid(metric))


def _means_grid(metric: Metric) -> TextGrid:
    test, gold = _means(metric)
    rows = tuple((team, fixed(test[team], 3), fixed(gold[team], 3)) for team in test)
    return TextGrid(_title(metric), ("team", "test set", "gold standard"), rows)


def _title(metric: Metric) -> str:
    return f"Each team's {_NAMES[metric]}"


def _tables(metric: Metric) -> tuple[str, str]:
    return f"2023-{metric}", f"2023-{metric}-gold"


def _means(metric: Metric) -> tuple[dict[str, float], dict[str, float]]:
    """Return the teams' means on the test set and on the gold standard."""
    test, gold = (row_values(name, MEAN_ROW) for name in _tables(metric))
    return test, gold


def _row(metric: Metric) -> Cells:
    test, gold = (list(means.values()) for means in _means(metric))
    r = float(np.corrcoef(test, gold)[0, 1])
    freedom = len(test) - 2
    t = r * np.sqrt(freedom / (1 - r * r))
    return {
        "metric": _NAMES[metric],
        "teams": len(test),
        "r": r,
        "R2": r * r,
        "p": float(2 * scipy.special.stdtr(freedom, -abs(t))),
        "spearman": float(spearman(test, gold)),
        "kendall": float(kendall(test, gold)),
    }


def _words(row: Cells) -> tuple[str, ...]:
    r, square, p, rho, tau = (float(row[key] or 0) for key in ("r", "R2", "p", "spearman", "kendall"))
    return (
        str(row["metric"]),
        str(row["teams"]),
        fixed(r, 3),
        fixed(square, 3),
        significant(p, 2),
        fixed(rho, 3),
        fixed(tau, 3),
    )
