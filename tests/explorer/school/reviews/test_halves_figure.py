"""The figure of a benchmark's two halves: bars as long as their numbers, most films first, names as text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from explorer.core.csv_table import Cells
from explorer.core.result_table import ResultTable
from explorer.school.reviews.halves_figure import COLORS, halves_svg

SVG = "{http://www.w3.org/2000/svg}"


def row(part: str, name: str, released: int, held: int) -> Cells:
    return {"part": part, "name": name, "released": released, "held_out": held}


TABLE = ResultTable(
    "Halves of A & B",
    (),
    (),
    (
        row("finding", "Mass", 1, 2),
        row("finding", "<Nodule>", 8, 4),
        row("findings on a film", "10", 0, 1),
        row("findings on a film", "2", 10, 9),
        row("view", "PA", 10, 10),
        {"part": "balance", "name": "view", "chi_squared": None, "df": None, "p": None},
    ),
)


def test_bars_are_as_long_as_their_numbers_and_most_films_come_first() -> None:
    figure = ElementTree.fromstring(halves_svg(TABLE))
    words = [each.text for each in figure.iter(f"{SVG}text")]
    assert words[0] == "Halves of A & B"
    assert words.index("<Nodule>") < words.index("Mass") < words.index("2") < words.index("10")
    assert "released, 10 films" in words and "held out, 10 films" in words and "PA" not in words
    bars = [each for each in figure.iter(f"{SVG}rect") if each.get("fill") in COLORS.values()][len(COLORS) :]
    lengths = [float(each.get("width", "nan")) for each in bars]
    first, second = lengths[:4], lengths[4:]
    assert first == pytest.approx([first[0], first[0] / 2, first[0] / 8, first[0] / 4], abs=1)
    assert second == pytest.approx([first[0], first[0] * 0.9, 0, first[0] / 10], abs=1)
    width, height = float(figure.get("width", "0")), float(figure.get("height", "0"))
    assert all(float(each.get("x", "0")) + float(each.get("width", "0")) <= width for each in bars)
    assert all(float(each.get("y", "0")) < height - 10 for each in bars)


def test_halves_without_a_finding_have_a_figure() -> None:
    empty = ResultTable("Nothing", (), (), (row("findings on a film", "0", 3, 3),))
    assert "Films with each finding" in halves_svg(empty)
