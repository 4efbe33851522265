"""No text of a visitor's data starts a formula in a table of ours, whatever writes it."""

from __future__ import annotations

import csv
import unicodedata
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.cohorts.layout import Folder
from explorer.core.csv_safe import FORMULA, formula_safe, without_formula_quote
from explorer.ingest.predictions import _write_failures
from explorer.ingest.rejects import Reject, RejectReason, write_rejects
from explorer.scoring.score_files import ScoreOrigin, ScoreShards

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\ufb29"
BEFORE = ["", " ", "\t", "\r", "\n", "\0", "\x1b", "\u00a0", "\u3000", "\ufeff", "\u200b", "\u202e", " \t\ufeff"]


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_is_quoted_whatever_stands_before_it(sign: str, before: str) -> None:
    text = f"{before}{sign}HYPERLINK()"
    assert formula_safe(text) == f"'{text}"
    assert without_formula_quote(formula_safe(text)) == text


@pytest.mark.parametrize("text", ["\tnorth", "\rnorth"])
def test_a_tab_or_a_line_break_at_the_beginning_is_quoted(text: str) -> None:
    assert formula_safe(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", " ", "north", "a=b", "'north", "\u5317", "\u2212", "1-2", "\u00e9t\u00e9", "north -"]
)
def test_other_text_stays(text: str) -> None:
    assert formula_safe(text) == without_formula_quote(text) == text


def test_every_wide_form_of_a_sign_is_known() -> None:
    known = [chr(code) for code in range(0x110000) if unicodedata.normalize("NFKC", chr(code)) in set("=+-@")]
    assert {sign for sign in known if "SCRIPT" not in unicodedata.name(sign) or sign in SIGNS} == set(SIGNS)


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"])) | st.text(st.sampled_from([*SIGNS, *"".join(BEFORE), "a"]))
    )
)
def test_arrow_finds_the_same(texts: list[str]) -> None:
    found = pc.match_substring_regex(pa.array(texts, pa.string()), FORMULA).to_pylist()
    assert found == [formula_safe(text) != text for text in texts]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", ["=1+1", "\uff1d1+1", "\t=1", "@SUM(A1)", "'quoted"])
def test_lists_of_what_went_wrong_quote_names_and_read_them_back(tmp_path: Path, name: str) -> None:
    parts = ScoreShards(Folder(tmp_path / "own"), "m", ScoreOrigin("abc", "film pipeline 1"))
    path = Folder(tmp_path / "own").failures("m")
    path.parent.mkdir(parents=True, exist_ok=True)
    parts.write_failed({name: "-2 is no size"})
    assert rows(path) == [{"case": formula_safe(name), "reason": "'-2 is no size"}]
    assert parts.failed() == {name: "-2 is no size"}
    _write_failures(tmp_path / "strange.csv", iter([(name, f"{name} has no scores of it")]))
    assert rows(tmp_path / "strange.csv") == [
        {"case": formula_safe(name), "reason": formula_safe(f"{name} has no scores of it")}
    ]
    write_rejects(tmp_path / "rejects.csv", [Reject(1, name, RejectReason.MISSING, name)])
    assert [row["image"] for row in rows(tmp_path / "rejects.csv")] == [formula_safe(name)]
