"""`taxonomies`: the lists, a crosswalk as text and CSV, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.core.crosswalk import CrosswalkLine, crosswalk, crosswalk_csv
from explorer.core.finding_relations import FindingRelation
from explorer.core.findings import TASKS, TAXONOMIES, Taxonomy
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import written
from tests.support.wording import Wording, line_with


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


def lines_of(taxonomy: Taxonomy, lines: tuple[CrosswalkLine, ...]) -> str:
    """As a terminal and `read_text` have line ends."""
    return crosswalk_csv(taxonomy, lines).replace("\r\n", "\n")


def test_all_are_listed() -> None:
    listed = run("taxonomies").stdout.splitlines()
    assert [line.split("  ")[0] for line in listed[2:]] == list(TAXONOMIES)
    assert listed[4].split()[-2:] == ["30", "6"]


@pytest.mark.parametrize("name", TAXONOMIES)
def test_without_a_cohort_it_is_that_of_cxr_lt_2026(name: str) -> None:
    lines = crosswalk(TAXONOMIES[name], (*TASKS["seen"], *TASKS["unseen"]))
    assert run("taxonomies", name.lower(), "--format", "csv").stdout == lines_of(TAXONOMIES[name], lines)


def test_of_a_cohort_it_has_its_findings_and_what_it_states(tmp_path: Path, wording: Wording) -> None:
    table = written(tmp_path / "T.csv", "id,ILD,Mass,Lung Opacity\na,1,0,0\nb,0,1,1\n")
    said = 'image_id = "id"\nfindings = ["ILD"]\n[relations]\nILD = { narrower_than = "Lung Opacity" }\n'
    columns = str(written(tmp_path / "map.toml", said))
    assert run("ingest", "csv", "--table", str(table), "--columns", columns, "--out", "own").exit_code == 0
    stated = [FindingRelation("ILD", "narrower than", "Lung Opacity")]
    lines = crosswalk(TAXONOMIES["CheXpert"], ["ILD", "Lung Opacity", "Mass"], stated)
    out = tmp_path / "crosswalk.csv"
    assert run("taxonomies", "CheXpert", "--cohort", "own", "--format", "csv", "--out", str(out)).exit_code == 0
    assert out.read_text(encoding="utf-8") == lines_of(TAXONOMIES["CheXpert"], lines)
    (row,) = [row for row in csv.DictReader(io.StringIO(out.read_text("utf-8"))) if row["finding"] == "ILD"]
    assert (row["label"], row["relation"], row["stated_by"]) == ("Lung Opacity", "broader than", "this cohort")
    text = run("taxonomies", "CheXpert", "--cohort", "own").stdout
    wording(line_with(text, "CheXpert and"))
    wording(line_with(text, "Opacity", "ILD"))


def test_reveal_cxr_has_its_codes(wording: Wording) -> None:
    text = run("taxonomies", "REVEAL-CXR").stdout
    wording(line_with(text, "3 cm", "RadLex RID12780", "SNOMED CT 39607008", "LOINC LP38246-5"))
    assert "RadLex" not in run("taxonomies", "CheXpert").stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("CheXprt",), "Did you mean CheXpert?"),
        (("CheXpert", "--cohort", "none"), "cohort 'none'"),
        (("--cohort", "phantom"), "Name it first"),
        (("CheXpert", "--format", "xml"), "'xml'"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], why: str, wording: Wording) -> None:
    told = run("taxonomies", *words)
    assert (told.exit_code, told.stdout) == (2, "")
    assert why in " ".join(told.stderr.split())
    wording(" ".join(told.stderr.split()))
