"""What a user may bring, small: tables and films. And what a cohort says of itself."""

from __future__ import annotations

import csv
import importlib.metadata
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from PIL import Image

from explorer.cohorts.layout import Folder
from explorer.cohorts.schema import LABELS
from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import ImportSource
from explorer.ingest.label_table import read_label_table
from explorer.ingest.rejects import RejectReason

SIDE = 64


def film(seed: int) -> bytes:
    """A small PNG of noise, another for each seed."""
    return png(np.random.default_rng(seed).integers(0, 256, (SIDE, SIDE), np.uint8))


def png(pixels: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def source_of(
    folder: Path, text: str, blank: str = "unknown", *, reject_all_zero: bool = False, **columns: object
) -> ImportSource:
    """The table of a text, read; its identifiers are in the column `id`."""
    table = written(folder / "T.csv", text)
    return read_label_table(table, ColumnMap(image_id="id", **columns), blank, reject_all_zero=reject_all_zero)


def said(source: ImportSource) -> dict[str, dict[str, str]]:
    """Case -> finding -> label, for what is known."""
    return {
        entry.case: {
            finding: LABELS[code]
            for finding, code in zip(source.findings, entry.marks.padded(len(source.findings)), strict=True)
            if LABELS[code] != "unknown"
        }
        for entry in source.entries
    }


def reasons(source: ImportSource) -> list[tuple[int | None, str, RejectReason]]:
    return [(reject.line, reject.image, reject.reason) for reject in source.rejects]


def cases(folder: Folder) -> list[dict[str, object]]:
    return pq.read_table(folder.cases).to_pylist()


def labels(folder: Folder) -> dict[tuple[str, str], str]:
    """(case, finding) -> label; each pair stands there once."""
    rows = pq.read_table(folder.labels).to_pylist()
    said = {(row["case"], row["finding"]): row["label"] for row in rows}
    assert len(said) == len(rows)
    return said


def rejected(folder: Folder) -> list[tuple[str, str, str]]:
    """Line, image and reason, as the file has them."""
    with folder.rejects.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["line", "image", "reason"]
    return [(line, image, reason) for line, image, reason in rows]


def wheel(name: str) -> Path:
    """A label table that the torchxrayvision wheel carries; the package itself is never imported."""
    (found,) = [file for file in importlib.metadata.files("torchxrayvision") or () if file.name == name]
    return Path(str(found.locate()))


def rows(*lines: Sequence[object]) -> str:
    """A CSV file's text."""
    file = io.StringIO()
    csv.writer(file).writerows(lines)
    return file.getvalue()
