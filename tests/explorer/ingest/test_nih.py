"""NIH ChestX-ray14 in both layouts, small and real."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import CACHE, Folder
from explorer.core.findings import FINDINGS, NIH_FRONTAL
from explorer.ingest.make_cohort import make_cohort
from explorer.ingest.nih import read_nih
from explorer.ingest.nih_boxes import FILM_SIDE
from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import cases, film, labels, rejected, wheel, written
from tests.support.wording import Wording, line_with

THEIRS = """\
Image Index,Finding Labels,Follow-up #,Patient ID,Patient Age,Patient Gender,View Position,OriginalImage[Width,Height]
00000001_000.png,Cardiomegaly|Emphysema,0,1,57,M,PA,2682,2749
00000001_001.png,No Finding,1,1,414,F,AP,2894,2729
00000002_000.png,No Finding,0,2,81,M,PA,2500,2048
"""
OWN = """\
file,image_id,patient_id,findings,view,sex,age,width,height
images/00000001_000.jpg,00000001_000,1,Cardiomegaly|Emphysema,PA,M,57,2682,2749
images/00000001_001.jpg,00000001_001,1,No Finding,AP,F,414,2894,2729
images/00000002_000.jpg,00000002_000,2,No Finding,PA,M,81,2500,2048
"""
BOXES = """\
Image Index,Finding Label,Bbox [x,y,w,h],,,
00000001_000.png,Cardiomegaly,256,512,128.0,64,,,
00000001_000.png,Infiltrate,0,0,1024,1024,,,
00000009_000.png,Mass,0,0,10,10,,,
00000001_001.png,Mass,1000,0,100,10,,,
00000001_001.png,Elephant,0,0,10,10,,,
00000001_001.png,Mass,nan,0,10,10,,,
00000001_001.png,Mass,0,0
"""


@pytest.fixture(params=["theirs", "own"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The third film is not there."""
    if request.param == "theirs":
        written(tmp_path / "Data_Entry_2017_v2020.csv", THEIRS)
        written(tmp_path / "BBox_List_2017.csv", BOXES)
        names = "images_001/images/00000001_000.png", "images_002/images/00000001_001.png"
    else:
        written(tmp_path / "labels.csv", OWN)
        written(tmp_path / "boxes.csv", BOXES.replace(".png", ""))
        names = "images/00000001_000.jpg", "images/00000001_001.jpg"
    for seed, name in enumerate(names):
        written(tmp_path / name, film(seed))
    return tmp_path


def test_both_layouts_are_the_same_cohort(home: Path, root: Path) -> None:
    folder = make_cohort(lambda: read_nih(root), "nih", root).folder
    first, second = cases(folder)
    assert (first["case"], first["patient"], first["center"]) == ("00000001_000", "1", "NIH")
    assert (first["view"], first["sex"], first["age"]) == ("PA", "M", 57)
    assert (first["width"], first["height"]) == (2682, 2749)
    assert (second["case"], second["view"], second["sex"], second["age"]) == ("00000001_001", "AP", "F", None)
    assert str(first["file"]).split("/")[-1].startswith("00000001_000.")
    assert labels(folder) == {
        ("00000001_000", "Cardiomegaly"): "present",
        ("00000001_000", "Emphysema"): "present",
        ("00000001_000", "Normal"): "absent",
        ("00000001_001", "Cardiomegaly"): "absent",
        ("00000001_001", "Emphysema"): "absent",
        ("00000001_001", "Normal"): "present",
    }
    ((line, image, reason),) = rejected(folder)
    assert (line, image.split(".")[0]) == ("4", "00000002_000") and reason.startswith("no such image")


def test_boxes_are_fractions_and_of_films_that_are_there(home: Path, root: Path, wording: Wording) -> None:
    report = make_cohort(lambda: read_nih(root), "nih", root)
    assert report.boxes == 2
    wording(line_with(report.notes, "box", ": 4"))
    rows = pq.read_table(report.folder.boxes).to_pylist()
    assert {row["case"] for row in rows} == {"00000001_000"}
    sides = {row["finding"]: (row["x"], row["y"], row["width"], row["height"]) for row in rows}
    assert sides == {"Cardiomegaly": (0.25, 0.5, 0.125, 0.0625), "Infiltration": (0, 0, 1, 1)}


def test_the_least_that_a_table_must_have(home: Path, tmp_path: Path, wording: Wording) -> None:
    table = written(tmp_path / "Data_Entry_2017.csv", "Image Index,Finding Labels,Patient Sex,\na.png,Mass,F,\n")
    (entry,) = read_nih(tmp_path).entries
    assert (entry.case, entry.file, entry.sex, entry.view, entry.patient) == ("a", "a.png", "F", "unknown", None)
    written(table, "Image Index,Patient Sex\na.png,F\n")
    with pytest.raises(WrongInput) as caught:
        read_nih(tmp_path)
    wording(caught.value, "'Finding Labels'")


def test_a_folder_with_neither_is_refused(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(WrongInput) as caught:
        read_nih(tmp_path)
    wording(caught.value, "labels.csv", "NIH", "Data_Entry_2017")


@pytest.mark.slow
def test_the_real_table_has_the_counts_of_the_facts(home: Path, tmp_path: Path, lightly_packed: None) -> None:
    """The table of all 112,120 films, without the films."""
    for name in ("Data_Entry_2017_v2020.csv", "BBox_List_2017.csv"):
        written(tmp_path / name, gzip.decompress(wheel(f"{name}.gz").read_bytes()))
    report = make_cohort(lambda: read_nih(tmp_path), "nih")
    assert report.manifest.cases == NIH_FRONTAL
    assert report.rejected == {}
    assert report.views == {"PA": 67_310, "AP": 44_810}
    facts = {name: finding.nih_images for name, finding in FINDINGS.items() if finding.nih_images}
    assert report.label_counts.findings == facts
    assert sum(report.label_counts.labels.values()) == NIH_FRONTAL * len(facts)
    assert report.boxes == 984 and report.notes == ()
    boxes = pq.read_table(report.folder.boxes)
    assert pc.max(pc.add(boxes["x"], boxes["width"])).as_py() <= 1
    assert len(pc.unique(pq.read_table(report.folder.cases)["patient"])) == 30_805


@pytest.mark.shared
@pytest.mark.slow
def test_the_shared_films_are_the_shipped_cohort(home: Path, shared: Path, wording: Wording) -> None:
    """But for one film, whose bytes are those of another: the same film twice among NIH's."""
    root = shared / "data" / "nih_cxr14"
    report = make_cohort(lambda: read_nih(root), "nih", root)
    ((_, twin, reason),) = rejected(report.folder)
    wording(reason, "00002658_001")
    shipped = Folder(CACHE / "nih-oof")
    traits = ("case", "patient", "view", "sex", "age")
    mine, theirs = (
        {(*(case[trait] for trait in traits), Path(str(case["file"])).name) for case in cases(folder)}
        for folder in (report.folder, shipped)
    )
    assert {case[0] for case in theirs - mine} == {twin} and mine <= theirs
    expected = {pair: label for pair, label in labels(shipped).items() if pair[0] != twin}
    assert labels(report.folder) == expected
    ours, theirs = (pq.read_table(folder.boxes).sort_by("case").drop(["source"]) for folder in (report.folder, shipped))
    assert ours.to_pylist() == theirs.to_pylist()
    assert FILM_SIDE == 1024
