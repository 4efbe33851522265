"""How much of a lead in CXR-LT 2026 may be the luck of the best of several tries."""

from __future__ import annotations

import math
from itertools import pairwise

from explorer.core.csv_table import Cells
from explorer.core.figures import fixed, share_text, signed
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import and_list
from explorer.metrics.best_of_tries import luck_of_tries
from explorer.published.checks.cells import row_values, table
from explorer.published.checks.check_figure import CheckFigure, FigurePoint, FigureSeries, LinesChart, Mark
from explorer.published.printed_table import in_order

TABLES = TABLE, HELD_OUT = ("2026-main-1", "2026-held-out-1")
TITLE = "Luck of submitting often"
TEST_FILMS = 1400  # of Task 1 (CXR-LT 2026, Table 1)
HELD_OUT_FILMS = 300  # of its held-out subset (section 3.5)
NORMAL_WIDTH = 2 * 1.96  # of a 95 % interval, in standard deviations
CORRELATIONS = (0.5, 0.9)  # of two tries of one team: assumed, not printed
PERMITTED_TRIES = 5  # on the test set (section 2.5)
# Tries and films: the permitted ones; 2,475 submissions of 23 teams on the development set
# (section 3.1), 108 each; and the held-out subset.
TRIES = (
    (2, TEST_FILMS),
    (PERMITTED_TRIES, TEST_FILMS),
    (10, TEST_FILMS),
    (108, 1620),
    (5, HELD_OUT_FILMS),
    (108, HELD_OUT_FILMS),
)
DRAWN_TRIES = (1, 2, 3, 5, 10, 20, 50, 108)


def luck() -> ResultTable:
    """Return the lead by luck for several numbers of tries and films, and the leads of the teams of Task 1."""
    deviation = _deviation()
    rows = [_row(tries, films, deviation, each) for tries, films in TRIES for each in CORRELATIONS]
    header = ("tries", "films", "correlation of tries", "expected lead", "95 % stay below")
    grid = TextGrid("Lead of the best of several equally good models, mAP", header, tuple(map(_words, rows)), 2)
    permitted = luck_of_tries(PERMITTED_TRIES, deviation, CORRELATIONS[0]).limit
    leads = tuple((one, other, signed(lead), "yes" if lead > permitted else "no") for one, other, lead in _leads(TABLE))
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


def luck_figures() -> tuple[CheckFigure, ...]:
    """Return a figure of the lead by luck over the number of tries: for the main test, and for the held-out subset."""
    return _figure("main test", TABLE, TEST_FILMS), _figure("held-out subset", HELD_OUT, HELD_OUT_FILMS)


def _figure(films: str, name: str, n: int) -> CheckFigure:
    deviation = _deviation() * math.sqrt(TEST_FILMS / n)
    series = tuple(
        FigureSeries(
            f"tries correlated by {fixed(each, 1)}",
            tuple(_point(*luck_of_tries(tries, deviation, each)) for tries in DRAWN_TRIES),
        )
        for each in CORRELATIONS
    )
    leads = _leads(name)
    marks = tuple(Mark(lead, f"{one[-1]} over {other[-1]} {signed(lead)}") for one, other, lead in leads)
    permitted = luck_of_tries(PERMITTED_TRIES, deviation, CORRELATIONS[0])
    above = [f"{one} over {other}" for one, other, lead in leads if lead > permitted.limit]
    says = (
        f"The best of {PERMITTED_TRIES} equally good tries leads by {signed(permitted.expected)} on {n:,} films, and "
        f"95 % stay below {signed(permitted.limit)}, if tries correlate by {fixed(CORRELATIONS[0], 1)}. Larger leads "
        f"of neighbors in rank: {and_list(above) or 'none'}."
    )
    chart = LinesChart("tries", DRAWN_TRIES, series, "lead in mAP", "difference", marks)
    title = f"Lead by luck and leads of the teams: {films}"
    return CheckFigure(f"luck_{n}", title, says, chart, in_order((TABLE, name)))


def _point(expected: float, limit: float) -> FigurePoint:
    return FigurePoint(expected, high=limit)


def _deviation() -> float:
    """Return the standard deviation of a model's mAP on the films of Task 1, from team A's printed interval."""
    cell = table(TABLE).cells["mAP", "team A"]
    return ((cell.high or 0) - (cell.low or 0)) / NORMAL_WIDTH


def _leads(name: str) -> list[tuple[str, str, float]]:
    """Return each team, the next by mAP in a table, and the lead."""
    means = row_values(name, "mAP")
    ranked = sorted(means, key=lambda team: -means[team])
    return [(one, other, means[one] - means[other]) for one, other in pairwise(ranked)]


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
