"""Films that were not drawn as nature has them: their weights reach the finding table, and older files go without."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import average_precision_score

from explorer import cells
from explorer.cohorts.layout import Folder
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


def test_a_cohort_of_before_there_were_weights_is_read_as_one_without(folder: Folder) -> None:
    table = pq.read_table(folder.cases)
    assert mass(folder).pooled.natural is None
    pq.write_table(table.drop_columns(["weight"]), folder.cases)
    assert mass(folder).pooled.natural is None
    assert mass(folder).pooled.average_precision is not None


def test_weights_give_average_precision_at_natural_prevalence(folder: Folder) -> None:
    table = pq.read_table(folder.cases)
    labels = np.array([row % 3 == 0 for row in range(30)])
    weights = np.where(labels, 0.1, 1.3)
    place = table.schema.get_field_index("weight")
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(weights)), folder.cases)
    scores = np.random.default_rng(0).random(30).astype(np.float32)
    wanted = average_precision_score(labels, scores, sample_weight=weights)
    line = mass(folder)
    assert line.pooled.natural == pytest.approx(wanted) and line.cells[0].natural == pytest.approx(wanted)
    assert line.pooled.average_precision == pytest.approx(average_precision_score(labels, scores))
