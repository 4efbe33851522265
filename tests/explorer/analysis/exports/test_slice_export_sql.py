"""The exported SQL runs as saved: in the cohort's folder another DuckDB gives the page's rows in their order."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.analysis.exports.slice_export import export_slice
from explorer.analysis.thresholds.choice import choose_by_hand
from explorer.cohorts.layout import CACHE, Folder
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.map_area import MapArea, area_word
from explorer.store.filter_registry import FILTERS, Filters
from explorer.store.marked import Marked
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.store.where_words import choices
from tests.support.wording import Wording, line_with

EVERY = Slice("phantom", "phantom")
RUN = """
import sys, duckdb
for name in sys.argv[1:]:
    duckdb.sql(open(name).read()).write_parquet(name + ".parquet")
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store(lambda: [Folder(CACHE / "phantom", tmp_path_factory.getbasetemp() / "phantom")])
    yield store
    store.close()


def slices(store: Store) -> Iterator[Slice]:
    """Each filter at one of its values among the highest scores, and some of them together."""
    offered = choices(store, EVERY.cohort, EVERY.model)
    found: dict[str, object] = {"low": 0.6, "high": 0.7, "relation": "disagree", "against": offered.other_models[0]}
    known = store.film_map(EVERY.cohort, EVERY.model)
    assert known is not None
    found["lasso"] = known.area(area_word(MapArea(EVERY.model, known.version, ((0, 0), (4000, 0), (2000, 4000)), 0)))
    found["uncertain"] = "present"  # not offered here: the cohort has no uncertain label
    found["marked"] = Marked("list", tuple(store.patients(EVERY.cohort))[::7], 'It\'s "one"')
    for each in FILTERS:
        for word in each.words:
            if word.values is not None and word.field not in found:
                found[word.field] = list((word.offered or word.values)(offered))[-1]
    assert set(found) == {each.name for each in fields(Filters)}, "every filter has a value"
    for each in FILTERS:
        chosen = replace(EVERY, **{"low": 0.6} | {word.field: found[word.field] for word in each.words})
        assert store.count(chosen).pairs, each.key
        yield chosen
    yield replace(
        EVERY,
        source="cohort",
        group=FrequencyGroup.RARE,
        center=found["center"],
        outcomes=(Outcome.MISS, Outcome.FALSE_ALARM),
        age=found["age"],
        against=found["against"],
        relation="both wrong",
    )


@pytest.mark.slow
def test_the_saved_sql_gives_the_rows_of_the_page_in_their_order(store: Store, tmp_path: Path) -> None:
    runs_as_saved(store, list(slices(store)), tmp_path)


def test_with_thresholds_of_ones_own_it_needs_no_file_of_this_machine(
    store: Store, tmp_path: Path, wording: Wording
) -> None:
    every = replace(EVERY, finding="Mass")
    before = store.rows(every)
    store.keep_thresholds(
        EVERY.cohort,
        EVERY.model,
        choose_by_hand(store, EVERY.cohort, EVERY.model, {"Mass": 0.123456789, "Normal": 0.5}),
    )
    try:
        assert not store.rows(every).equals(before)
        text = runs_as_saved(store, [every, replace(EVERY, outcomes=(Outcome.MISS,))], tmp_path)[1]
        assert str(tmp_path.parent) not in text and "thresholds/" not in text
        wording(line_with(text, "model_thresholds", "Mass", "Normal"))
    finally:
        store.keep_thresholds(EVERY.cohort, EVERY.model, None)


def runs_as_saved(store: Store, asked: list[Slice], place: Path) -> list[str]:
    """Save each, run all by another Python in the cohort's folder, and compare; the texts that were saved."""
    files = [place / f"{number}.sql" for number in range(len(asked))]
    for file, chosen in zip(files, asked, strict=True):
        file.write_bytes(export_slice(store, chosen, "sql").data)
    subprocess.run(
        [sys.executable, "-c", RUN, *map(str, files)], check=True, cwd=CACHE / "phantom", timeout=120, text=True
    )
    for file, chosen in zip(files, asked, strict=True):
        table = store.rows(chosen)
        plain = pq.read_table(f"{file}.parquet")
        assert plain.column_names == table.column_names
        for name in table.column_names:
            assert plain.column(name).cast("string").equals(table.column(name).cast("string")), (name, chosen)
        assert str(CACHE) not in file.read_text()
        films = [film.case for film in store.page(chosen, size=48)]
        assert list(dict.fromkeys(plain.column("case").to_pylist()))[:48] == films
    return [file.read_text() for file in files]
