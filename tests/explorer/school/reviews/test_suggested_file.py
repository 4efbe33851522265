"""A file of suggested labels against its schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.school.reviews.suggested_file import suggested_labels
from explorer.tabular.problems import FailedChecks, WrongInput
from tests.explorer.school.reviews.made_reviews import FINDINGS
from tests.support.wording import Wording

CASES = ("a", "b", "c", "d")


def read(place: Path, *lines: str) -> dict[str, tuple[str, ...]]:
    file = place / "llm.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return suggested_labels(file, CASES, FINDINGS)


def test_findings_are_read_by_case(tmp_path: Path) -> None:
    found = read(tmp_path, "case,findings", "b,Mass; Pleural Effusion", "a,None", "c,Nodule")
    assert found == {"b": ("Mass", "Pleural Effusion"), "a": (), "c": ("Nodule",)}


def test_every_break_of_the_schema_is_named_and_counted(tmp_path: Path, wording: Wording) -> None:
    lines = [
        "case,findings",
        "a,Mass",
        "a,Nodule",  # twice
        "x,Mass",  # not in the cohort
        "b,",  # blank
        "c,None; Mass",
        "d,Masss; Mass; Mass",  # unknown, and twice
        "b,Mass,extra",
    ]
    with pytest.raises(FailedChecks) as caught:
        read(tmp_path, *lines)
    wording(caught.value, "7 problems", "line 3", "line 8")


def test_many_breaks_of_one_kind_are_counted(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(FailedChecks) as caught:
        read(tmp_path, "case,findings", *[f"x{number},Mass" for number in range(40)])
    wording(caught.value, "40 problems")


@pytest.mark.parametrize("lines", [["case,finding", "a,Mass"], ["case,findings,score", "a,Mass,1"], ["case,findings"]])
def test_other_columns_and_a_file_without_rows_are_refused(lines: list[str], tmp_path: Path) -> None:
    with pytest.raises(WrongInput):
        read(tmp_path, *lines)
