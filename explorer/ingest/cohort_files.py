"""Writes entries as the files of a cohort."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.parquet_files import write_batches, write_table
from explorer.cohorts.schema import BOXES, CASES, LABEL_ROWS, LABELS
from explorer.ingest.entries import ABSENT, PRESENT, UNKNOWN, Entry, ImportedBox, LabelMarks, SourceMarks

_TRAITS = ("patient", "study", "center", "view", "sex", "age", "split", "file", "width", "height")


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Counts of a cohort's labels.

    `none`: films with none of the findings (every known label is absent); `none_but_blanks`: those that also have
    blanks.

    """

    labels: dict[str, int]  # present, absent, uncertain -> how many
    findings: dict[str, int]  # -> films where it is present
    none: int
    none_but_blanks: int


def write_cases(folder: Folder, entries: Sequence[Entry], root: str) -> None:
    """Write the films' table; `root` names the folder that contains the films."""
    columns: dict[str, list[object]] = {"case": [entry.case for entry in entries]}
    columns |= {trait: [getattr(entry, trait) for entry in entries] for trait in _TRAITS}
    columns |= {"root": [root] * len(entries), "weight": [None] * len(entries)}
    write_table(folder.cases, pa.table(columns, schema=CASES))


def write_labels(
    folder: Folder, entries: Sequence[Entry], findings: Sequence[str], source: str, more: Sequence[SourceMarks] = ()
) -> LabelCounts:
    """Write the known labels, finding by finding; returns counts of the entries' own labels.

    `more`: labels of these films from additional sources.
    """
    own = _codes([entry.marks for entry in entries], len(findings))
    rows = [(entry.case, entry.labelled_by or source) for entry in entries]
    rows += [(each.case, each.source) for each in more]
    codes = np.concatenate([own, _codes([each.marks for each in more], len(findings))])
    sources = list(dict.fromkeys(name for _, name in rows))
    places = {name: place for place, name in enumerate(sources)}
    source_codes = np.array([places[name] for _, name in rows], np.int32)
    cases = pa.array([case for case, _ in rows], pa.string())
    write_batches(folder.labels, LABEL_ROWS, _rows(cases, codes, findings, sources, source_codes))
    return _label_counts(own, findings)


def _codes(marks: Sequence[LabelMarks], findings: int) -> NDArray[np.uint8]:
    """Return label codes (films, findings): indices into LABELS."""
    codes = np.frombuffer(b"".join(each.padded(findings) for each in marks), np.uint8)
    return codes.reshape(len(marks), findings)


def _label_counts(codes: NDArray[np.uint8], findings: Sequence[str]) -> LabelCounts:
    counts = np.bincount(codes.ravel(), minlength=len(LABELS)).tolist()
    blank = (codes == UNKNOWN).any(axis=1)
    none = (codes == ABSENT).any(axis=1) & ((codes == ABSENT) | (codes == UNKNOWN)).all(axis=1)
    return LabelCounts(
        labels={label: count for label, count in zip(LABELS, counts, strict=True) if label != "unknown"},
        findings=dict(zip(findings, (codes == PRESENT).sum(axis=0).tolist(), strict=True)),
        none=int(none.sum()),
        none_but_blanks=int((none & blank).sum()),
    )


def _rows(
    cases: pa.Array,
    codes: NDArray[np.uint8],
    findings: Sequence[str],
    sources: Sequence[str],
    source_codes: NDArray[np.int32],
) -> Iterator[pa.RecordBatch]:
    """Yield the known labels, one batch per finding."""
    for place, finding in sorted(enumerate(findings), key=lambda pair: pair[1]):
        known = np.flatnonzero(codes[:, place] != UNKNOWN)
        if known.size:
            columns = {
                "case": cases.take(pa.array(known)),
                "finding": _repeated(finding, len(known)),
                "label": pa.DictionaryArray.from_arrays(codes[known, place].astype(np.int32), list(LABELS)),
                "source": pa.DictionaryArray.from_arrays(source_codes[known], list(sources)),
            }
            yield pa.RecordBatch.from_arrays(list(columns.values()), schema=LABEL_ROWS)


def write_boxes(folder: Folder, boxes: Sequence[ImportedBox], source: str) -> None:
    sides = {side: [getattr(box, side) for box in boxes] for side in ("case", "finding", "x", "y", "width", "height")}
    sources = [box.drawn_by or source for box in boxes]
    write_table(folder.boxes, pa.table(sides | {"source": sources}, schema=BOXES))


def _repeated(word: str, count: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), [word])
