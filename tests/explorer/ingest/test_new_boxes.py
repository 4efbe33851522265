"""Boxes of a table are added to an own cohort: `localize` finds them, and what cannot be used is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image
from typer.testing import Result

from explorer.cohorts.layout import CACHE, HOME_VARIABLE, Folder, cohort_folder
from explorer.cohorts.listing import check_cohort
from explorer.cohorts.simulated_films import RENDER_HERE
from explorer.store.store import Store
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import SIDE, film, written
from tests.support.wording import Wording, line_with

HEADER = "image,finding,x,y,width,height\n"
WHERE = [0.25, 0.5, 0.125, 0.25]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))


@pytest.fixture
def cohort(tmp_path: Path) -> Folder:
    """Three films of 64 x 64 pixels, one with a finding of its own."""
    for seed, name in enumerate("abc"):
        written(tmp_path / "films" / f"{name}.png", film(seed))
    table = written(tmp_path / "T.csv", "id,Mass,Cavern\na,1,0\nb,0,1\nc,0,0\n")
    columns = written(tmp_path / "map.toml", 'image_id = "id"\nfindings = ["Cavern"]\n')
    images = ("--images", str(tmp_path / "films"))
    done = run("ingest", "csv", "--table", str(table), "--columns", str(columns), *images, "--out", "mine")
    assert done.exit_code == 0, done.stderr
    return cohort_folder("mine")


def added(tmp_path: Path, text: str, *more: str) -> Result:
    return run("ingest", "boxes", str(written(tmp_path / "boxes.csv", text)), "--cohort", "mine", *more)


def stored(cohort: Folder) -> list[tuple[str, str, list[float]]]:
    rows = pq.read_table(cohort.boxes).to_pylist()
    return [(row["case"], row["finding"], [row[side] for side in ("x", "y", "width", "height")]) for row in rows]


@pytest.mark.parametrize(
    ("text", "more", "measured"),
    [
        (HEADER + "a,Mass,16,32,8,16\n", (), "each film's file"),
        (HEADER + "films/a.png,Mass,0.25,0.5,0.125,0.25\n", (), "in fractions"),
        ("Image ID;class_name;x_min;y_min;x_max;y_max\na;Mass;16,0;32,0;24,0;48,0\n", (), "each film's file"),
        (
            "Image Index,Finding Label,Bbox [x,y,w,h],,,\na.png,Mass,256.0,512.0,128.0,256.0,,,\n",
            ("--film-size", "1024x1024"),
            "1024 x 1024",
        ),
        ("film,label,x1,y1,x2,y2\na,Mass,16,32,24,48\n", ("--id-column", "film"), "each film's file"),
    ],
)
def test_tables_of_every_form_give_the_same_box(
    tmp_path: Path, cohort: Folder, text: str, more: tuple[str, ...], measured: str, wording: Wording
) -> None:
    done = added(tmp_path, text, *more)
    assert done.exit_code == 0, done.stdout + done.stderr
    assert measured in done.stdout
    wording(line_with(done.stdout, measured))
    assert stored(cohort) == [("a", "Mass", WHERE)]
    check_cohort(cohort)


def test_what_cannot_be_used_is_counted_and_named(tmp_path: Path, cohort: Folder, wording: Wording) -> None:
    text = (
        "a,Mass,16,32,8,16\nb,Cavern,0,0,64,64\nx,Mass,1,1,2,2\na,Mas,1,1,2,2\na,Mass,60,1,8,8\na,Mass,-1,1,8,8\n"
        "a,Mass,1,1,0,8\na,Mass,1,1,two,8\na,Normal,1,1,2,2\nb,Mass,1,1,2,2\nc,No Finding,,,,\n"
    )
    done = added(tmp_path, HEADER + text)
    assert done.exit_code == 1
    wording(line_with(done.stderr, "7 of 10 boxes"))
    for facts in (
        ("mine: 3 on 2 films",),
        ("Mass 2, Cavern 1",),
        (" 1 ('x')",),
        (" 2 (\"a: 'Mas'", "Mass?"),
        (" 1 ('a: ", "68, 9 of 64 x 64"),
        (" 3 ('a: ", "-1, 1, 8, 8"),
        ("without a box", ": 1"),
        (": 1 ('Mass on b')",),
    ):
        wording(line_with(done.stdout, *facts))
    assert "line,image,reason" in (cohort.path / "rejected-boxes.csv").read_text()
    assert run("ingest", "boxes", str(tmp_path / "boxes.csv"), "--cohort", "mine").exit_code == 2, "there are some"
    assert added(tmp_path, HEADER + text, "--replace", "--accept-rejects").exit_code == 0


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        (HEADER + "x,Mass,1,1,2,2\n", 1, "No box of"),
        ("image,finding,x,y\na,Mass,1,1\n", 2, "column for width, height"),
    ],
)
def test_a_table_without_a_usable_box_changes_nothing(
    tmp_path: Path, cohort: Folder, text: str, code: int, why: str, wording: Wording
) -> None:
    done = added(tmp_path, text)
    assert done.exit_code == code and why in " ".join(done.stderr.split())
    wording(" ".join(done.stderr.split()))
    assert not cohort.boxes.exists()


def test_a_film_that_is_shown_turned_takes_fractions_alone(tmp_path: Path, cohort: Folder, wording: Wording) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    pixels = np.random.default_rng(9).integers(0, 256, (SIDE, SIDE), np.uint8)
    Image.fromarray(pixels).save(tmp_path / "films" / "a.png", exif=exif)
    done = added(tmp_path, HEADER + "a,Mass,16,32,8,16\n")
    assert done.exit_code == 1
    wording(done.stderr, "1 ('a: ", "fractions")
    assert added(tmp_path, HEADER + "a,Mass,.25,.5,.125,.25\n").exit_code == 0


def test_an_open_page_sees_them_and_labels_stay(tmp_path: Path, cohort: Folder) -> None:
    store = Store()
    before = pq.read_table(cohort.labels)
    for word in ("Mass", "Nodule"):
        assert added(tmp_path, f"{HEADER}a,{word},16,32,8,16\n", "--drawn-by", "me", "--replace").exit_code == 0
        store.look("mine")
        case = store.case("mine", "a")
        assert case is not None and [(box.finding, box.source) for box in case.boxes] == [(word, "me")]
    assert pq.read_table(cohort.labels).equals(before)
    store.close()


def test_shipped_cohorts_take_none(tmp_path: Path, wording: Wording) -> None:
    table = written(tmp_path / "boxes.csv", HEADER + "a,Mass,1,1,2,2\n")
    done = run("ingest", "boxes", str(table), "--cohort", "nih-oof")
    assert done.exit_code == 2
    wording(line_with(done.stderr, "'nih-oof'"))


@pytest.mark.slow
def test_boxes_of_made_films_are_what_localize_measures_by(tmp_path: Path) -> None:
    """From a folder of films over their scores to the maps: boxes around the simulator's masks."""
    cases = pq.read_table(CACHE / "phantom" / "cases.parquet", columns=["file"])["file"].to_pylist()
    boxes = [HEADER]
    for number, file in enumerate(cases[:40]):
        made = RENDER_HERE.of(file)
        for finding in ("Pleural Effusion", "Cardiomegaly", "Pneumothorax", "Mass"):
            mask = made.masks.get(finding)
            if mask is not None and mask.any():
                height, width = mask.shape
                rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
                corner = columns[0] / width, rows[0] / height
                sides = len(columns) / width, len(rows) / height
                boxes.append(f"{number}.png,{finding},{','.join(map(str, (*corner, *sides)))}\n")
                written(tmp_path / "films" / f"{number}.png", made.png)
    assert len(boxes) > 4
    assert run("ingest", "folder", str(tmp_path / "films"), "--out", "mine").exit_code == 0
    assert run("score", "--cohort", "mine", "--model", "phantom").exit_code == 0
    before = run("localize", "--cohort", "mine", "--model", "phantom")
    assert before.exit_code == 2 and "ingest boxes" in before.stderr
    assert added(tmp_path, "".join(boxes)).exit_code == 0
    assert cohort_folder("mine").models() == ("phantom",)
    done = run("localize", "--cohort", "mine", "--model", "phantom", "--out", str(tmp_path / "maps.csv"))
    assert done.exit_code == 0, done.stderr
    assert "Pleural Effusion" in (tmp_path / "maps.csv").read_text(encoding="utf-8")
