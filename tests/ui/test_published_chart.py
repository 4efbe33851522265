"""Charts of calculations from printed tables: what is drawn where, in wide and in narrow windows."""

from __future__ import annotations

import pytest

from explorer.published.checks.check_figure import (
    FigurePoint,
    FigureSeries,
    LinesChart,
    Mark,
    RowsChart,
    ScatterChart,
    ScatterPoint,
    ScatterSeries,
)
from explorer.ui.evaluate.panels.published_chart import BAND_ALPHA, OFFSET, check_chart
from explorer.ui.shared.row_chart import NAME_ABOVE, NAME_PX, ROW_PX, named_rows, top_px

ONE = FigureSeries("main", (FigurePoint(0.5), FigurePoint(0.25)))
OTHER = FigureSeries("held-out <b>", (FigurePoint(0.75), FigurePoint(0.25)))


def test_two_points_of_a_row_are_joined_on_one_line() -> None:
    chart = check_chart(RowsChart("team", ("A", "B"), (ONE, OTHER), "mAP"))
    joints, main, other = chart["data"]
    assert joints["x"] == [0.5, 0.75, None, 0.25, 0.25, None] and joints["y"] == [0, 0, None, -1, -1, None]
    assert main["x"] == [0.5, 0.25] and other["x"] == [0.75, 0.25] and main["y"] == other["y"] == [0, -1]
    assert (main["marker"]["symbol"], other["marker"]["symbol"]) == ("circle-open", "circle")
    assert other["hovertext"][0] == "<b>A</b><br>held-out &lt;b&gt;<br>0.750"
    assert chart["layout"]["showlegend"] and chart["layout"]["xaxis"]["range"] == pytest.approx([0.23, 0.77])


def test_points_with_intervals_stand_one_above_the_other() -> None:
    wide = FigureSeries("wide", (FigurePoint(0.5, 0.4, 0.7), None))
    chart = check_chart(RowsChart("team", ("A", "B"), (wide, OTHER), "mAP"))
    one, other = chart["data"]  # no lines between them
    assert one["y"] == [OFFSET, OFFSET - 1] and other["y"] == [-OFFSET, -OFFSET - 1]
    bars = one["error_x"]
    assert bars["array"] == pytest.approx([0.2, 0]) and bars["arrayminus"] == pytest.approx([0.1, 0])
    assert one["x"] == [0.5, None]


def test_a_line_of_the_text_has_its_words_above() -> None:
    chart = check_chart(RowsChart("finding", ("A", "B"), (ONE,), "AP", marks=(Mark(0.063, "0.063"),)))
    (line,), (words,) = chart["layout"]["shapes"], chart["layout"]["annotations"]
    assert (line["x0"], line["x1"], line["yref"]) == (0.063, 0.063, "paper") and words["text"] == "0.063"
    assert words["xanchor"] == "left"  # the line is at the left end of the points
    assert chart["layout"]["xaxis"]["range"][0] < 0.063 and not chart["layout"]["showlegend"]


def test_a_band_goes_from_the_line_to_the_limit() -> None:
    series = FigureSeries("half", (FigurePoint(0.0, high=0.02), FigurePoint(0.01, high=0.03)))
    chart = check_chart(LinesChart("tries", (1, 5), (series,), "lead", "difference", (Mark(0.1, "A over B"),)))
    band, line = chart["data"]
    assert band["x"] == [1, 5, 5, 1] and band["y"] == [0.02, 0.03, 0.01, 0.0]
    assert band["fillcolor"] == line["line"]["color"] + BAND_ALPHA
    assert line["hovertext"][1].endswith("+0.010, 95 % below +0.030")
    axis = chart["layout"]["xaxis"]
    assert (axis["type"], axis["tickvals"]) == ("log", [1, 5])
    assert chart["layout"]["shapes"][0]["y0"] == 0.1


def test_groups_are_places_by_name() -> None:
    chart = check_chart(LinesChart("group", ("common", "rare"), (ONE,), "mAP"))
    (line,) = chart["data"]  # without intervals there is no band
    assert line["x"] == ["common", "rare"] and chart["layout"]["xaxis"]["type"] == "category"


def test_names_stand_on_the_side_with_room() -> None:
    points = (ScatterPoint("T1", 0.0, 0.0), ScatterPoint("T2", 0.99, 1.0), ScatterPoint("T3", 1.0, 1.0))
    chart = check_chart(ScatterChart("team", "x", "y", (ScatterSeries("teams", points),), 2, 0.5, "line", named=True))
    line, teams = chart["data"]
    assert line["x"] == [0.0, 1.0] and line["y"] == [0.5, 2.5]
    assert teams["text"] == ["T1", "T2", "T3"]
    assert teams["textposition"] == ["middle right", "middle left", "middle right"]


def test_in_narrow_windows_names_stand_above_their_rows() -> None:
    long = "A very long name of a finding, indeed"
    figure = named_rows([], ["A", long], {}, [0.0, 1.0], legend=["one", "two"])
    wide, narrow = figure["layout"], figure["narrow"]
    assert wide["yaxis"]["tickvals"] == [0, -1] and wide["yaxis"]["ticktext"][1].endswith("…")
    assert [(each["text"], each["y"]) for each in narrow["annotations"]] == [("A", NAME_ABOVE), (long, NAME_ABOVE - 1)]
    assert not narrow["yaxis"]["showticklabels"] and not wide["annotations"]
    assert narrow["margin"]["l"] < 10 < 200 < wide["margin"]["l"]
    assert narrow["height"] - wide["height"] == 2 * NAME_PX and wide["height"] == 30 + 44 + 2 * ROW_PX
    assert wide["xaxis"]["range"] == narrow["xaxis"]["range"] == [-0.04, 1.04]


def test_a_legend_that_needs_more_lines_gets_them() -> None:
    names = [f"team {letter}" for letter in "ABCDEF"]  # 6 times 44 + 6 x 6.7 px: 505
    assert [top_px(names, width) for width in (1000, 342, 200)] == [30, 52, 74]
    assert top_px((), 342) == 8
