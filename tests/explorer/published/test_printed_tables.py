"""Printed tables cell by cell: against the reference files, against a second reading of the papers, and as text."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.core.result_table import table_in
from explorer.published import FOLDER
from explorer.published.catalog import WrongTable, listed, printed_tables, result_named
from explorer.published.printed_table import PrintedCell, beside_text, cell_text, value_text
from explorer.published.transcribed_tables import CHEXPERT, FILES, REVEAL
from tests.explorer.published.read_papers import Cells, cells_of_chexpert, cells_of_reveal, text_of

STUDIES = 187_641  # of CheXpert's training set

Key = tuple[str, str, str]  # table, row, column
Figure = tuple[float, float | None, float | None]


def reference(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "reference" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def figure(row: dict[str, str], column: str = "value") -> Figure:
    low, high = (float(row[name]) if name in row else None for name in ("ci_low", "ci_high"))
    return float(row[column]), low, high


def reference_cells(folder: Path) -> Iterator[tuple[Key, Figure]]:
    """Every figure of the reference files, with the table, row and column in which it has to be."""
    for row in reference(folder, "cxrlt2026_main_results"):
        name = "main" if row["test_condition"] == "original" else "perturbed"
        yield (f"2026-{name}-{row['task'][-1]}", row["metric"], f"team {row['team']}"), figure(row)
    for row in reference(folder, "cxrlt2026_heldout_results"):
        suffix = "" if row["test_condition"] == "original" else ", perturbed"
        yield (f"2026-held-out-{row['task'][-1]}", row["metric"] + suffix, f"team {row['team']}"), figure(row)
    for task in "12":
        for row in reference(folder, f"cxrlt2026_task{task}_ap"):
            yield (f"2026-findings-{task}", row["finding"], f"team {row['team']}"), figure(row, "AP")
    for row in reference(folder, "cxrlt2026_task1_head_to_tail"):
        yield ("2026-groups", row["frequency_group"], f"team {row['team']}"), figure(row, "mAP")
    for row in reference(folder, "cxrlt2026_task2_by_center"):
        yield ("2026-centers", f"{row['metric']} at {row['center']}", f"team {row['team']}"), figure(row)
    for row in reference(folder, "cxrlt2023_results"):
        suffix = "" if row["split"] == "test" else "-gold"
        yield (f"2023-{row['metric'].lower()}{suffix}", row["finding"], row["team"]), figure(row)


@pytest.mark.shared
def test_every_cell_of_2023_and_2026_is_that_of_the_reference(shared: Path) -> None:
    expected = dict(reference_cells(shared))
    assert len(expected) == 1458
    found = {
        (table.name, row, column): (cell.value, cell.low, cell.high)
        for table in printed_tables().values()
        if table.paper.startswith("CXR-LT")
        for (row, column), cell in table.cells.items()
    }
    assert found == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("paper", "text", "count"), [(CHEXPERT, "chexpert", 133), (REVEAL, "reveal_cxr", 293)], ids=[CHEXPERT, REVEAL]
)
def test_both_readings_of_a_paper_agree_cell_by_cell(shared: Path, paper: str, text: str, count: int) -> None:
    read = cells_of_chexpert if paper == CHEXPERT else cells_of_reveal
    second: Cells = read(text_of(shared, text))
    with (FOLDER / FILES[paper]).open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    first = {
        (each["table"], each["row"], each["column"]): (each["value"], each["ci_low"], each["ci_high"], each["n"])
        for each in lines
    }
    assert len(lines) == count
    assert first == second
    assert all(
        each["source"].startswith((f"{CHEXPERT} (Irvin 2019), Table ", f"{REVEAL} (Wei 2026), Table "))
        for each in lines
    )


def test_transcribed_counts_and_percentages_add_up() -> None:
    table = printed_tables()["chexpert-prevalence"]
    for row in table.rows:
        cells = [table.cells[row, column] for column in table.columns]
        assert sum(cell.n or 0 for cell in cells) == STUDIES
        for cell in cells:
            assert 100 * (cell.n or 0) / STUDIES == pytest.approx(cell.value, abs=0.005)


def test_the_labelers_macro_averages_are_the_means_of_its_findings() -> None:
    table = printed_tables()["chexpert-labeler"]
    for task in ("Mention", "Negation", "Uncertain"):
        column = f"{task} F1, CheXpert"
        values = [table.cells[row, column].value for row in table.rows[:-2] if (row, column) in table.cells]
        assert sum(values) / len(values) == pytest.approx(table.cells["Macro-average", column].value, abs=0.0005)


def test_the_halves_of_reveal_have_100_studies_each() -> None:
    table = printed_tables()["reveal-demographics"]
    for characteristic in ("Age", "Sex", "Race", "Patient class"):
        for column in table.columns:
            rows = [row for row in table.rows if row.startswith(f"{characteristic}: ")]
            assert sum(table.cells[row, column].value for row in rows) == 100


def test_a_cell_shows_what_the_paper_prints_beside_it() -> None:
    assert cell_text(PrintedCell(0.585, 0.54, 0.621), "share") == "0.585 [0.540–0.621]"
    assert cell_text(PrintedCell(8.86, n=16627), "percent") == "8.86 %, n 16,627"
    assert (value_text(PrintedCell(49), "count"), beside_text(PrintedCell(49))) == ("49", "")
    assert cell_text(None, "share") == ""


@pytest.mark.parametrize("name", printed_tables())
def test_every_table_can_be_written_in_every_format(name: str) -> None:
    table, result = printed_tables()[name], result_named(name.upper())
    for output in ("text", "markdown", "latex"):
        assert table.films in table_in(output, result)
    assert len(table_in("csv", result).splitlines()) == len(table.cells) + 1
    assert set(table.cells) <= {(row, column) for row in table.rows for column in table.columns}


def test_the_list_names_every_table() -> None:
    assert {row[0] for row in listed().grids[0].rows} >= set(printed_tables())


def test_an_unknown_table_suggests_another() -> None:
    with pytest.raises(WrongTable, match="Did you mean 2026-groups"):
        result_named("2026-group")
