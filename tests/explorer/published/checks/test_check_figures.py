"""Figures of the calculations: the points drawn against numbers copied from the papers or worked by hand."""

from __future__ import annotations

import pytest

from explorer.published.catalog import CHECKS, printed_tables
from explorer.published.checks.cells import source_words
from explorer.published.checks.check_figure import (
    CheckFigure,
    FigurePoint,
    FigureSeries,
    LinesChart,
    RowsChart,
    ScatterChart,
    ScatterPoint,
    ScatterSeries,
    point_text,
)
from explorer.published.checks.statement_figures import FIGURES
from explorer.published.checks.statements import all_statements


def figures_of(check: str) -> dict[str, CheckFigure]:
    return {each.name: each for each in CHECKS[check].figures()}


def rows_of(chart: object) -> dict[str, list[FigurePoint | None]]:
    """The points of each row, in the order of the series."""
    assert isinstance(chart, RowsChart)
    return {row: [series.points[place] for series in chart.series] for place, row in enumerate(chart.names)}


def ends(point: FigurePoint | None) -> tuple[float, float | None, float | None]:
    assert point is not None
    return point.value, point.low, point.high


@pytest.mark.parametrize("check", CHECKS)
def test_every_calculation_has_figures_of_printed_tables_with_their_cells(check: str) -> None:
    found = CHECKS[check].figures()
    assert found and len({each.name for each in found}) == len(found)
    titles = {grid.title for grid in CHECKS[check].make().grids}
    for figure in found:
        assert figure.says.endswith(".") and set(figure.tables) <= set(printed_tables())
        assert figure.under in {"", *titles}
        grid, chart = figure.grid(), figure.chart
        assert grid.rows and {len(row) for row in grid.rows} == {len(grid.header)}
        if isinstance(chart, ScatterChart):
            assert len(grid.rows) == sum(len(series.points) for series in chart.series)
        else:
            names = chart.places
            assert {len(series.points) for series in chart.series} == {len(names)}


def test_statements_name_figures_that_are_there() -> None:
    named = {each.figure for each in all_statements()} - {""}
    assert named == set(FIGURES)
    assert sum(not each.figure for each in all_statements()) == 5  # as docs/published.md says
    assert {each.under for each in figures_of("statements").values()} == {each.paper for each in all_statements()}


def test_the_oracle_draws_the_best_single_team_and_the_best_of_each_finding() -> None:
    found = figures_of("oracle")
    means = rows_of(found["oracle"].chart)
    for row, expected in (
        ("2026, seen findings (30)", (0.585, 0.600)),
        ("2026, unseen findings (6)", (0.432, 0.451)),
        ("2023, test set (26)", (0.372, 0.376)),
        ("2023, gold standard (26)", (0.519, 0.555)),
    ):
        assert [ends(each)[0] for each in means[row]] == pytest.approx(expected, abs=0.0005)
    assert "0.585 to 0.600: +0.014 at most" in found["oracle"].says
    findings = rows_of(found["oracle_2026-findings-1"].chart)
    assert [ends(each)[0] for each in findings["Normal"]] == [0.873, 0.873]  # team A itself
    assert [ends(each)[0] for each in findings["Pneumothorax"]] == [0.608, 0.689]  # team A, team D
    assert "Another team than team A is best for 16 of 30 findings" in found["oracle_2026-findings-1"].says


def test_held_out_subsets_are_paired_with_the_main_test() -> None:
    rows = rows_of(figures_of("statements")["statement_held-out"].chart)
    assert len(rows) == 9
    assert [ends(each) for each in rows["Task 1, team C"]] == [(0.460, 0.437, 0.532), (0.652, 0.602, 0.732)]
    assert [ends(each) for each in rows["Task 2, team G"]] == [(0.224, 0.204, 0.278), (0.280, 0.248, 0.385)]
    higher = sum(ends(held_out)[0] > ends(main)[0] for main, held_out in rows.values())
    assert higher == 8


def test_rarity_is_a_line_for_each_team() -> None:
    figure = figures_of("statements")["statement_rarity"]
    assert isinstance(figure.chart, LinesChart)
    assert figure.chart.places == ("normal", "common", "medium", "rare", "very rare")
    lines = {series.name: [ends(each)[0] for each in series.points] for series in figure.chart.series}
    assert lines["team A"] == [0.873, 0.734, 0.484, 0.468, 0.826]
    assert len(lines) == 6 and "holds for 4 of 6" in figure.says and "holds for all 6" in figure.says


def test_nih_stands_beside_padchest() -> None:
    rows = rows_of(figures_of("statements")["statement_centers"].chart)
    assert [ends(each) for each in rows["team G, AUROC"]] == [(0.560, 0.512, 0.605), (0.525, 0.457, 0.587)]
    assert [ends(each) for each in rows["team A, mAP"]] == [(0.436, 0.371, 0.538), (0.514, 0.486, 0.673)]


def test_lines_of_the_text_cross_the_points_that_decide() -> None:
    found = figures_of("statements")
    least = found["statement_least-ap"].chart
    assert isinstance(least, RowsChart) and least.marks[0].value == 0.063
    assert [row for row, (best,) in rows_of(least).items() if ends(best)[0] < 0.063] == ["Lung Lesion"]
    first = found["statement_first-place"].chart
    assert isinstance(first, RowsChart) and first.marks[0].value == 0.540
    assert [row for row, (mean,) in rows_of(first).items() if (ends(mean)[2] or 0) > 0.540] == ["team A", "team B"]
    kappa = found["statement_kappa"].chart
    assert isinstance(kappa, RowsChart) and [mark.value for mark in kappa.marks] == [0.744, 0.809]
    assert [ends(each) for each in rows_of(kappa)["Aneurysm"]] == [(0.651, 0.536, 0.758)]


def test_aps_of_the_gold_standard_are_above_the_line_where_they_are_higher() -> None:
    chart = figures_of("statements")["statement_gold-ap"].chart
    assert isinstance(chart, ScatterChart) and (chart.slope, chart.intercept) == (1, 0)
    assert [len(series.points) for series in chart.series] == [206, 28]
    assert all(point.y > point.x for point in chart.series[0].points)


def test_the_gold_standard_has_its_line_of_least_squares() -> None:
    found = figures_of("gold-standard")
    chart = found["gold-standard_map"].chart
    assert isinstance(chart, ScatterChart)
    (teams,) = chart.series
    assert teams.points[0] == ScatterPoint("T1", 0.372, 0.519) and len(teams.points) == 9
    # Residuals of least squares sum to 0, and so do their products with x.
    rest = [point.y - chart.intercept - chart.slope * point.x for point in teams.points]
    assert sum(rest) == pytest.approx(0, abs=1e-9)
    assert sum(each * point.x for each, point in zip(rest, teams.points, strict=True)) == pytest.approx(0, abs=1e-9)
    assert "r 0.979, R² 0.959" in found["gold-standard_map"].says


def test_luck_grows_with_tries_and_the_leads_cross_it() -> None:
    found = figures_of("luck")
    chart = found["luck_1400"].chart
    assert isinstance(chart, LinesChart) and chart.places[3] == 5
    half = chart.series[0].points
    # As in test_checks.py: the best of 5 leads by 1.163 of the half of the variance; the best of one does not lead.
    assert ends(half[3])[0] == pytest.approx(1.16296 * 0.020663 * 0.5**0.5, abs=1e-5)
    assert ends(half[0])[0] == pytest.approx(0, abs=1e-9)
    assert {mark.words for mark in chart.marks} >= {"A over B +0.102", "B over C +0.023"}
    fewer = found["luck_300"].chart
    assert isinstance(fewer, LinesChart)
    ratio = ends(fewer.series[0].points[3])[0] / ends(half[3])[0]
    assert ratio == pytest.approx((1400 / 300) ** 0.5)
    assert "C over A +0.061" in {mark.words for mark in fewer.marks}
    assert "team B over team E and team E over team D" in found["luck_300"].says


def test_bounds_are_drawn_around_the_printed_figure() -> None:
    (figure,) = CHECKS["bounds"].figures()
    rows = rows_of(figure.chart)
    assert list(rows)[0] == "T1, rank 1 to 8" and list(rows)[-1] == "T9, rank 6 to 9"
    value, low, high = ends(rows["T1, rank 1 to 8"][0])
    assert (value, low, high) == (0.850, pytest.approx(0.842, abs=0.0005), pytest.approx(0.889, abs=0.0005))


def test_printed_p_values_stand_beside_those_from_the_counts() -> None:
    (figure,) = CHECKS["balance"].figures()
    rows = rows_of(figure.chart)
    assert [ends(each)[0] for each in rows["Detector type"]] == pytest.approx((0.726, 0.598), abs=0.0005)
    assert [ends(each)[0] for each in rows["KVP"]] == pytest.approx((0.341, 0.341), abs=0.0005)
    assert figure.says.startswith("7 of 9 printed p values follow from the printed counts.")


def test_cells_made_from_a_chart_have_its_points_as_text() -> None:
    series = (FigureSeries("one", (FigurePoint(0.5, 0.4, 0.6), None)), FigureSeries("two", (FigurePoint(0.25),) * 2))
    grid = CheckFigure("name", "title", "It says.", RowsChart("team", ("A", "B"), series, "mAP"), ()).grid()
    assert grid.header == ("team", "one", "two")
    assert grid.rows == (("A", "0.500 [0.400–0.600]", "0.250"), ("B", "", "0.250"))
    points = ScatterSeries("teams", (ScatterPoint("A", 0.1, 0.2),))
    scatter = ScatterChart("team", "x", "y", (points,), 1, 0, "equal", named=True)
    assert CheckFigure("name", "title", "It says.", scatter, ()).grid().rows == (("A", "0.100", "0.200"),)


def test_points_as_text() -> None:
    assert point_text(FigurePoint(0.0171, high=0.0342), "difference") == "+0.017, 95 % below +0.034"
    assert point_text(FigurePoint(0.1, -0.1, 0.2), "difference") == "+0.100 [−0.100, +0.200]"
    assert point_text(None, "share") == ""


def test_sources_name_a_paper_once() -> None:
    words = source_words(("2026-groups", "2023-ap", "2023-ap-gold"))
    assert words == (
        "CXR-LT 2026, Extended Data Table 4 (1,400 films of PadChest-GR). CXR-LT 2023, Table 2 (20 % of 377,110 "
        "MIMIC-CXR films, labeled by a text program); Table 3 (406 labeled reports)"
    )
