"""Figures: every number that is drawn is one of the data's, in the page's own look."""

from __future__ import annotations

import json
from typing import Any

import pytest

from explorer.core.findings import FrequencyGroup
from explorer.ui.explore.figures import PrevalencePoint, prevalence_scatter
from explorer.ui.explore.label_places import LETTER_PX, TEXT_LINE_PX, LabeledPoint, label_positions

SIZE = (620, 480)
POINTS = (
    PrevalencePoint("Mass", "mass", FrequencyGroup.RARE, 98, 1650, 0.31, (0.22, 0.41)),
    PrevalencePoint("Nodule", "nodule", FrequencyGroup.RARE, 7, 1650, 0.05, None),
    PrevalencePoint("Pleural Effusion", "pleural-effusion", FrequencyGroup.COMMON, 400, 1600, 0.71, (0.66, 0.75)),
    PrevalencePoint("<b>Own</b>", "<b>own</b>", None, 20, 900, 0.2, (0.1, 0.4)),
)


def scatter(points: tuple[PrevalencePoint, ...] = POINTS, chosen: str | None = None) -> dict[str, Any]:
    figure = prevalence_scatter(points, "All pairs of nih-oof by nih-mini", *SIZE, chosen=chosen)
    plain: dict[str, Any] = json.loads(json.dumps(figure))  # what the script gets: plain JSON, no arrays in base64
    return plain


def drawn(figure: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Everything that is drawn of each finding, by its word."""
    found = {}
    for trace in figure["data"]:
        for at, word in enumerate(trace.get("customdata", [])):
            error = trace["error_y"]
            found[word] = {
                "x": trace["x"][at],
                "y": trace["y"][at],
                "low": trace["y"][at] - error["arrayminus"][at],
                "high": trace["y"][at] + error["array"][at],
                "shape": trace["marker"]["symbol"][at],
                "border": trace["marker"]["line"]["color"][at],
                "hover": trace["hovertext"][at],
                "group": trace["name"],
            }
    return found


def test_every_point_is_where_its_numbers_say() -> None:
    found = drawn(scatter())
    assert set(found) == {point.word for point in POINTS}
    for point in POINTS:
        mark = found[point.word]
        assert mark["x"] == point.positives / point.films
        assert mark["y"] == point.value
        assert (mark["low"], mark["high"]) == pytest.approx(point.interval or (point.value, point.value))
        assert mark["group"] == (point.group or "no group")


def test_the_chance_line_is_the_prevalence() -> None:
    (chance,) = (trace for trace in scatter()["data"] if trace["mode"] == "lines")
    assert chance["x"] == chance["y"]
    assert min(chance["x"]) < 7 / 1650 and max(chance["x"]) > 400 / 1600


def test_nothing_lies_above_the_frame() -> None:
    assert scatter()["layout"]["yaxis"]["range"] == [0, pytest.approx(0.82)]  # 0.75 is the highest end
    assert scatter(POINTS[1:2])["layout"]["yaxis"]["range"] == [0, pytest.approx(0.22)]


def test_groups_differ_in_shape_and_few_positives_are_hollow() -> None:
    found = drawn(scatter())
    assert found["nodule"]["shape"] == found["mass"]["shape"] + "-open"
    assert len({mark["shape"].removesuffix("-open") for mark in found.values()}) == 3


def test_what_is_not_known_is_not_made_up() -> None:
    assert "interval computing" in drawn(scatter())["nodule"]["hover"]
    assert "0.31 [0.22\u20130.41]" in drawn(scatter())["mass"]["hover"]
    assert "n+ 98 of 1,650" in drawn(scatter())["mass"]["hover"]


def test_only_the_chosen_finding_is_marked() -> None:
    borders = {word: mark["border"] for word, mark in drawn(scatter(chosen="Mass")).items()}
    assert [word for word, border in borders.items() if border == "#6cb6ff"] == ["mass"]


def test_names_are_text_not_markup() -> None:
    text = json.dumps(scatter())
    assert "&lt;b&gt;Own&lt;/b&gt;" in text
    assert "<b>Own</b>" not in text


def test_the_title_carries_the_sentence_in_lines_that_fit() -> None:
    sentence = "All pairs of " + "very long " * 20 + "cohort"
    figure = prevalence_scatter(POINTS, sentence, 300, 400, None)
    lines = figure["layout"]["title"]["text"].split("<br>")
    assert " ".join(lines) == sentence
    assert max(map(len, lines)) * LETTER_PX < 300


@pytest.mark.parametrize("points", [(), POINTS[:1], POINTS], ids=["none", "one", "all"])
def test_any_number_of_points_can_be_drawn(points: tuple[PrevalencePoint, ...]) -> None:
    figure = scatter(points)
    low, high = figure["layout"]["xaxis"]["range"]
    assert all(10**low < point.positives / point.films < 10**high for point in points)
    assert len(figure["layout"]["xaxis"]["tickvals"]) == len(figure["layout"]["xaxis"]["ticktext"])


def test_ticks_are_written_as_percent() -> None:
    axis = scatter()["layout"]["xaxis"]
    shown = dict(zip(axis["tickvals"], axis["ticktext"], strict=True))
    assert shown[0.01] == "1 %"
    assert shown[0.1] == "10 %"
    assert shown[0.005] == "0.5 %"


def test_no_name_covers_another_or_a_point() -> None:
    marks = [LabeledPoint(f"Finding {i}", 40.0 + 9 * i, 200.0 + (i % 3) * 4, high=190.0, low=212.0) for i in range(12)]
    found = label_positions(marks, (600, 400))
    assert 0 < len(found) < len(marks)
    boxes = [box(mark, found[mark.name]) for mark in marks if mark.name in found]
    for at, one in enumerate(boxes):
        assert not any(overlap(one, other) for other in boxes[:at])
        assert not any(one[0] < mark.x < one[2] and one[1] < mark.low and mark.high < one[3] for mark in marks)


def test_names_stay_inside() -> None:
    found = label_positions([LabeledPoint("Pleural Effusion", 590.0, 200.0, 200.0, 200.0)], (600, 400))
    assert found == {"Pleural Effusion": "middle left"}
    assert label_positions([LabeledPoint("Pleural Effusion" * 8, 300.0, 200.0, 200.0, 200.0)], (600, 400)) == {}


def box(mark: LabeledPoint, place: str) -> tuple[float, float, float, float]:
    row, side = place.split()
    wide = len(mark.name) * LETTER_PX
    left = mark.x + 9 if side == "right" else mark.x - 9 - wide
    top = {"middle": mark.y - TEXT_LINE_PX / 2, "top": mark.y - TEXT_LINE_PX - 3, "bottom": mark.y + 3}[row]
    return left, top, left + wide, top + TEXT_LINE_PX


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_no_name_lies_on_the_word_chance_and_no_mark_is_cut_at_the_top() -> None:
    mark = LabeledPoint("Normal", 300, 100, 90, 110)
    right = (300, 92, 420, 108)
    assert label_positions([mark], SIZE) == {"Normal": "middle right"}
    assert label_positions([mark], SIZE, [right]) == {"Normal": "middle left"}
    groups = [trace for trace in scatter()["data"] if "customdata" in trace]
    assert groups and not any(trace["cliponaxis"] for trace in groups)
