"""A further source of labels for a cohort on disk."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.more_labels import add_labels
from explorer.cohorts.schema import LABEL_ROWS
from explorer.store.store import Store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small


def rows(*labels: tuple[str, str]) -> pa.Table:
    cases, said = zip(*labels, strict=True)
    return pa.table(
        {"case": cases, "finding": ["Mass"] * len(cases), "label": said, "source": ["readers"] * len(cases)},
        schema=LABEL_ROWS,
    )


def labels_by(store: Store, source: str) -> list[float]:
    return store.grid(NAME, MODEL, source).label[:, 0].tolist()


def small(place: Path) -> Folder:
    films = [Film(case, {"Mass": "present"}, {"Mass": 0.5}) for case in "abc"]
    return write_small(place, films, {})


def test_both_sources_are_there_and_the_version_changes(tmp_path: Path) -> None:
    folder = small(tmp_path)
    before = read_manifest(folder.manifest).version
    with_labels = store_of(folder)
    first = next(iter(with_labels.facets(NAME, MODEL).label_sources))
    add_labels(folder, rows(("a", "absent"), ("b", "present")))
    assert read_manifest(folder.manifest).version != before
    store = store_of(folder)
    assert store.facets(NAME, MODEL).label_sources == {first: 3, "readers": 2}
    assert labels_by(store, first) == [1, 1, 1] and labels_by(store, "readers")[:2] == [0, 1]


def test_labels_of_a_source_are_replaced_by_new_ones(tmp_path: Path) -> None:
    folder = small(tmp_path)
    add_labels(folder, rows(("a", "absent"), ("b", "present")))
    add_labels(folder, rows(("a", "present")))
    assert store_of(folder).facets(NAME, MODEL).label_sources["readers"] == 1
