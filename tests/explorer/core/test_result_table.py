"""A panel's figures as CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from explorer.core.figures import OUTSIDE_NOTE, figure_text
from explorer.core.result_table import ResultTable, table_in
from explorer.core.text_grid import TextGrid

TABLE = ResultTable(
    "Scores of 2 models",
    ("SIMULATED films.",),
    (TextGrid("AP", ("model", "AP"), (("one", "0.123"),)),),
    ({"model": "one", "AP": 0.123456}, {"model": "=two", "AP": None}),
)


def test_csv_has_every_digit_and_is_blank_where_undefined() -> None:
    rows = list(csv.DictReader(io.StringIO(table_in("csv", TABLE))))
    assert rows[0] == {"model": "one", "AP": "0.123456"}
    assert rows[1]["AP"] == "" and not rows[1]["model"].startswith("=")


def test_markdown_and_latex_say_whose_films_and_what_is_counted() -> None:
    markdown, latex = table_in("markdown", TABLE), table_in("latex", TABLE)
    assert markdown.startswith("Scores of 2 models.\n\n- SIMULATED films.\n\n## AP\n\n| model | AP |")
    assert "% SIMULATED films." in latex and r"one & 0.123 \\" in latex


def test_text_wraps_sentences_and_leaves_an_empty_title_out() -> None:
    noted = replace(TABLE, grids=(replace(TABLE.grids[0], notes=("x " * 60,)),))
    assert table_in("text", TABLE).splitlines()[:4] == ["Scores of 2 models.", "SIMULATED films.", "", "AP"]
    assert max(map(len, table_in("text", noted).splitlines())) <= 100
    assert table_in("text", replace(TABLE, title="")).startswith("SIMULATED films.\n")
    assert table_in("markdown", replace(TABLE, title="")).startswith("- SIMULATED films.")


def test_another_name_is_no_format() -> None:
    with pytest.raises(KeyError):
        table_in("xlsx", TABLE)


def test_the_mark_of_an_interval_beside_its_figure_is_explained_where_there_is_one() -> None:
    cells = ("Mass", figure_text(0.05, 0.08, 0.31), figure_text(0.2, 0.1, 0.3))
    assert cells[1:] == ("0.050 [0.080\u20130.310]!", "0.200 [0.100\u20130.300]")
    marked = ResultTable("Mass", (), (TextGrid("Mass", ("finding", "AP", "AUROC"), (cells,)),), ())
    once = table_in("markdown", marked)
    assert once.count("not contain its figure") == 1
    assert table_in("markdown", replace(marked, notes=(OUTSIDE_NOTE,))) == once
    assert "does not contain" not in table_in("markdown", TABLE)
