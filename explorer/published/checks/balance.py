"""REVEAL-CXR's Table S2: its chi-squared p values recomputed from the printed counts."""

from __future__ import annotations

from explorer.core.csv_table import Cells
from explorer.core.figures import fixed
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.metrics.chi_squared import ChiSquared, chi_squared
from explorer.published.checks.cells import row_values, table

TABLES = PRINTED, COUNTS = ("reveal-balance", "reveal-acquisition")
TITLE = "Balance of REVEAL-CXR: p values from the printed counts"
AS_PRINTED = 0.0005  # half of the last printed decimal
MISSING_ROW = ("Manufacturer", (5.0, 11.0))  # the rows of models have 5 and 11 films more than those of manufacturers


def balance() -> ResultTable:
    """Return, by characteristic, the printed and the recomputed p value, and which counts give the printed one."""
    rows = [_row(name) for name in table(PRINTED).rows]
    header = ("characteristic", "printed p", "chi-squared", "df", "p from the counts", "the printed p follows from")
    notes = (
        "Pearson's chi-squared test of the films of the two halves. Yates's correction is usual for 2 by 2 tables.",
        "The rows of models hold 5 and 11 films more than those of manufacturers: with one more row of 5 and 11, the "
        "printed p of the manufacturers follows.",
    )
    grid = TextGrid(TITLE, header, tuple(map(_words, rows)))
    return ResultTable(TITLE, notes, (grid,), tuple(rows))


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
        return "the counts"
    if abs(chi_squared(counts, yates=True).p - printed) <= AS_PRINTED:
        return "the counts, with Yates's correction"
    if name == MISSING_ROW[0] and abs(chi_squared([*counts, MISSING_ROW[1]]).p - printed) <= AS_PRINTED:
        return "the counts and a missing row of 5 and 11"
    return "unknown"


def _words(row: Cells) -> tuple[str, ...]:
    printed, statistic, p = (float(row[key] or 0) for key in ("printed_p", "chi_squared", "p"))
    found = str(row["printed_p_follows_from"])
    return str(row["characteristic"]), fixed(printed, 3), fixed(statistic, 2), str(row["df"]), fixed(p, 3), found
