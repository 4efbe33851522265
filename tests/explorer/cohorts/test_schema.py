"""What Parquet files hold: words, identifiers as text, and the shipped files as told."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.schema import (
    APPEARANCES,
    BOXES,
    CASES,
    EMBEDDINGS,
    LABEL_ROWS,
    LABELS,
    OPERATING_POINTS,
    PREDICTIONS,
    SEXES,
    VIEWS,
)
from explorer.core.findings import FINDINGS

SHIPPED = Folder(CACHE / "nih-oof")
PART = "part-00000.parquet"
FILES = {
    "cases": (SHIPPED.cases, CASES),
    "labels": (SHIPPED.labels, LABEL_ROWS),
    "boxes": (SHIPPED.boxes, BOXES),
    "appearances": (Folder(CACHE / "phantom").appearances, APPEARANCES),
    "predictions": (SHIPPED.predictions("nih-mini") / PART, PREDICTIONS),
    "embeddings": (SHIPPED.embeddings("nih-mini") / PART, EMBEDDINGS),
    "operating points": (SHIPPED.operating_points("nih-mini"), OPERATING_POINTS),
}


@pytest.mark.parametrize(("path", "schema"), FILES.values(), ids=FILES.keys())
def test_shipped_files_have_their_schemas(path: object, schema: pa.Schema) -> None:
    table = pq.read_table(path)
    assert table.schema.equals(schema)
    table.validate(full=True)
    for field in schema:
        assert field.nullable or table[field.name].null_count == 0


@pytest.mark.parametrize("schema", [CASES, LABEL_ROWS, PREDICTIONS, EMBEDDINGS, BOXES, APPEARANCES])
def test_identifiers_are_text(schema: pa.Schema) -> None:
    assert schema.field("case").type == pa.string() and not schema.field("case").nullable
    for name in ("patient", "study"):
        assert name not in schema.names or schema.field(name).type == pa.string()


def test_shipped_words_are_known_ones() -> None:
    cases, labels = pq.read_table(SHIPPED.cases), pq.read_table(SHIPPED.labels)
    assert set(cases["view"].to_pylist()) <= set(VIEWS)
    assert set(cases["sex"].to_pylist()) <= set(SEXES)
    assert set(labels["label"].to_pylist()) <= set(LABELS)
    for path, _ in (FILES["labels"], FILES["boxes"], FILES["predictions"], FILES["operating points"]):
        assert set(pq.read_table(path)["finding"].to_pylist()) <= set(FINDINGS)


def test_there_are_four_labels() -> None:
    assert LABELS == ("present", "absent", "uncertain", "unknown")
