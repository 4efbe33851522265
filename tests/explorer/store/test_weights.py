"""Films that were not drawn as nature has them: their weights reach the finding table, and older files go without."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import average_precision_score

from explorer import cells
from explorer.cohorts.layout import Folder
from explorer.export_slice import export_slice
from explorer.slices import Slice
from explorer.store import Store
from tests.explorer.small_cohort import MODEL, NAME, Film, write_small

ASKED = Slice(NAME, MODEL)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    random = np.random.default_rng(0)
    films = [
        Film(f"{row:02}", {"Mass": "present" if row % 3 == 0 else "absent"}, {"Mass": float(random.random())})
        for row in range(30)
    ]
    return write_small(tmp_path, films, {"Mass": 0.5})


def mass(folder: Folder) -> cells.Line:
    store = Store(lambda: [folder])
    line = cells.table(store, ASKED).lines[0]
    store.close()
    return line


def weigh(folder: Folder, weights: Sequence[float]) -> None:
    """Give the films, in the order of their names, these weights."""
    table = pq.read_table(folder.cases)
    place = table.schema.get_field_index("weight")
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(weights)), folder.cases)


def test_a_cohort_of_before_there_were_weights_is_read_as_one_without(folder: Folder) -> None:
    table = pq.read_table(folder.cases)
    assert mass(folder).pooled.natural is None
    pq.write_table(table.drop_columns(["weight"]), folder.cases)
    assert mass(folder).pooled.natural is None
    assert mass(folder).pooled.average_precision is not None


def test_weights_give_average_precision_at_natural_prevalence(folder: Folder) -> None:
    labels = np.array([row % 3 == 0 for row in range(30)])
    weights = np.where(labels, 0.1, 1.3)
    weigh(folder, weights)
    scores = np.random.default_rng(0).random(30).astype(np.float32)
    wanted = average_precision_score(labels, scores, sample_weight=weights)
    line = mass(folder)
    assert line.pooled.natural == pytest.approx(wanted) and line.cells[0].natural == pytest.approx(wanted)
    assert line.pooled.average_precision == pytest.approx(average_precision_score(labels, scores))


def exported(folder: Folder) -> tuple[list[dict[str, str]], list[str]]:
    """The rows of the CSV, and the columns that the exported SQL gives."""
    store = Store(lambda: [folder])
    rows = list(csv.DictReader(io.StringIO(export_slice(store, ASKED, "csv").data.decode(), newline="")))
    statement, parameters = store.sql(ASKED)
    store.close()
    found = duckdb.connect().execute(f"SET file_search_path = '{folder.path}'").execute(statement, parameters)
    return rows, [name for name, *_ in found.description or ()]


def test_exports_carry_the_weight_of_each_film(folder: Folder) -> None:
    weigh(folder, [1 + row / 8 for row in range(30)])
    rows, columns = exported(folder)
    assert {row["case"]: float(row["weight"]) for row in rows} == {f"{row:02}": 1 + row / 8 for row in range(30)}
    assert columns[-1] == "weight"


@pytest.mark.parametrize("drop", [False, True], ids=["no film has one", "no such column"])
def test_exports_have_no_such_column_where_films_have_no_weights(folder: Folder, drop: bool) -> None:
    if drop:
        pq.write_table(pq.read_table(folder.cases).drop_columns(["weight"]), folder.cases)
    rows, columns = exported(folder)
    assert "weight" not in rows[0] and "weight" not in columns
