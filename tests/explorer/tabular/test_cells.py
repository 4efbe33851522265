"""Cells, names and identifiers one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from explorer.tabular.cells import logit
from explorer.tabular.image_names import image_names
from explorer.tabular.problems import WrongCell
from explorer.tabular.rounded_ids import rounded
from explorer.tabular.separator import separator_of
from explorer.tabular.unnamed_columns import UnnamedColumns


@given(st.floats(-1e300, 1e300))
def test_a_logit_is_its_score(value: float) -> None:
    np.testing.assert_allclose(logit(repr(value)), expit(value), rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("cell", ["", "nan", "inf", "high", "0_1", "1e400"])
def test_what_is_no_logit(cell: str) -> None:
    with pytest.raises(WrongCell):
        logit(cell)


@pytest.mark.parametrize("text", ["3.24E+38", "1e+05", " 9,1E+17 ", "2.3e+100"])
def test_a_rounded_identifier(text: str) -> None:
    assert rounded(text)


@pytest.mark.parametrize("text", ["", "1e5", "324E38", "3.24E-38", "12.5E+38", "E+38", "3.24E+38x", "a+b", "3+4"])
def test_an_identifier_as_it_was(text: str) -> None:
    assert not rounded(text)


@pytest.mark.parametrize(
    ("head", "wanted", "mark"),
    [
        ("id,Mass\n", ["id"], ","),
        ("id;Mass, left;Hernia, hiatal\n", ["id"], ";"),
        ('id,"a;b;c;d;e"\n', ["id"], ","),
        ("id\tMass\n", ["id"], "\t"),
        ("id;Mass;x\n", ["image"], ";"),  # another name than asked for: the most columns
        ("id,Mass;x\n", [], ","),
        ("id\n", ["id"], ","),
        ("", ["id"], ","),
        ('\n"id" ; Mass\n', ["id"], ";"),
    ],
)
def test_what_stands_between_cells(head: str, wanted: list[str], mark: str) -> None:
    assert separator_of(head, wanted) == mark


@pytest.mark.parametrize(
    ("given", "wanted", "pairs"),
    [
        (["a", "b"], ["b", "a"], None),
        (["a"], ["a", "b.png"], None),  # all that is given is there
        (["a.png", "b"], ["a", "b"], {"a.png": "a", "b": "b"}),
        (["a.png"], ["a.png", "a.jpg"], None),
        (["a"], ["a.png", "a.jpg"], None),  # which of the two is not known
        (["x/a", "y/a"], ["a"], None),
        (["x/a.png"], ["y\\a"], {"x/a.png": "y\\a"}),
        (["1.2.840.113"], ["1.2.840.113.dcm"], {"1.2.840.113": "1.2.840.113.dcm"}),
        (["1.2.840.113"], ["1.2.840"], None),
        (["p.nii.gz"], ["p"], {"p.nii.gz": "p"}),
        (["q"], ["p"], None),
    ],
)
def test_names_that_are_written_differently(given: list[str], wanted: list[str], pairs: dict[str, str] | None) -> None:
    found = image_names(given, wanted, "L.csv")
    assert (None if found is None else found.pairs) == pairs


@pytest.mark.parametrize(
    ("cells", "unexplained"),
    [
        (["0", "1", "2"], []),
        (["1", "2"], []),
        (["", " "], []),
        (["2", "3"], [0]),
        (["0", "", "1"], [0]),
        (["0.5"], [0]),
    ],
)
def test_a_column_without_a_name_is_empty_or_counts_the_rows(cells: list[str], unexplained: list[int]) -> None:
    columns = UnnamedColumns(["", "id"])
    for cell in cells:
        columns.see([cell, "x"])
    assert columns.unexplained == unexplained
