"""A cohort whose findings have anybody's names: store, panels and files answer as for any other."""

from __future__ import annotations

import base64
import csv
import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from explorer.analysis.exports.slice_export import export_slice
from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_manifest, read_model_manifest, write_manifest
from explorer.cohorts.public_ids import opaque_id
from explorer.core.csv_safe import without_formula_quote
from explorer.core.finding_relations import FindingRelation
from explorer.core.findings import TAXONOMIES
from explorer.core.named_values import quote_value
from explorer.store.filter_kinds import as_word
from explorer.store.results import Count
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.store.where_words import slice_in
from explorer.ui.evaluate.calls import calls as evaluate_calls
from explorer.ui.evaluate.panels.all_panels import PANELS
from explorer.ui.explore.case_calls import calls as case_calls
from explorer.ui.explore.panel_calls import calls as panel_calls
from explorer.ui.explore.slice_calls import calls as slice_calls
from explorer.ui.shared.links import cohort_id, model_id, resolve_link, slice_words
from explorer.ui.shared.services import Services
from tests.explorer.store.made_up import rows_of
from tests.support.brute_force import NAME, Rows, chosen_pairs
from tests.support.random_cohorts import cohorts, free_names, slices, with_cases
from tests.support.wording import Wording

EXPLORE = ("cell_table", "prevalence", "two_slices", "confused_with", "label_issues", "crosswalk", "crosswalk_file")
here: list[Folder] = []  # the cohort of the moment
Json = dict[str, Any]


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    store = Store(lambda: here)
    with closing(IntervalsJob(store, resamples=20)) as job:
        yield Services(store, Images(), None, job)
    store.close()


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[str], Rows, list[Slice]]:
    """Names, a cohort that has them, and slices of it."""
    names = draw(free_names())
    return names, draw(cohorts(names)), draw(st.lists(slices(names), min_size=2, max_size=2))


@pytest.mark.slow
@settings(
    max_examples=8,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
@given(world=worlds())
def test_free_names_are_findings_as_any_others(services: Services, world: tuple[list[str], Rows, list[Slice]]) -> None:
    names, rows, asked = world
    with TemporaryDirectory() as place:
        here[:] = [rows.write(Path(place))]
        services.store.look(NAME)
        store = services.store
        scored = list(store.facets(NAME, "one").findings)
        assert set(scored) <= set(names)
        for name in scored:
            one_finding(store, rows, name)
        for chosen in (with_cases(each, rows) for each in asked if each.lasso is None):
            expected = chosen_pairs(rows, chosen)
            assert store.count(chosen) == Count(len(expected), len({pair.case for pair in expected}))
            exported(store, chosen, [pair.finding for pair in expected])
        pages(services, scored, [str(row["case"]) for row in rows.cases])


def one_finding(store: Store, rows: Rows, name: str) -> None:
    """Its address leads back to it, as do words that somebody types."""
    chosen = Slice(NAME, "one", finding=name)
    understood = resolve_link(store, slice_words(chosen))
    assert (understood.slice, understood.complaints) == (chosen, ())
    typed = slice_in(store, NAME, "one", f"finding={quote_value(name)}", {})
    assert typed.finding == name
    expected = chosen_pairs(rows, chosen)
    assert store.count(chosen).pairs == len(expected)


def exported(store: Store, chosen: Slice, findings: list[str]) -> None:
    """The CSV names each finding, and the statement finds the same pairs in plain DuckDB."""
    with zipfile.ZipFile(io.BytesIO(export_slice(store, chosen, "csv").data)) as files:
        (name,) = [each for each in files.namelist() if each.endswith(".csv")]
        lines = list(csv.DictReader(io.StringIO(files.read(name).decode("utf-8-sig"))))
    assert [without_formula_quote(line["finding"]) for line in lines] == findings
    folder = os.getcwd()
    os.chdir(here[0].path)
    try:
        with duckdb.connect() as plainly:
            saved = plainly.sql(export_slice(store, chosen, "sql").data.decode()).to_arrow_table()
    finally:
        os.chdir(folder)
    assert saved["finding"].to_pylist() == findings


def pages(services: Services, names: list[str], cases: list[str]) -> None:
    """Every panel and file of Explore and Evaluate answers, or refuses in words, for all findings and for one."""
    asked = {call.__name__: call for part in (slice_calls, case_calls, panel_calls) for call in part(services)}
    size = {"width": 800, "height": 600}
    for name in [None, *names[:2]]:
        state: Json = {"cohort": cohort_id(NAME), "taxonomy": as_word(next(iter(TAXONOMIES)))}
        state |= {} if name is None else {"finding": as_word(name)}
        for call in EXPLORE:
            table = answer(asked[call]({"state": state | {"beside": f"cohort={cohort_id(NAME)}"}, **size}))
            if call == "cell_table" and table["stage"] == "table":
                assert sorted(line["finding"] for line in table["lines"]) == sorted(names)
        answer(asked["slice_page"]({"state": state, "known": None}))
        answer(asked["slice_counts"]({"state": state, "key": "finding"}))
        answer(asked["case_facts"]({"state": state, "case": opaque_id(NAME, "case", cases[0])}))
    boards = {call.__name__: call for call in evaluate_calls(services)}
    for panel in PANELS:
        state = {"cohort": cohort_id(NAME), "panel": panel}
        answer(boards["panel"]({"state": state}))
        file = answer(boards["board_file"]({"state": state, "kind": "csv"}))
        if file["stage"] == "export":
            text = base64.b64decode(file["data"]).decode()
            assert list(csv.reader(io.StringIO(text), strict=True))
    answer(boards["board"]({"state": {"cohort": cohort_id(NAME)}}))


def answer(said: object) -> Json:
    """As the script gets it: no NaN in it."""
    found: Json = json.loads(json.dumps(said, allow_nan=False))
    assert isinstance(found, Mapping) and found["stage"]
    return found


def test_groups_come_from_the_cohort_itself_and_others_say_what_they_lack(
    services: Services, tmp_path: Path, wording: Wording
) -> None:
    here[:] = [rows_of(6, ("ILD", "COVID-19", "Mass")).write(tmp_path)]
    services.store.look(NAME)
    page = {call.__name__: call for call in slice_calls(services)}["slice_page"]
    cohort = {"cohort": cohort_id(NAME)}
    for state in ({}, cohort, cohort | {"group": "common"}):
        found = answer(page({"state": state, "known": None}))
        assert found["changes"]["source"] == "cohort" and not found["complaints"], state
    asked = cohort | {"source": "paper", "group": "rare"}
    (words,) = answer(page({"state": asked, "known": None}))["complaints"]
    assert "COVID-19 and ILD" in words
    wording(words)
    assert not answer(page({"state": asked | {"hide": "1"}, "known": None}))["complaints"]
    board = answer({call.__name__: call for call in evaluate_calls(services)}["board"]({"state": cohort}))
    assert board["source"] == "cohort"
    assert board["parts"][0]["name"] == "all findings"


def test_relations_are_said_below_the_table(services: Services, tmp_path: Path, wording: Wording) -> None:
    here[:] = [rows_of(6, ("ILD", "COVID-19")).write(tmp_path)]
    manifest = read_manifest(here[0].manifest)
    stated = [FindingRelation("ILD", "narrower than", other) for other in ("Interstitial Pattern", "Lung Opacity")]
    write_manifest(here[0].manifest, replace(manifest, relations=tuple(stated)))
    model = here[0].models()[0]
    scored = read_model_manifest(here[0].model(model))
    by_card = (FindingRelation("COVID-19", "related to", "Pneumonia"),)
    write_manifest(here[0].model(model), replace(scored, relations=by_card))
    services.store.look(NAME)
    asked = {call.__name__: call for call in panel_calls(services)}
    state = {"cohort": cohort_id(NAME), "model": model_id(NAME, model), "taxonomy": "chexpert"}
    table = answer(asked["cell_table"]({"state": state}))
    of_the_cohort, of_the_card = table["relations"]
    assert all(name in of_the_cohort for name in ("ILD", "Interstitial Pattern", "Lung Opacity"))
    assert all(name in of_the_card for name in ("COVID-19", "Pneumonia", model))
    wording(of_the_cohort)
    wording(of_the_card)
    found = answer(asked["crosswalk"]({"state": state}))
    ild = next(each for each in found["findings"] if each["word"] == "ild")
    assert ild == {"word": "ild", "label": None, "facts": "", "related": ["narrower than Lung Opacity"]}
    (line,) = [each for each in found["lines"] if each["finding"] == "ILD"]
    assert (line["label"], line["relation"], line["stated_by"]) == ("Lung Opacity", "broader than", "this cohort")
    (line,) = [each for each in found["lines"] if each["finding"] == "COVID-19"]
    assert (line["label"], line["relation"], line["stated_by"]) == ("Pneumonia", "related to", "this model")
