"""What imports of one's own tables say of the likely mistakes is what `docs/tables.md` prints."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import pytest

from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import film, written

DOCS = Path(__file__).parents[3] / "docs" / "tables.md"
HEADING = "| import | mistake | what the command says |"
CAPITALS = re.compile(r"\b(TABLE|MAP|SCORES|FOLDER|NAMES|COHORT|COUNT)\b")

TABLE = "id,Mass,Nodule\na,1,0\nb,0,1\n"
SCORES = "id,Mass,Nodule\na,0.5,0.2\nb,0.1,0.9\n"
MAP = 'image_id = "id"\n'


def said_in_docs() -> dict[tuple[str, str], str]:
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    rows = takewhile(lambda line: line.startswith("|"), lines[lines.index(HEADING) + 2 :])
    cells = (line.strip("| ").split(" | ") for line in rows)
    return {(command.strip("`"), mistake): message.strip() for command, mistake, message in cells}


SAID = said_in_docs()
# A mistake -> the files that are otherwise, and the words after the command, where they are.
Spoilt = tuple[dict[str, str | bytes], dict[str, str]]
MISTAKES: dict[tuple[str, str], Spoilt] = {
    ("csv", "the table is misspelled"): ({}, {"--table": "none.csv"}),
    ("csv", "a spreadsheet is given"): ({"T.csv": b"PK\x03\x04"}, {}),
    ("csv", "the table is in Latin-1"): ({"T.csv": "id,Mass\nä,1\n".encode("latin-1")}, {}),
    ("csv", "`map.toml` is not TOML"): ({"map.toml": 'image_id = "id\n'}, {}),
    ("csv", "`map.toml` does not name the image column"): ({"map.toml": 'file = "id"\n'}, {}),
    ("csv", "a word in `map.toml` is misspelled"): ({"map.toml": MAP + 'findngs = ["ILD"]\n'}, {}),
    ("csv", "`map.toml` names a column that the table lacks"): ({"map.toml": 'image_id = "image"\n'}, {}),
    ("csv", "the films have other names"): ({"T.csv": "id,Mass\nx1,1\n"}, {}),
    ("csv", "two films have the same name"): ({"T.csv": "id,Mass\na,1\n", "films/x/a.png": film(2)}, {}),
    ("csv", "the films are still packed"): (
        {"films/a.png": b"", "films/b.png": b"", "films/films.zip": b"PK\x03\x04"},
        {},
    ),
    ("csv", "a column is an unlisted finding"): ({"T.csv": "id,Kavern\na,1\nb,0\n"}, {}),
    ("csv", "labels are unknown words"): ({"T.csv": "id,Mass\na,1\nb,maybe\n"}, {}),
    ("csv", "the cohort name is taken"): ({}, {"--out": "mine"}),
    ("predictions", "the cohort does not exist"): ({}, {"--cohort": "mime"}),
    ("predictions", "the images belong to another cohort"): ({"S.csv": "id,Mass\nx1,0.5\nx2,0.5\n"}, {}),
    ("predictions", "the image column has another name"): ({"S.csv": SCORES.replace("id", "image")}, {}),
    ("predictions", "logits"): ({"S.csv": "id,Mass\na,-3.5\nb,2.5\n"}, {}),
    ("predictions", "percentages"): ({"S.csv": "id,Mass\na,50\nb,70\n"}, {}),
    ("predictions", "two columns for one finding"): ({"S.csv": "id,Effusion,Pleural_Effusion\na,0.5,0.2\n"}, {}),
    ("predictions", "no column is a known finding"): ({"S.csv": "id,Kavern\na,0.5\n"}, {}),
    ("predictions", "an image appears twice"): ({"S.csv": SCORES + "a,0.5,0.5\n"}, {}),
    ("predictions", "a score is missing"): ({"S.csv": "id,Mass\na,0.5\nb,\n"}, {}),
    ("predictions", "a spreadsheet rounded the ids"): ({"S.csv": "id,Mass\n1.2E+17,0.5\n"}, {}),
    ("folder", "the folder is misspelled"): ({}, {"": "none"}),
    ("folder", "a ZIP is given"): ({"films.zip": b"PK\x03\x04"}, {"": "films.zip"}),
    ("folder", "the films are still packed"): ({"packed/films.zip": b"PK\x03\x04"}, {"": "packed"}),
    ("folder", "the folder has no film"): ({"notes/a.txt": "call back"}, {"": "notes"}),
}


@pytest.fixture
def place(home: Path, tmp_path: Path) -> Path:
    for name, content in {"T.csv": TABLE, "S.csv": SCORES, "map.toml": MAP}.items():
        written(tmp_path / name, content)
    for seed, name in enumerate("ab"):
        written(tmp_path / "films" / f"{name}.png", film(seed))
    return tmp_path


def words_of(command: str, place: Path) -> dict[str, str]:
    return {
        "csv": {"--table": "T.csv", "--columns": "map.toml", "--images": "films", "--out": "another"},
        "predictions": {"": "S.csv", "--cohort": "mine", "--model": "ours", "--id-column": "id"},
        "folder": {"": "films", "--out": "another"},
    }[command]


def test_every_documented_mistake_is_tried() -> None:
    assert set(SAID) == set(MISTAKES)
    assert all(sum(each == command for each, _ in SAID) >= few for command, few in (("csv", 10), ("predictions", 10)))


@pytest.mark.parametrize(("command", "mistake"), MISTAKES)
def test_what_is_said(place: Path, monkeypatch: pytest.MonkeyPatch, command: str, mistake: str) -> None:
    monkeypatch.chdir(place)
    if command == "predictions" or "taken" in mistake:
        assert run("ingest", "csv", "--table", "T.csv", "--columns", "map.toml", "--out", "mine").exit_code == 0
    files, changes = MISTAKES[command, mistake]
    for name, content in files.items():
        written(place / name, content)
        if not content:
            (place / name).unlink()
    words = words_of(command, place) | changes
    done = run("ingest", command, *(each for pair in words.items() for each in pair if each))
    said = " ".join((done.stdout + done.stderr).split())
    message = CAPITALS.sub("(.+?)", re.escape(SAID[command, mistake]).replace(re.escape("..."), "(.+?)"))
    assert re.search(message, said), f"{said}\n{message}"
