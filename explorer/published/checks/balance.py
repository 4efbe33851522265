"""REVEAL-CXR's Table S2: its chi-squared p values recomputed from the printed counts."""

from __future__ import annotations

from explorer.core.csv_table import Cells
from explorer.core.figures import fixed
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.metrics.chi_squared import ChiSquared, chi_squared
from explorer.published.checks.cells import row_values, table
from explorer.published.checks.check_figure import CheckFigure, FigurePoint, FigureSeries, Mark, RowsChart

TABLES = PRINTED, COUNTS = ("reveal-balance", "reveal-acquisition")
TITLE = "Balance of REVEAL-CXR: p values from the printed counts"
AS_PRINTED = 0.0005  # half of the last printed decimal
FROM_COUNTS = "the counts"
WITH_YATES = "the counts, with Yates's correction"
WITH_ROW = "the counts and a missing row of 5 and 11"
MISSING_ROW = ("Manufacturer", (5.0, 11.0))  # the rows of models have 5 and 11 films more than those of manufacturers


def balance() -> ResultTable:
    """Return, by characteristic, the printed and the recomputed p value, and which counts give the printed one."""
    rows = _rows()
    notes = (
        "Pearson's chi-squared test of the films of the two halves. Yates's correction is usual for 2 by 2 tables.",
        "The rows of models hold 5 and 11 films more than those of manufacturers: with one more row of 5 and 11, the "
        "printed p of the manufacturers follows.",
    )
    return ResultTable(TITLE, notes, (_grid(rows),), tuple(rows))


def balance_figures() -> tuple[CheckFigure, ...]:
    """Return the figure of the printed p values beside those recomputed from the counts."""
    rows = _rows()
    follow = sum(row["printed_p_follows_from"] == FROM_COUNTS for row in rows)
    others = [f"{row['characteristic']} needs {_needed(row)}" for row in rows if _needed(row)]
    says = f"{follow} of {len(rows)} printed p values follow from the printed counts. {'; '.join(others)}."
    series = tuple(
        FigureSeries(name, tuple(FigurePoint(float(row[key] or 0)) for row in rows))
        for name, key in (("printed", "printed_p"), ("from the counts", "p"))
    )
    names = tuple(str(row["characteristic"]) for row in rows)
    chart = RowsChart("characteristic", names, series, "p", marks=(Mark(0.05, "0.05"),))
    return (CheckFigure("balance", "Printed p values beside those from the counts", says, chart, TABLES, _grid(rows)),)


def _needed(row: Cells) -> str:
    """Return what the counts need for the printed p, such as `Yates's correction`; empty if nothing."""
    return {WITH_YATES: "Yates's correction", WITH_ROW: "a missing row of 5 and 11"}.get(
        str(row["printed_p_follows_from"]), ""
    )


def _rows() -> list[Cells]:
    return [_row(name) for name in table(PRINTED).rows]


def _grid(rows: list[Cells]) -> TextGrid:
    header = ("characteristic", "printed p", "chi-squared", "df", "p from the counts", "the printed p follows from")
    return TextGrid(TITLE, header, tuple(map(_words, rows)))


def counts_of(characteristic: str) -> list[tuple[float, float]]:
    """Return a characteristic's printed counts: holdout and released films of each category."""
    rows = [row for row in table(COUNTS).rows if row.startswith(f"{characteristic}: ")]
    values = [row_values(COUNTS, row) for row in rows]
    return [(each["Holdout"], each["Released"]) for each in values]


def _row(name: str) -> Cells:
    printed = row_values(PRINTED, name)["p"]
    counts = counts_of(name)
    plain = chi_squared(counts)
    return {
        "characteristic": name,
        "printed_p": printed,
        "chi_squared": plain.statistic,
        "df": plain.freedom,
        "p": plain.p,
        "printed_p_follows_from": _explanation(name, counts, plain, printed),
    }


def _explanation(name: str, counts: list[tuple[float, float]], plain: ChiSquared, printed: float) -> str:
    if abs(plain.p - printed) <= AS_PRINTED:
        return FROM_COUNTS
    if abs(chi_squared(counts, yates=True).p - printed) <= AS_PRINTED:
        return WITH_YATES
    if name == MISSING_ROW[0] and abs(chi_squared([*counts, MISSING_ROW[1]]).p - printed) <= AS_PRINTED:
        return WITH_ROW
    return "unknown"


def _words(row: Cells) -> tuple[str, ...]:
    printed, statistic, p = (float(row[key] or 0) for key in ("printed_p", "chi_squared", "p"))
    found = str(row["printed_p_follows_from"])
    return str(row["characteristic"]), fixed(printed, 3), fixed(statistic, 2), str(row["df"]), fixed(p, 3), found
