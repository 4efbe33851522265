"""The challenge's table: rounded numbers of patients are seen, and films grouped by study."""

from __future__ import annotations

from pathlib import Path

from tests.explorer.ingest.brought import cases, labels, written
from tests.explorer.ingest.datasets.conftest import Imported
from tests.explorer.ingest.datasets.samples import PADCHEST, STUDY, padchest_table
from tests.support.wording import Wording, line_with


def test_rounded_patients_become_studies_and_that_is_said(imported: Imported, wording: Wording) -> None:
    report = imported("cxrlt2026")
    first, second, third = cases(report.folder)
    assert first["study"] == second["study"] == f"{STUDY[:-1]}0" != third["study"]
    assert first["patient"] == second["patient"] == f"study {first['study']}" != third["patient"]
    assert first["split"] == "training"
    (note,) = [note for note in report.notes if "PatientID" in note]
    assert "grouped by study" in note
    wording(line_with(note, "'3.24E+38'", "3 rows"))
    said = labels(report.folder)
    assert said[str(first["case"]), "Aortic Elongation"] == "present"
    assert said[str(third["case"]), "Normal"] == "present" and said[str(third["case"]), "Support Devices"] == "absent"


def test_numbers_in_full_are_patients(imported: Imported) -> None:
    def whole(root: Path) -> None:
        table = (root / "CXRLT_2026_training.csv").read_text()
        written(root / "CXRLT_2026_training.csv", table.replace("3.24E+38", "3" * 38).replace("8.40E+35", "8" * 36))

    report = imported("cxrlt2026", change=whole)
    assert [case["patient"] for case in cases(report.folder)] == ["3" * 38, "3" * 38, "8" * 36]
    assert not [note for note in report.notes if "PatientID" in note]


def test_one_rounded_number_is_one(imported: Imported, wording: Wording) -> None:
    def one(root: Path) -> None:
        table = (root / "CXRLT_2026_training.csv").read_text()
        written(root / "CXRLT_2026_training.csv", table.replace("8.40E+35", "3.24E+38"))

    (note,) = [note for note in imported("cxrlt2026", change=one).notes if "PatientID" in note]
    wording(line_with(note, "3 rows", "1"))


def test_patients_of_padchest_where_its_table_is_there(imported: Imported) -> None:
    def beside(root: Path) -> None:
        written(root / PADCHEST, padchest_table())

    report = imported("cxrlt2026", change=beside)
    by_case = {str(case["case"]): case for case in cases(report.folder)}
    known = by_case[f"{STUDY[:-1]}0_a.png"]  # the others are not in the small table
    assert (known["patient"], known["view"], known["age"]) == ("830", "PA", 84)


def test_a_table_without_labels_is_said(imported: Imported, wording: Wording) -> None:
    def more(root: Path) -> None:
        written(root / "CXRLT_2026_TEST_ALL_TASK1.csv", "ImageID,PatientID\nx.png,1\n")

    report = imported("cxrlt2026", change=more)
    wording(line_with(report.notes, "CXRLT_2026_TEST_ALL_TASK1.csv"))
    assert report.manifest.cases == 3
