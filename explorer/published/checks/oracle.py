"""What choosing the best team for each finding would be worth at most, with the test labels known."""

from __future__ import annotations

from statistics import mean

from explorer.core.csv_table import Cells
from explorer.core.figures import share_text, signed
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.published.checks.cells import best_columns, findings_of, row_values, table

TITLE = "Oracle by finding: the best team for each"
TABLES = ("2026-findings-1", "2026-findings-2", "2023-ap", "2023-ap-gold")


def oracle() -> ResultTable:
    """Return, by table, the mean of each finding's best AP beside the best single team's mean, and who wins where."""
    rows = [_row(name) for name in TABLES]
    header = ("table", "findings", "best team", "its mAP", "best team by finding", "worth at most")
    winners = tuple(
        TextGrid(f"Best team by finding: {_title(name)}", ("finding", "AP", "best"), tuple(_winners(name)))
        for name in TABLES
    )
    grid = TextGrid(TITLE, header, tuple(map(_words, rows)))
    notes = (
        "The choice uses the test labels, so no one can make it beforehand: choosing on other films gains less.",
        "Means are recomputed from the printed APs of the findings. Ties name all teams.",
    )
    return ResultTable(TITLE, notes, (grid, *winners), tuple(rows))


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
    own, best, difference = (float(row[key] or 0) for key in ("mAP", "oracle_mAP", "difference"))
    figures = (share_text(own, 3), share_text(best, 3), signed(difference))
    return str(row["table"]), str(row["findings"]), str(row["best_team"]), *figures


def _winners(name: str) -> list[tuple[str, ...]]:
    best = {row: best_columns(name, row) for row in findings_of(name)}
    return [(row, share_text(value, 3), ", ".join(teams)) for row, (value, teams) in best.items()]
