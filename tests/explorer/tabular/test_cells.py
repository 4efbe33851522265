"""Cells, names and identifiers one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from explorer.tabular.cells import UNCERTAIN, parse_label, parse_logit
from explorer.tabular.image_names import image_names, look_alike
from explorer.tabular.problems import WrongCell
from explorer.tabular.rounded_ids import rounded
from explorer.tabular.separator import header_place
from explorer.tabular.unnamed_columns import UnnamedColumns
from tests.support.wording import Wording


@given(st.floats(-1e300, 1e300))
def test_a_logit_is_its_score(value: float) -> None:
    np.testing.assert_allclose(parse_logit(repr(value)), expit(value), rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("cell", ["", "nan", "inf", "high", "0_1", "1e400"])
def test_what_is_no_logit(cell: str) -> None:
    with pytest.raises(WrongCell):
        parse_logit(cell)


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
        ("id|Mass|a,b\n", ["id"], "|"),
        ("id:Mass\n", ["id"], ":"),
        ("id,Mass: left\n", ["id"], ","),
        ("id,Mass|left\n", [], ","),
        ("image|x\n1|id\n", ["patient"], "|"),  # no line has them
    ],
)
def test_what_stands_between_cells(head: str, wanted: list[str], mark: str) -> None:
    assert header_place(head, wanted) == (mark, [])


@pytest.mark.parametrize(
    ("head", "mark", "above"),
    [
        ("Labels of 2024\n\nid,Mass\na,1\n", ",", [["Labels of 2024"]]),
        ("Labels,of 2024,\nby,us,\nid,Mass,\na,1,\n", ",", [["Labels", "of 2024", ""], ["by", "us", ""]]),
        ("Title; with a mark\nid|Mass\n", "|", [["Title; with a mark"]]),
        ("id,Mass\nid,Mass\n", ",", []),
        ("a\nb\nc\nd\ne\nf\nid,Mass\n", ",", []),  # so far down it is no header
    ],
)
def test_lines_above_the_header(head: str, mark: str, above: list[list[str]]) -> None:
    assert header_place(head, ["id"]) == (mark, above)


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1.00", 1), ("+1", 1), ("0.000e+00", 0), ("1.", 1), ("-1.00", UNCERTAIN), (" 1 ", 1), ("10e-1", 1)],
)
def test_a_label_is_a_number_however_it_is_written(cell: str, value: float) -> None:
    assert parse_label(cell) == value


@pytest.mark.parametrize("cell", ["2", "0.67", "1_0", "yes", "1e400", "1,00", "--1", "\u0661"])
def test_what_is_no_label(cell: str) -> None:
    with pytest.raises(WrongCell, match="is not a label"):
        parse_label(cell)


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
        (["IMG_1.PNG", "IMG_2.PNG"], ["img_1", "img_2"], {"IMG_1.PNG": "img_1", "IMG_2.PNG": "img_2"}),
        (["img_1"], ["img_1", "IMG_1"], None),
        (["img_1", "x"], ["IMG_1", "Img_1", "X"], {"x": "X"}),
        (["Mu\u0308ller"], ["M\u00fcller"], {"Mu\u0308ller": "M\u00fcller"}),
        (["\u200ba"], ["a"], {"\u200ba": "a"}),
        (["'a'"], ["a"], {"'a'": "a"}),
        (["('a',)"], ["a"], {"('a',)": "a"}),
        (["100.0", "101.0"], ["100", "101"], {"100.0": "100", "101.0": "101"}),
        (["p1/v.png", "p2/v.png"], ["d/p1/v.jpg", "d/p2/v.jpg"], {"p1/v.png": "d/p1/v.jpg", "p2/v.png": "d/p2/v.jpg"}),
        (["e/p1/v", "e/p2/v"], ["d\\p1\\v", "d\\p2\\v"], {"e/p1/v": "d\\p1\\v", "e/p2/v": "d\\p2\\v"}),
        (["P1/v", "P2/v"], ["d/p1/v", "d/p2/v"], {"P1/v": "d/p1/v", "P2/v": "d/p2/v"}),
        (["v"], ["p1/v", "p2/v"], None),  # which of the two is not known
        (["p1/v", "p3/v"], ["d/p1/v", "d/p2/v"], {"p1/v": "d/p1/v"}),  # p3 is another film
        (["d/v", "e/v"], ["v", "w"], None),
    ],
)
def test_names_that_are_written_differently(given: list[str], wanted: list[str], pairs: dict[str, str] | None) -> None:
    found = image_names(given, wanted, "L.csv")
    assert (None if found is None else found.pairs) == pairs


def test_names_that_look_alike_are_shown_with_what_differs(wording: Wording) -> None:
    found = image_names(["Mu\u0308ller"], ["M\u00fcller"], "L.csv")
    assert found is not None
    wording(found.note, "'Mu\\u0308ller'", "'M\\xfcller'", "L.csv", "1 image")


@pytest.mark.parametrize(
    ("given", "wanted", "names"),
    [
        (["v.png"], ["p1/v.jpg", "p2/v.jpg"], ("'v.png'", "'p1/v.jpg'", "'p2/v.jpg'")),
        (["img_1", "IMG_1"], ["Img_1"], ("'img_1'", "'Img_1'")),
        (["Mu\u0308ller", "mu\u0308ller"], ["M\u00fcller"], ("'Mu\\u0308ller'", "'M\\xfcller'")),
        (["a"], ["b"], ()),
        (["a"], ["a", "A"], ()),
    ],
)
def test_a_name_that_looks_like_another_one(
    given: list[str], wanted: list[str], names: tuple[str, ...], wording: Wording
) -> None:
    found = look_alike(given, wanted)
    assert bool(found) == bool(names)
    if names:
        wording(found, *names)


@given(
    st.lists(st.text("aAbB/.", min_size=1, max_size=6), unique=True),
    st.lists(st.text("aAbB/.", min_size=1, max_size=6), unique=True),
)
def test_no_two_names_become_one(given: list[str], wanted: list[str]) -> None:
    found = image_names(given, wanted, "L.csv")
    if found is not None:
        assert len(set(found.pairs.values())) == len(found.pairs)
        assert set(found.pairs) <= set(given) and set(found.pairs.values()) <= set(wanted)


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
