"""`published`: the list, a table in each format, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.explorer.cli.command import run


def test_without_a_name_all_are_listed() -> None:
    said = run("published").stdout
    assert [
        name for name in ("2026-main-1", "2023-auroc-gold", "chexpert-policies", "reveal-balance") if name not in said
    ] == []


@pytest.mark.parametrize(
    ("output", "part"),
    [
        ("text", "very rare  0.826   0.328   0.381"),
        ("markdown", "| very rare | 0.826 | 0.328 | 0.381 |"),
        ("latex", r"very rare & 0.826 & 0.328 & 0.381 &"),
        ("csv", '"CXR-LT 2026",Extended Data Table 4,very rare,team A,0.826,,,'),
    ],
)
def test_a_table_as_printed(output: str, part: str) -> None:
    said = run("published", "2026-groups", "--format", output).stdout
    assert part.replace('"', "") in said.replace('"', "").replace("      ", "   ").replace("    ", "   ")


def test_csv_has_one_row_per_cell_with_paper_and_table(tmp_path: Path) -> None:
    out = tmp_path / "policies.csv"
    assert run("published", "chexpert-policies", "--format", "csv", "--out", str(out)).exit_code == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert len(rows) == 25
    assert rows[2] == {
        "paper": "CheXpert",
        "table": "Table 3",
        "finding": "Atelectasis",
        "column": "U-Ones",
        "value": "0.858",
        "ci_low": "0.806",
        "ci_high": "0.91",
        "n": "",
    }


def test_an_unknown_table_and_an_unwritable_file_are_refused(tmp_path: Path) -> None:
    wrong = run("published", "2026-main")
    assert wrong.exit_code == 2
    assert "Unknown table '2026-main'" in wrong.stderr and "Did you mean 2026-main-" in wrong.stderr
    assert run("published", "2026-groups", "--out", str(tmp_path / "no" / "file.txt")).exit_code == 2
