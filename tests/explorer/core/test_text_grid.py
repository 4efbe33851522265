"""A table of texts: aligned, Markdown, LaTeX."""

from __future__ import annotations

from explorer.core.text_grid import TextGrid, aligned, latex_float, markdown_table

GRID = TextGrid("AP_1", ("model", "AP"), (("a|b", "0.5 [0.4\u20130.6]"), ("long name", "undefined")))


def test_columns_are_aligned_under_a_rule() -> None:
    assert list(aligned(GRID)) == [
        "model      AP",
        "------------------------",
        "a|b        0.5 [0.4\u20130.6]",
        "long name  undefined",
    ]


def test_markdown_takes_no_name_for_markup_and_leaves_figures_as_they_are() -> None:
    assert markdown_table(GRID).splitlines()[2] == "| a\\|b | 0.5 [0.4\u20130.6] |"


def test_latex_is_a_float_with_its_title() -> None:
    lines = latex_float(GRID)
    assert lines[2] == r"\caption{AP\_1}" and r"a\textbar{}b & 0.5 [0.4--0.6] \\" in lines


def test_counts_stand_at_the_right_and_members_below_their_group_in_every_markup() -> None:
    rows = (("group", "120", "0.5"), ("a_b", "7", "0.4"))
    grid = TextGrid("AP", ("finding", "n", "AP"), rows, counts=1, indented=frozenset({1}), notes=("* a mean",), gap=1)
    assert list(aligned(grid)) == ["finding   n AP", "---------------", "group   120 0.5", " a_b      7 0.4"]
    assert markdown_table(grid).splitlines()[1::2] == ["| --- | --: | --- |", "| \xa0\xa0a\\_b | 7 | 0.4 |"]
    lines = latex_float(grid)
    assert r"\begin{tabular}{lrl}" in lines and r"\quad a\_b & 7 & 0.4 \\" in lines
    assert r"\par\footnotesize * a mean" in lines
