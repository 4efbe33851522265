"""Whether the teams of CXR-LT 2023 keep their order on the gold standard: correlations of their means."""

from __future__ import annotations

import numpy as np
import scipy

from explorer.core.csv_table import Cells
from explorer.core.figures import fixed, significant
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.metrics.rank_correlation import kendall, spearman
from explorer.published.challenge_tables import MEAN_ROW
from explorer.published.checks.cells import row_values

TABLES = ("2023-ap", "2023-ap-gold", "2023-auroc", "2023-auroc-gold")
TITLE = "Gold standard: whether the teams keep their order"


def gold_standard() -> ResultTable:
    """Return the correlations of nine teams' means on the two sets, by metric, and the means themselves."""
    rows = [_row(metric) for metric in ("ap", "auroc")]
    header = ("metric", "teams", "r", "R²", "p", "Spearman's rho", "Kendall's tau")
    grid = TextGrid(TITLE, header, tuple(map(_words, rows)))
    test, gold = (row_values(name, MEAN_ROW) for name in ("2023-ap", "2023-ap-gold"))
    means = tuple((team, fixed(test[team], 3), fixed(gold[team], 3)) for team in test)
    notes = (
        "The paper prints r 0.979, R² 0.958 and p 4.7e-6 for mAP (section 3.3.2). From the means with three decimals "
        "R² is 0.959, a difference of rounding.",
    )
    return ResultTable(TITLE, notes, (grid, TextGrid("mAP", ("team", "test set", "gold standard"), means)), tuple(rows))


def _row(metric: str) -> Cells:
    test, gold = (list(row_values(f"2023-{metric}{suffix}", MEAN_ROW).values()) for suffix in ("", "-gold"))
    r = float(np.corrcoef(test, gold)[0, 1])
    freedom = len(test) - 2
    t = r * np.sqrt(freedom / (1 - r * r))
    return {
        "metric": "mAP" if metric == "ap" else "mAUROC",
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
