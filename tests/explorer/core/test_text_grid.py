"""A table of texts: aligned, Markdown, LaTeX."""

from __future__ import annotations

from explorer.core.text_grid import Grid, aligned, latex_float, markdown_table

GRID = Grid("AP_1", ("model", "AP"), (("a|b", "0.5 [0.4\u20130.6]"), ("long name", "undefined")))


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
