"""How much of a lead in CXR-LT 2026 may be the luck of the best of several tries."""

from __future__ import annotations

import math
from itertools import pairwise

from explorer.core.csv_table import Cells
from explorer.core.figures import fixed, share_text, signed
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.metrics.best_of_tries import luck_of_tries
from explorer.published.checks.cells import row_values, table

TABLE = "2026-main-1"
TITLE = "Luck of submitting often"
TEST_FILMS = 1400  # of Task 1 (CXR-LT 2026, Table 1)
NORMAL_WIDTH = 2 * 1.96  # of a 95 % interval, in standard deviations
CORRELATIONS = (0.5, 0.9)  # of two tries of one team: assumed, not printed
PERMITTED_TRIES = 5  # on the test set (section 2.5)
# Tries and films: the permitted ones; 2,475 submissions of 23 teams on the development set
# (section 3.1), 108 each; and the held-out subset of 300 (section 3.5).
TRIES = ((2, TEST_FILMS), (PERMITTED_TRIES, TEST_FILMS), (10, TEST_FILMS), (108, 1620), (5, 300), (108, 300))


def luck() -> ResultTable:
    """Return the lead by luck for several numbers of tries and films, and the leads of the teams of Task 1."""
    cell = table(TABLE).cells["mAP", "team A"]
    deviation = ((cell.high or 0) - (cell.low or 0)) / NORMAL_WIDTH
    rows = [_row(tries, films, deviation, each) for tries, films in TRIES for each in CORRELATIONS]
    header = ("tries", "films", "correlation of tries", "expected lead", "95 % stay below")
    grid = TextGrid("Lead of the best of several equally good models, mAP", header, tuple(map(_words, rows)), 2)
    means = row_values(TABLE, "mAP")
    permitted = luck_of_tries(PERMITTED_TRIES, deviation, CORRELATIONS[0]).limit
    leads = tuple(
        (one, other, signed(means[one] - means[other]), "yes" if means[one] - means[other] > permitted else "no")
        for one, other in pairwise(sorted(means, key=lambda team: -means[team]))
    )
    beyond = (
        f"above {signed(permitted)}, the limit of {PERMITTED_TRIES} tries at correlation {fixed(CORRELATIONS[0], 1)}"
    )
    notes = (
        "Method: scores of equally good models vary normally over test sets; the best of n leads the truth by the "
        "expected largest of n normal numbers, times the part of the deviation that they do not share.",
        f"Deviation: {share_text(deviation, 3)} on {TEST_FILMS:,} films, from team A's printed interval; it grows with "
        "the square root of fewer films. The correlations are assumptions: no paper prints them.",
        "Tries: 5 were permitted on the test set; 2,475 submissions of 23 teams on the development set are 108 each.",
    )
    grids = (grid, TextGrid("Leads in Task 1, mAP", ("team", "over", "lead", beyond), leads))
    return ResultTable(TITLE, notes, grids, tuple(rows))


def _row(tries: int, films: int, deviation: float, correlation: float) -> Cells:
    found = luck_of_tries(tries, deviation * math.sqrt(TEST_FILMS / films), correlation)
    return {
        "tries": tries,
        "films": films,
        "correlation": correlation,
        "expected_lead": found.expected,
        "lead_95": found.limit,
    }


def _words(row: Cells) -> tuple[str, ...]:
    correlation, expected, limit = (float(row[key] or 0) for key in ("correlation", "expected_lead", "lead_95"))
    return f"{row['tries']}", f"{row['films']:,}", fixed(correlation, 1), signed(expected), signed(limit)
