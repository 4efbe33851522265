"""Studies of the user's own data: a column of a table, labels by study, DICOM headers, and films without a study."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.ingest.columns import ColumnMap
from explorer.ingest.folder import read_folder
from explorer.ingest.make_cohort import make_cohort
from explorer.ingest.report import report_text
from explorer.ingest.study_labels import read_with_study_labels
from explorer.tabular.problems import WrongInput
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import cases, film, said, source_of, written
from tests.explorer.ingest.datasets.samples import dicom
from tests.support.wording import Wording, line_with

FILMS = "id,StudyInstanceUID,pat,view\na,s1,p,PA\nb,s1,p,lateral\nc,s2,q,PA\nd,,q,PA\n"
LABELS = "StudyInstanceUID,Mass,Nodule\ns1,1,0\ns2,0,-1\ns9,1,1\n"


@pytest.mark.parametrize("name", ["StudyID", "study_id", "Study Instance UID", "AccessionNumber", "study"])
def test_a_column_of_studies_is_known_by_its_usual_names(tmp_path: Path, name: str) -> None:
    source = source_of(tmp_path, f"id,{name},Mass\na,s1,1\nb,s1,0\n")
    assert [entry.study for entry in source.entries] == ["s1", "s1"]
    assert source.notes == [f"T.csv: the column {name!r} is read as the study of each film."]


def test_map_toml_comes_first_and_two_candidates_are_none(tmp_path: Path) -> None:
    text = "id,study_id,accession,visit,Mass\na,s1,x,v,1\n"
    assert [entry.study for entry in source_of(tmp_path, text, study="visit").entries] == ["v"]
    assert [entry.study for entry in source_of(tmp_path, text).entries] == [None]
    assert [entry.study for entry in source_of(tmp_path, "id,study,Mass\na,s,1\n", center="study").entries] == [None]


def test_the_report_counts_studies_and_those_of_several_films(home: Path, tmp_path: Path, wording: Wording) -> None:
    text = "id,study,pat,Mass\na,1,p,1\nb,1,p,0\nc,1,q,0\nd,,q,0\n"  # study 1 of p is not study 1 of q
    report = make_cohort(lambda: source_of(tmp_path, text, patient="pat"), "mine")
    assert (report.totals.studies, report.totals.several, report.totals.alone) == (2, 1, 1)
    wording(line_with(report_text(report), "studies  "))
    alone = make_cohort(lambda: source_of(tmp_path, "id,Mass\na,1\n"), "alone")
    assert not any("studies  " in line for line in report_text(alone).splitlines())


def test_labels_by_study_are_those_of_each_film(tmp_path: Path, wording: Wording) -> None:
    films, labels = written(tmp_path / "films.csv", FILMS), written(tmp_path / "labels.csv", LABELS)
    source = read_with_study_labels(films, labels, ColumnMap(image_id="id", patient="pat", view="view"), "unknown")
    assert said(source) == {
        "a": {"Mass": "present", "Nodule": "absent"},
        "b": {"Mass": "present", "Nodule": "absent"},
        "c": {"Mass": "absent", "Nodule": "uncertain"},
        "d": {},
    }
    assert [(entry.study, entry.view) for entry in source.entries][:2] == [("s1", "PA"), ("s1", "lateral")]
    wording("\n".join(source.notes))


def test_the_study_may_have_any_name_that_map_toml_says(tmp_path: Path) -> None:
    films = written(tmp_path / "films.csv", "id,visit\na,v1\nb,v1\n")
    labels = written(tmp_path / "labels.csv", "visit,found\nv1,Mass|Nodule\n")
    columns = ColumnMap(image_id="id", study="visit", findings="found")
    source = read_with_study_labels(films, labels, columns, "absent")
    assert said(source) == dict.fromkeys("ab", {"Mass": "present", "Nodule": "present"})


@pytest.mark.parametrize(
    ("films", "labels"),
    [
        ("id,Mass,study\na,1,s\n", LABELS),
        ("id,name\na,x\n", LABELS),
        ("id,study\na,s1\n", "visit,Mass\ns1,1\n"),
        ("id,study,pat\na,s1,p\nb,s1,q\n", "study,Mass\ns1,1\n"),
    ],
)
def test_tables_that_cannot_be_joined_are_refused(tmp_path: Path, films: str, labels: str, wording: Wording) -> None:
    paths = written(tmp_path / "films.csv", films), written(tmp_path / "labels.csv", labels)
    patient = "pat" if "pat" in films else None
    with pytest.raises(WrongInput) as refused:
        read_with_study_labels(*paths, ColumnMap(image_id="id", patient=patient), "unknown")
    wording(str(refused.value).replace(f"{tmp_path}/", ""))


def test_the_command_joins_them_and_replaces_labels(home: Path, tmp_path: Path, wording: Wording) -> None:
    written(tmp_path / "films.csv", FILMS)
    written(tmp_path / "labels.csv", LABELS)
    written(tmp_path / "map.toml", 'image_id = "id"\npatient = "pat"\nview = "view"\n')
    words = ("--table", "films.csv", "--columns", "map.toml", "--study-labels", "labels.csv")
    paths = [str(tmp_path / word) if "." in word else word for word in words]
    made = run("ingest", "csv", *paths, "--out", "mine")
    assert made.exit_code == 0, made.stderr
    wording(line_with(made.stdout, "studies "))
    written(tmp_path / "labels.csv", LABELS.replace("s1,1,0", "s1,0,0"))
    again = run("ingest", "csv", *paths, "--out", "mine", "--replace-labels")
    assert again.exit_code == 0 and "absent 5, uncertain 1" in again.stdout


def test_scores_by_study_are_those_of_each_film(home: Path, tmp_path: Path, wording: Wording) -> None:
    make_cohort(lambda: source_of(tmp_path, "id,study,pat,Mass\na,s1,p,1\nb,s1,p,0\nc,s2,q,0\n", patient="pat"), "mine")
    scores = written(tmp_path / "s.csv", "image_id,Mass\ns1,0.75\ns2,0.25\ns9,0.5\n")
    done = run("ingest", "predictions", str(scores), "--model", "ours", "--cohort", "mine", "--accept-rejects")
    assert done.exit_code == 0, done.stderr
    assert "1 image is not a case" in done.stdout
    wording(line_with(done.stdout, "studies of the cohort"))
    rows = pq.read_table(home / "cohorts/mine/predictions/ours/part-00000.parquet").to_pylist()
    assert {row["case"]: row["score"] for row in rows} == {"a": 0.75, "b": 0.75, "c": 0.25}


def test_scores_of_a_study_of_two_patients_are_refused(home: Path, tmp_path: Path, wording: Wording) -> None:
    make_cohort(lambda: source_of(tmp_path, "id,study,pat,Mass\na,1,p,1\nb,1,q,0\n", patient="pat"), "mine")
    scores = written(tmp_path / "s.csv", "image_id,Mass\n1,0.75\n")
    refused = run("ingest", "predictions", str(scores), "--model", "ours", "--cohort", "mine")
    assert refused.exit_code == 2
    wording(refused.stderr)


def test_a_folder_of_dicom_files_has_numbered_studies_and_no_identifier(home: Path, tmp_path: Path) -> None:
    root = tmp_path / "films"
    one = {"PatientID": "Meier^1", "PatientSex": "F", "PatientAge": "061Y", "StudyInstanceUID": "1.2.3"}
    written(root / "b" / "1.dcm", dicom(1, **one, ViewPosition="PA"))
    written(root / "b" / "IM2", dicom(2, **one, ViewPosition="LL"))  # archives leave out the file ending
    written(root / "a.dcm", dicom(3, PatientID="Huber", StudyInstanceUID="1.2.4", ViewPosition="AP"))
    written(root / "c.png", film(4))
    report = make_cohort(lambda: read_folder(root), "films", root)
    facts = ("case", "patient", "study", "view", "sex", "age")
    assert [tuple(row[name] for name in facts) for row in cases(report.folder)] == [
        ("a.dcm", "patient 1", "study 1", "AP", "unknown", None),
        ("b/1.dcm", "patient 2", "study 2", "PA", "F", 61),
        ("b/IM2", "patient 2", "study 2", "lateral", "F", 61),
        ("c.png", None, None, "unknown", "unknown", None),
    ]
    assert (report.totals.studies, report.totals.several, report.totals.alone) == (2, 1, 1)
    stored = b"".join(path.read_bytes() for path in report.folder.path.iterdir() if path.is_file())
    assert not any(name in stored for name in (b"Meier", b"Huber", b"1.2.3"))
