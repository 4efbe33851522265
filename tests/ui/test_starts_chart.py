"""The chart of what simulated films teach: each start at its number of films, with its interval."""

from __future__ import annotations

import pytest

from explorer.ui.evaluate.panels.starts_chart import POINT_SPACING, starts_chart
from models.cards.start_probes import StartFigure, StartingNetwork, start_figures, starting_networks

STARTS = [
    StartingNetwork("none", 0, False, "photographs"),
    StartingNetwork("one", 6000, False, "findings <b>"),
    StartingNetwork("two", 6000, True, "findings"),
    StartingNetwork("many", 20_000, True, "findings"),
]
FIGURES = [
    StartFigure(each.name, 0.6 + place / 50, 0.55, 0.7, place / 50, -0.01, 0.1) for place, each in enumerate(STARTS)
]


def test_starts_stand_at_their_number_of_films_with_their_intervals() -> None:
    alone, masks = starts_chart(FIGURES, STARTS)["data"]
    assert (alone["name"], masks["name"]) == ("findings alone", "findings and masks")
    assert alone["x"] == [0, 6000 - POINT_SPACING / 2] and masks["x"] == [6000 + POINT_SPACING / 2, 20_000]
    assert alone["y"] == [0.6, 0.62] and masks["y"] == pytest.approx([0.64, 0.66])
    assert alone["error_y"]["array"] == pytest.approx([0.1, 0.08])
    assert alone["error_y"]["arrayminus"] == pytest.approx([0.05, 0.07])
    assert (
        alone["hovertext"][1] == "<b>one</b>, 6,000 simulated films<br>findings &lt;b&gt;<br>0.620 [0.550\u20130.700]"
    )


def test_numbers_of_films_are_the_axis() -> None:
    assert starts_chart(FIGURES, STARTS)["layout"]["xaxis"]["ticktext"] == ["0", "6,000", "20,000"]


def test_what_ships_is_drawn_whole() -> None:
    figures = start_figures()
    assert [each.start for each in figures] == list(starting_networks())
    traces = starts_chart(figures, [starting_networks()[each.start] for each in figures])["data"]
    assert sorted(y for trace in traces for y in trace["y"]) == sorted(each.value for each in figures)
