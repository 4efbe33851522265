"""Labels of a cohort from its reports, and reports that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.cohorts.film_reports import read_report
from explorer.cohorts.layout import Folder
from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import ImportSource
from explorer.ingest.label_table import read_label_table
from explorer.ingest.make_cohort import make_cohort
from explorer.ingest.report_labels import with_report_labels
from explorer.ingest.report_texts import reports_in
from explorer.reports import rules
from explorer.tabular.problems import WrongInput
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import said, written
from tests.support.wording import Wording

TABLE = """id,study,report,Mass
a,s1,Small left effusion. No mass.,1
b,s1,Small left effusion. No mass.,0
c,s2,,0
d,s3,"Kein Nachweis von Infiltraten, der Herzschatten ist nicht verbreitert.",0
e,s4,Cardiomegaly.,0
e,s4,No cardiomegaly.,0
f,s5,Trachea midline.,0
"""
REPORTS = "reports (English rules)"


def labeled(folder: Path, text: str, where: str = "report") -> ImportSource:
    table = written(folder / "T.csv", text)
    columns = ColumnMap(image_id="id", passed_over=(where,))
    source = read_label_table(table, columns, "absent")
    texts = reports_in(where, table, "id")
    return with_report_labels(source, texts, rules(), lambda done, of: None)


def rows_of(folder: Folder, source: str) -> set[tuple[str, str, str]]:
    rows = pq.read_table(folder.labels).to_pylist()
    return {(row["case"], row["finding"], row["label"]) for row in rows if row["source"] == source}


def test_reports_are_a_second_source_beside_labels_and_each_film_left_out_is_counted(
    home: Path, tmp_path: Path, wording: Wording
) -> None:
    source = labeled(tmp_path, TABLE)
    report = make_cohort(lambda: source, "mine")
    effusions = {(case, "Pleural Effusion", "present") for case in "ab"}
    assert rows_of(report.folder, REPORTS) == effusions | {(case, "Mass", "absent") for case in "ab"}
    own = rows_of(report.folder, "labels of T.csv")
    assert own == {(case, "Mass", "present" if case == "a" else "absent") for case in "abcdef"}
    assert report.manifest.default_source == "labels of T.csv"
    wording("\n".join(source.notes), "1 film, 'c'", "German", "two reports", "'labels of T.csv'")


def test_without_labels_the_reports_are_the_labels_and_a_blank_is_never_absent(tmp_path: Path) -> None:
    source = labeled(tmp_path, "id,report\na,No effusion.\nb,Possible mass.\nc,Nothing to add.\n")
    assert said(source) == {"a": {"Pleural Effusion": "absent"}, "b": {"Mass": "uncertain"}, "c": {}}
    assert source.label_source == REPORTS and source.default_source is None and not source.more_marks


def test_files_are_named_after_films_or_studies(tmp_path: Path, wording: Wording) -> None:
    folder = tmp_path / "reports"
    written(folder / "p1" / "s1.txt", "Azygos lobe.")
    written(folder / "c.txt", b"Herz gro\xdf")
    written(folder / "d.txt", "\ufeffHernia.".encode("utf-16-le"))
    written(folder / "e.txt", " \n")
    written(folder / "s5.txt", "Mass.")
    written(folder / "f.txt", "No mass.")
    written(folder / "z.txt", "Mass.")
    text = "id,study\na.png,s1\nb.png,s1\nc.png,s2\nd.png,s3\ne.png,s4\nf.png,s5\ng.png,s6\n"
    source = labeled(tmp_path, text, str(folder))
    azygos = {"Azygos Lobe": "present"}
    assert said(source) == {
        "a.png": azygos,
        "b.png": azygos,
        "c.png": {},
        "d.png": {"Hernia": "present"},
        "e.png": {},
        "f.png": {},
        "g.png": {},
    }
    wording("\n".join(source.notes))


def test_reports_that_are_not_there_are_refused(
    tmp_path: Path, wording: Wording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = written(tmp_path / "T.csv", "id,report\na,\n")
    (tmp_path / "report").mkdir()
    for where in ("report", "./report", "nowhere/at/all", "text"):
        with pytest.raises(WrongInput) as refused:
            reports_in(where, Path("T.csv"), "id")
        wording(refused.value)
    (tmp_path / "report").rmdir()
    source = read_label_table(table, ColumnMap(image_id="id", passed_over=("report",)), "unknown")
    with pytest.raises(WrongInput) as refused:
        with_report_labels(source, reports_in("report", Path("T.csv"), "id"), rules(), lambda done, of: None)
    wording(refused.value)


def test_the_command_labels_a_cohort_and_its_labels_can_be_replaced_later(home: Path, tmp_path: Path) -> None:
    table = written(tmp_path / "T.csv", TABLE)
    columns = written(tmp_path / "map.toml", 'image_id = "id"\n')
    words = ["ingest", "csv", "--table", str(table), "--columns", str(columns), "--out", "mine"]
    assert run(*words).exit_code == 0
    done = run(*words, "--reports", "report", "--replace-labels")
    assert done.exit_code == 0, done.stderr
    assert "films labeled from their reports by the English rules: 3 of 6" in done.stdout
    report = read_report(Folder(home / "cohorts" / "mine"), "a")
    assert report is not None and report.source == REPORTS
    assert [(each.finding, each.state, report.text[each.start : each.end]) for each in report.mentions] == [
        ("Pleural Effusion", "present", "effusion"),
        ("Mass", "absent", "mass"),
    ]
    cue = report.mentions[1]
    assert report.text[cue.cue_start : cue.cue_end] == "No"
    assert read_report(Folder(home / "cohorts" / "mine"), "c") is None
    assert rows_of(Folder(home / "cohorts" / "mine"), REPORTS)
    assert run(*words, "--replace-labels").exit_code == 0
    assert not Folder(home / "cohorts" / "mine").reports.exists(), "they would show labels that are no longer there"


def test_spanish_reports_need_their_rules(home: Path, tmp_path: Path) -> None:
    table = written(
        tmp_path / "T.csv", "id,informe\na,No se observa derrame pleural ni neumotórax en el lado derecho.\n"
    )
    columns = written(tmp_path / "map.toml", 'image_id = "id"\n')
    words = ["ingest", "csv", "--table", str(table), "--columns", str(columns), "--out", "mine", "--reports", "informe"]
    refused = run(*words)
    assert refused.exit_code == 2 and "in another language, Spanish 1" in refused.stderr
    done = run(*words, "--report-rules", "spanish")
    assert done.exit_code == 0 and "experimental" in done.stdout
