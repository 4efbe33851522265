"""Films that were not drawn as nature has them: their weights reach the finding table, and older files go without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import average_precision_score

from explorer.analysis.exports.slice_export import export_slice
from explorer.analysis.performance import performance_table
from explorer.analysis.performance.cell_intervals import CellInterval, finding_intervals
from explorer.cohorts.layout import Folder
from explorer.metrics.bootstrap import bootstrap
from explorer.metrics.metrics import average_precision
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.csv_export import unpacked
from tests.support.small_cohort import MODEL, NAME, Film, write_small

ASKED = Slice(NAME, MODEL)


LABELLED = [float(row % 3 == 0) for row in range(30)]
SCORES = np.random.default_rng(0).random(30).astype(np.float32)
FILMS = [
    Film(
        f"{row:02}",
        {"Mass": "present" if LABELLED[row] else "absent"},
        {"Mass": float(SCORES[row])},
        patient=f"p{row // 4}",
        center="ab"[row % 2],
    )
    for row in range(30)
]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return write_small(tmp_path, FILMS, {"Mass": 0.5})


def intervals(folder: Folder) -> dict[str, CellInterval]:
    """Of Mass, by center."""
    store = Store(lambda: [folder])
    found = finding_intervals(store.column(ASKED, "Mass"), tuple({film.center for film in FILMS}), (), 60, 3).cells
    store.close()
    return found


def mass(folder: Folder) -> performance_table.FindingLine:
    store = Store(lambda: [folder])
    line = performance_table.build_performance_table(store, ASKED).lines[0]
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
    weights = np.where(LABELLED, 0.1, 1.3)
    weigh(folder, weights)
    line = mass(folder)
    wanted = average_precision_score(LABELLED, SCORES, sample_weight=weights)
    assert line.pooled.natural is not None and line.pooled.natural.value == pytest.approx(wanted)
    assert line.pooled.average_precision == pytest.approx(average_precision_score(LABELLED, SCORES))
    at = [row for row, film in enumerate(FILMS) if film.center == line.cells[0].center]
    wanted = average_precision_score(np.array(LABELLED)[at], SCORES[at], sample_weight=weights[at])
    assert line.cells[0].natural is not None and line.cells[0].natural.value == pytest.approx(wanted)


def test_its_interval_is_that_of_the_weighted_bootstrap_over_patients(folder: Folder) -> None:
    weights = np.random.default_rng(1).lognormal(size=30)
    plain = intervals(folder)
    weigh(folder, weights)
    for center, found in intervals(folder).items():
        here = [row for row, film in enumerate(FILMS) if center in (performance_table.ALL_CENTERS, film.center)]
        labels, scores = (np.array([[value[row]] for row in here]) for value in (LABELLED, SCORES))
        patients = np.array([str(FILMS[row].patient) for row in here])
        units = [sorted(set(patients), key=patients.tolist().index).index(each) for each in patients]
        drawn = bootstrap(labels, scores, average_precision, 60, 3, np.array(units), weights[here])
        assert found.natural is not None and found.natural.interval is not None
        assert found.natural.value == pytest.approx(drawn.point[0])
        assert found.natural.interval == pytest.approx((drawn.low[0], drawn.high[0]))
        assert (found.value, found.interval) == (plain[center].value, plain[center].interval)


def test_weights_that_are_all_the_same_change_neither_figure_nor_interval(folder: Folder) -> None:
    weigh(folder, [3.0] * 30)
    for found in intervals(folder).values():
        assert found.natural is not None and found.natural.value == pytest.approx(found.value)
        assert found.natural.interval == pytest.approx(found.interval)


def test_without_weights_nothing_more_is_computed(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def counted(*arguments: object) -> object:
        asked.append(arguments)
        return bootstrap(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("explorer.analysis.performance.cell_intervals.bootstrap", counted)
    assert all(found.natural is None for found in intervals(folder).values())
    assert len(asked) == 2 * 3  # average precision and AUROC of both centers together, and of each


def exported(folder: Folder) -> tuple[list[dict[str, str]], list[str]]:
    """The rows of the CSV, and the columns that the exported SQL gives."""
    store = Store(lambda: [folder])
    rows = unpacked(export_slice(store, ASKED, "csv").data)[0]
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
