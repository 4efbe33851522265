"""Calculations from the printed tables: their numbers, and the cells behind them."""

from __future__ import annotations

import pytest

from explorer.core.csv_table import Cells
from explorer.core.result_table import table_in
from explorer.published.catalog import CHECKS, listed, printed_tables, result_named
from explorer.published.checks.balance import AS_PRINTED, counts_of
from explorer.published.checks.statement import Statement, count, same_order
from explorer.published.checks.statements import all_statements


def rows_of(check: str, key: str) -> dict[str, Cells]:
    return {str(row[key]): row for row in result_named(check).rows}


@pytest.mark.parametrize("name", CHECKS)
def test_every_calculation_can_be_written_in_every_format_and_is_listed(name: str) -> None:
    result = result_named(name)
    for output in ("text", "markdown", "latex", "csv"):
        assert len(table_in(output, result).splitlines()) >= 3
    assert name in {row[0] for row in listed().grids[0].rows}


@pytest.mark.parametrize(
    ("table", "team", "own", "best"),
    [
        ("CXR-LT 2026, Extended Data Table 6", "team A", 0.585, 0.600),
        ("CXR-LT 2026, Extended Data Table 7", "team A", 0.432, 0.451),
        ("CXR-LT 2023, Table 2", "T1", 0.372, 0.376),
        ("CXR-LT 2023, Table 3", "T1", 0.519, 0.555),
    ],
)
def test_the_oracle_by_finding(table: str, team: str, own: float, best: float) -> None:
    row = rows_of("oracle", "table")[table]
    assert row["best_team"] == team
    assert (row["mAP"], row["oracle_mAP"]) == pytest.approx((own, best), abs=0.0005)


def test_luck_from_the_printed_interval() -> None:
    # (0.621 - 0.540) / 3.92 is 0.0207; the best of 5 leads by 1.163 of the half of its variance: 0.0170.
    row = next(row for row in result_named("luck").rows if (row["tries"], row["films"]) == (5, 1400))
    assert row["correlation"] == 0.5
    assert row["expected_lead"] == pytest.approx(1.16296 * 0.020663 * 0.5**0.5, abs=1e-5)
    leads = result_named("luck").grids[1].rows
    assert [each[2:] for each in leads] == [
        ("+0.102", "yes"),
        ("+0.023", "no"),
        ("+0.030", "no"),
        ("+0.035", "yes"),
        ("+0.159", "yes"),
    ]


def test_bounds_hold_the_printed_figure_and_rank() -> None:
    rows = rows_of("bounds", "team")
    assert list(rows) == [f"T{number}" for number in range(1, 10)]
    for row in rows.values():
        assert float(row["AUROC_least"] or 0) < float(row["AUROC"] or 0) < float(row["AUROC_most"] or 0)
        assert float(row["rank_best"] or 0) <= float(row["rank"] or 0) <= float(row["rank_worst"] or 0)
    assert (rows["T1"]["rank_best"], rows["T1"]["rank_worst"]) == (1, 8)
    assert (rows["T9"]["rank_best"], rows["T9"]["rank_worst"]) == (6, 9)


def test_the_gold_standard_correlates_as_printed() -> None:
    row = rows_of("gold-standard", "metric")["mAP"]
    assert row["r"] == pytest.approx(0.979, abs=0.0005)
    assert row["R2"] == pytest.approx(0.958, abs=0.001)  # from means with three decimals
    assert row["p"] == pytest.approx(4.7e-6, rel=0.1)


def test_p_values_of_reveal_follow_from_its_counts() -> None:
    rows = rows_of("balance", "characteristic")
    found = {name: row["printed_p_follows_from"] for name, row in rows.items()}
    assert found.pop("Detector type") == "the counts, with Yates's correction"
    assert found.pop("Manufacturer") == "the counts and a missing row of 5 and 11"
    assert set(found.values()) == {"the counts"} and len(found) == 7
    for name in found:
        assert rows[name]["p"] == pytest.approx(rows[name]["printed_p"], abs=AS_PRINTED)


def test_the_missing_row_of_manufacturers_is_what_the_models_have_more() -> None:
    models, makers = counts_of("Manufacturer model name"), counts_of("Manufacturer")
    assert [sum(each) for each in zip(*models, strict=True)] == [117, 110]
    assert [sum(each) for each in zip(*makers, strict=True)] == [112, 99]


# By what a statement says: how many of its comparisons hold.
COUNTED = {
    ("CXR-LT 2026", "Scores on held-out subsets are usually lower than in the main test (mAP)."): (1, 9),
    ("CXR-LT 2026", "mAP falls with each rarer frequency group (teams)."): (4, 6),
    ("CXR-LT 2026", "All methods do better at NIH than at PadChest, by mAP."): (3, 3),
    ("CXR-LT 2026", "All methods do better at NIH than at PadChest, by AUROC."): (1, 3),
    ("CXR-LT 2023", "The best AP of each finding is 0.063 or more."): (25, 26),
    ("CXR-LT 2023", "T1 is best for 20 of 26 findings."): (1, 1),
    ("CheXpert", "U-Zeros does best for consolidation."): (0, 1),
    ("REVEAL-CXR", "Nine findings have a kappa above 0.7."): (1, 1),
    ("REVEAL-CXR", "Findings other than airspace opacity have a kappa from 0.744 to 0.809."): (8, 11),
}


@pytest.mark.parametrize(("paper", "says"), COUNTED)
def test_statements_are_counted(paper: str, says: str) -> None:
    (found,) = [each for each in all_statements() if (each.paper, each.says) == (paper, says)]
    assert (found.holds, found.of) == COUNTED[paper, says]


def test_statements_name_the_numbers_and_tables_that_decide() -> None:
    said = {each.says: each.numbers for each in all_statements()}
    assert "team C with 0.652" in said["Scores on held-out subsets are usually lower than in the main test (mAP)."]
    assert "0.826" in said["mAP falls with each rarer frequency group (teams)."]
    assert said["The best AP of each finding is 0.063 or more."] == "Below: Lung Lesion 0.042."
    assert {name for each in all_statements() for name in each.tables} <= set(printed_tables())
    assert len(all_statements()) == 22  # as docs/published.md says


@pytest.mark.parametrize(
    ("holds", "of", "verdict"),
    [(1, 1, "holds"), (3, 3, "holds for all 3"), (4, 6, "holds for 4 of 6"), (0, 3, "does not hold")],
)
def test_verdicts(holds: int, of: int, verdict: str) -> None:
    assert Statement("paper", "1", "says", holds, of, "numbers", ()).verdict == verdict


def test_pairs_in_the_same_order_worked_by_hand() -> None:
    # a-b turns, a-c and b-c stay; d ties with c in the first and counts with a and b alone.
    one, other = {"a": 3.0, "b": 2.0, "c": 1.0, "d": 1.0}, {"a": 2.0, "b": 3.0, "c": 1.0, "d": 0.0}
    assert same_order(one, other) == (4, 5)
    assert count([True, False, True]) == (2, 3)
