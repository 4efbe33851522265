"""PadChest: the real table of the torchxrayvision wheel, and the same columns small."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import explorer.core
from explorer.core.findings import FINDINGS
from explorer.ingest.datasets.importing import import_dataset
from explorer.ingest.datasets.padchest import LABEL_SOURCES
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import cases, labels, rejected, wheel, written
from tests.explorer.ingest.datasets.conftest import Imported
from tests.explorer.ingest.datasets.samples import PADCHEST, STUDY
from tests.support.wording import Wording, line_with

REJECTED = 185  # rows of the real table with normal and a finding of the 45 at once


def named(letter: str) -> str:
    return f"{STUDY[:-1]}{'abcdef'.index(letter)}_{letter}.png"


def test_films_and_labels(imported: Imported, wording: Wording) -> None:
    report = imported("padchest")
    by_case = {str(case["case"]): case for case in cases(report.folder)}
    first, lateral, supine = (by_case[named(letter)] for letter in "abc")
    assert (first["view"], first["sex"], first["age"], first["patient"]) == ("PA", "F", 84, "830")
    assert (first["width"], first["height"], first["file"]) == (3236, 3296, f"0/{named('a')}")
    assert (lateral["view"], supine["view"], by_case[named("d")]["view"]) == ("lateral", "AP", "unknown")
    said = labels(report.folder)
    assert said[named("a"), "Kyphosis"] == "present" and said[named("a"), "Normal"] == "absent"
    assert said[named("c"), "Normal"] == "present"
    assert not [case for case, _ in said if case in (named("d"), named("e"))]  # unchanged, nan: nothing is said
    assert "unchanged" not in "".join(report.notes) and any("'pulmonary fibrosis'" in note for note in report.notes)
    ((line, image, reason),) = rejected(report.folder)
    assert image == named("f") and line == "13"
    wording(reason, "Normal", "Cardiomegaly")


def test_a_word_is_a_finding_by_itself_where_it_is_named(imported: Imported, wording: Wording) -> None:
    report = imported("padchest", ImportOptions(words=("Pulmonary Fibrosis",)))
    said = {case: label for (case, finding), label in labels(report.folder).items() if finding == "Pulmonary Fibrosis"}
    assert "present" in said.values() and "absent" in said.values()
    wording(line_with(report.notes, "'Pulmonary Fibrosis'"))
    with pytest.raises(WrongInput) as caught:
        imported("padchest", ImportOptions(words=("pulmonary fibrosi",)))
    wording(caught.value, "'pulmonary fibrosi'")


def test_physicians_and_model_are_two_sources(imported: Imported) -> None:
    rows = pq.read_table(imported("padchest").folder.labels).to_pylist()
    assert {row["source"] for row in rows if row["case"] == named("a")} == {LABEL_SOURCES["Physician"]}
    assert {row["source"] for row in rows if row["case"] == named("c")} == {LABEL_SOURCES["RNN_model"]}


def test_films_in_one_folder_are_found_too(imported: Imported) -> None:
    def flat(root: Path) -> None:
        for film in list(root.glob("*/*.png")):
            film.rename(root / film.name)

    assert imported("padchest", change=flat).manifest.cases == 5


@pytest.mark.slow
def test_the_real_table(home: Path, tmp_path: Path, lightly_packed: None) -> None:
    """160,861 films without the films: counts are those of the facts, but for the rows that are rejected."""
    written(tmp_path / f"{PADCHEST}.gz", wheel(f"{PADCHEST}.gz").read_bytes())
    report = import_dataset("padchest", tmp_path, ImportOptions(labels_only=True), "padchest")
    assert report.rejected == {"Normal and a finding": REJECTED}
    text = (report.folder.path / "unused-words.csv").read_text(encoding="utf-8")
    unused = list(csv.DictReader(io.StringIO(text)))
    assert len(unused) == 95 and unused[0] == {"name": "COPD signs", "rows": "23280"}
    words = "95 names that are not findings, not used: 'COPD signs' (23,280)"
    assert any(note.startswith(words) for note in report.notes)
    assert report.manifest.cases == 160_861 - REJECTED
    with (Path(explorer.core.__file__).parent / "data" / "findings.csv").open(encoding="utf-8") as file:
        facts = {row["finding"]: int(row["padchest_all"]) for row in csv.DictReader(file) if row["padchest_words"]}
    assert set(facts) == {name for name, finding in FINDINGS.items() if finding.padchest_words}
    assert all(0 <= count - report.label_counts.findings[name] <= REJECTED for name, count in facts.items())
    frontal = report.views["PA"] + report.views["AP"]
    assert 110_633 - REJECTED <= frontal <= 110_633
    sources = pq.read_table(report.folder.labels, columns=["source"])["source"].unique().to_pylist()
    assert sorted(sources) == sorted(LABEL_SOURCES.values())
    assert 67_625 - REJECTED <= report.totals.patients <= 67_625
