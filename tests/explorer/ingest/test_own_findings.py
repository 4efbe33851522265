"""Findings that no taxonomy has, from the table of a hospital to the store: taken where they are declared, and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.layout import Folder, cohort_folder
from explorer.cohorts.manifest import read_manifest, read_model_manifest, write_manifest
from explorer.cohorts.own_findings import cohort_findings
from explorer.core.finding_relations import FindingRelation
from explorer.store.store import Store
from tests.explorer.cli.command import evaluated, line, run
from tests.explorer.ingest.brought import labels, rows, source_of, written
from tests.support.wording import Wording, line_with

TABLE = rows(
    ["ImageID", "COVID-19", "ILD", "Lung Opacity", "Pleural_effusion", "Pleural Efusion", "Male", "Patient Comment"],
    ["a", 1, 0, 0, 1, 1, 1, "well"],
    ["b", 0, 1, 1, 0, 0, 0, ""],
    ["c", 0, 0, 0, 0, 0, 1, "ill"],
    ["d", 1, "", -1, 1, 0, 0, "1"],
)
COLUMNS = """\
image_id = "ImageID"
findings = ["COVID-19", "ILD"]

[relations]
"Lung Opacity" = { broader_than = ["Consolidation", "Edema"] }
ILD = { narrower_than = "interstitial_pattern" }
"""
SCORES = rows(
    ["ImageID", "covid_19", "ILD", "lung opacity", "Effusion", "Cavity"],
    ["a", 0.9, 0.1, 0.2, 0.8, 0.5],
    ["b", 0.2, 0.4, 0.6, 0.1, 0.5],
    ["c", 0.1, 0.2, 0.3, 0.2, 0.5],
    ["d", 0.3, 0.3, 0.3, 0.7, 0.5],
)


def ingested(place: Path, columns: str = COLUMNS, table: str = TABLE) -> str:
    """What `ingest csv` says of the table."""
    told = run(
        *("ingest", "csv", "--table", str(written(place / "T.csv", table)), "--out", "own", "--replace"),
        *("--columns", str(written(place / "map.toml", columns))),
    )
    assert told.exit_code == 0, told.stderr
    return told.stdout


@pytest.fixture
def own(home: Path, tmp_path: Path) -> Folder:
    ingested(tmp_path)
    return cohort_folder("own")


def test_declared_columns_are_findings_and_the_report_says_which_are_not(
    home: Path, tmp_path: Path, wording: Wording
) -> None:
    told = ingested(tmp_path)
    wording(line_with(told, "COVID-19 2", "ILD 1", "Lung Opacity 1", "Pleural Effusion 2"))
    wording(line_with(told, "'COVID-19'", "'ILD'"))
    wording(line_with(told, "'Pleural Efusion'", "Pleural Effusion?", "'Male', 'Patient Comment'"))
    wording(line_with(told, "2 columns", "1, 0, -1", 'map.toml: findings = ["Pleural Efusion", "Male"]'))
    known = labels(cohort_folder("own"))
    assert known["a", "COVID-19"] == "present" and known["d", "Lung Opacity"] == "uncertain"
    assert ("d", "ILD") not in known
    assert cohort_findings(cohort_folder("own")) == ("COVID-19", "ILD", "Lung Opacity", "Pleural Effusion")


def test_what_is_declared_near_a_known_name_is_taken_as_it_stands_and_offered(
    home: Path, tmp_path: Path, wording: Wording
) -> None:
    told = ingested(tmp_path, 'image_id = "ImageID"\nfindings = ["Pleural Efusion"]\n')
    wording(line_with(told, "'Pleural Efusion'", "Pleural Effusion"))
    assert {finding for _, finding in labels(cohort_folder("own"))} == {
        "Lung Opacity",
        "Pleural Effusion",
        "Pleural Efusion",
    }


def test_relations_are_kept_in_the_manifest_and_same_as_is_the_finding(home: Path, tmp_path: Path) -> None:
    ingested(tmp_path)
    expected = [("broader than", "Consolidation"), ("broader than", "Edema"), ("narrower than", "Interstitial Pattern")]
    manifest = read_manifest(cohort_folder("own").manifest)
    assert [(each.relation, each.other) for each in manifest.relations] == expected
    assert manifest.relations[-1] == FindingRelation("ILD", "narrower than", "Interstitial Pattern")
    ingested(tmp_path, COLUMNS + '"Pleural Efusion" = { same_as = "Pleural Effusion" }\n')
    assert labels(cohort_folder("own"))["b", "Pleural Effusion"] == "absent"
    assert labels(cohort_folder("own"))["a", "Pleural Effusion"] == "present"
    text = cohort_folder("own").manifest.read_text(encoding="utf-8")
    assert '"relations"' in text


def test_a_manifest_without_relations_is_as_it_was(home: Path, tmp_path: Path) -> None:
    ingested(tmp_path, 'image_id = "ImageID"\n')
    manifest = read_manifest(cohort_folder("own").manifest)
    assert manifest.relations == () and "relations" not in cohort_folder("own").manifest.read_text(encoding="utf-8")
    write_manifest(cohort_folder("own").manifest, manifest)
    assert read_manifest(cohort_folder("own").manifest) == manifest


def test_words_of_a_list_may_be_findings_of_their_own(tmp_path: Path) -> None:
    own = {"cavern": "Lung Cavity", "covid 19": "COVID-19"}
    source = source_of(
        tmp_path, "id,said\na,cavern|Mass\nb,covid_19|Cardiomegally\n", "absent", findings="said", words=own
    )
    assert source.findings == ("Lung Cavity", "Mass", "COVID-19") and source.words == {"Cardiomegally": 1}


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ('image_id = "ImageID"\nfindings = ["COVID"]', "has no column 'COVID'"),
        ('image_id = "ImageID"\nsex = "Male"\nfindings = ["Male"]', "'Male' of"),
    ],
)
def test_a_declared_column_has_to_be_there_and_free(home: Path, tmp_path: Path, columns: str, why: str) -> None:
    table, said = written(tmp_path / "T.csv", TABLE), written(tmp_path / "map.toml", columns)
    told = run("ingest", "csv", "--table", str(table), "--out", "own", "--columns", str(said))
    assert told.exit_code == 2 and why in told.stderr


def test_scores_are_taken_by_the_names_that_the_cohort_has(own: Folder, tmp_path: Path, wording: Wording) -> None:
    scores = str(written(tmp_path / "S.csv", SCORES))
    words = ("ingest", "predictions", scores, "--model", "ours", "--cohort", "own", "--id-column", "ImageID")
    told = run(*words)
    assert told.exit_code == 0, told.stderr
    wording(line_with(told.stdout, "'covid_19'", "COVID-19"))
    wording(line_with(told.stdout, "'Cavity'", "--finding NAME"))
    findings = read_model_manifest(own.model("ours")).findings
    assert set(findings) == {"COVID-19", "ILD", "Lung Opacity", "Pleural Effusion"}
    again = run(*words, "--replace", "--finding", "Cavity")
    assert again.exit_code == 0 and set(read_model_manifest(own.model("ours")).findings) == {*findings, "Cavity"}
    store = Store(lambda: [own])
    groups = store.groups("own", "ours", "cohort")
    assert {finding for finding, group in groups.items() if group is None} == {"Cavity"}
    store.close()


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, ...]:
    both = rows(
        ["image_id", "Mass", "ILD", "Age", "Noduel"],
        *([case, *marks, age, n] for case, marks, age, n in (("a", (1, 0), 40, 1), ("b", (0, 1), 50, 0))),
    )
    scores = rows(
        ["image_id", "Mass", "ild", "Age", "noduel"],
        *([case, *marks, age, n] for case, marks, age, n in (("a", (0.9, 0.2), 0, 0.5), ("b", (0.1, 0.6), 1, 0.5))),
    )
    labels, written_scores = written(tmp_path / "L.csv", both), written(tmp_path / "S.csv", scores)
    return "--labels", str(labels), "--scores", str(written_scores)


def test_a_column_that_both_files_have_is_a_finding_if_it_reads_so(pair: tuple[str, ...], wording: Wording) -> None:
    refused = run("check", *pair)
    assert refused.exit_code == 1
    problem = "S.csv, line 1: the column 'Age' is not a finding: L.csv, line 2: '40' is not a label"
    assert problem in refused.stderr
    wording(line_with(refused.stderr, "--not-finding 'Age'"))
    told = run("check", *pair, "--not-finding", "age")
    assert told.exit_code == 0 and told.stdout == "No problems: 2 images, 3 findings.\n"
    taken = "both files have them, with labels and scores: 'ILD', 'Noduel' (Did you mean Nodule?). Leave one out with"
    assert taken in told.stderr
    left = run("check", *pair, "--not-finding", "Age", "--not-finding", "Noduel")
    assert "2 images, 2 findings" in left.stdout and "Noduel" not in left.stderr


def test_a_finding_of_its_own_is_evaluated_as_any_other(pair: tuple[str, ...], wording: Wording) -> None:
    table = evaluated(*pair, "--not-finding", "Age")
    ild = line(table, "ILD")
    assert ild["metrics"]["AP"]["value"] == 1 and (ild["n"], ild["n_positive"]) == (2, 1)
    text = run("evaluate", *pair, "--not-finding", "Age", "--resamples", "5")
    assert "10 %, 1 % and 0.1 %" in " ".join(text.stdout.split())  # most are not of CXR-LT 2026
    paper = run("evaluate", *pair, "--not-finding", "Age", "--resamples", "5", "--groups", "paper")
    wording(line_with(paper.stderr, "CXR-LT 2026", "ILD", "Noduel"))


def test_a_declared_column_has_its_cells_told(pair: tuple[str, ...], wording: Wording) -> None:
    told = run("check", *pair, "--finding", "Age")
    assert told.exit_code == 1
    wording(line_with(told.stderr, "L.csv", "2", "'a'", "'40'"))
    nowhere = run("check", *pair, "--not-finding", "Age", "--finding", "Cavity")
    assert nowhere.exit_code == 2
    wording(line_with(nowhere.stderr, "L.csv", "S.csv", "'Cavity'"))
    wrong = run("check", *pair, "--finding", "--")
    assert wrong.exit_code == 2
    wording(line_with(wrong.stderr, "--finding"))


def test_a_new_cohort_of_labels_and_scores(home: Path, pair: tuple[str, ...], tmp_path: Path, wording: Wording) -> None:
    labels_file, scores = pair[1], pair[3]
    points = written(tmp_path / "P.csv", "finding,threshold\nILD,0.5\nMass,0.5\n")
    told = run(
        *("ingest", "predictions", scores, "--model", "ours", "--labels", labels_file, "--out", "new"),
        *("--not-finding", "Noduel", "--operating-points", str(points)),
    )
    assert told.exit_code == 0, told.stderr
    wording(line_with(told.stdout, "'ILD'"))
    assert set(read_model_manifest(cohort_folder("new").model("ours")).findings) == {"Mass", "ILD"}
    assert labels(cohort_folder("new"))["b", "ILD"] == "present"
    wrong = written(tmp_path / "P.csv", "finding,threshold\nILF,0.5\nMas,0.5\n")
    told = run(
        *("ingest", "predictions", scores, "--model", "ours", "--labels", labels_file, "--out", "newer"),
        *("--operating-points", str(wrong)),
    )
    assert told.exit_code == 1
    wording(line_with(told.stderr, "'Mas'", "Mass"))
