"""An import that had to reject more than 5 % makes the cohort, says so in red, and ends with 1."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.cohorts import layout
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import film, written
from tests.support.wording import Wording, line_with

RED = "\x1b[31m"


def csv_words(folder: Path, wrong: int, of: int) -> list[str]:
    """A table of so many rows, so many of them with a cell that is no label."""
    lines = [f"f{number},{'yes' if number < wrong else number % 2}\n" for number in range(of)]
    table = written(folder / "T.csv", f"id,Mass\n{''.join(lines)}")
    columns = written(folder / "map.toml", 'image_id = "id"\n')
    return ["ingest", "csv", "--table", str(table), "--columns", str(columns), "--out", "mine", "--replace"]


@pytest.mark.parametrize(("wrong", "of", "code"), [(0, 20, 0), (1, 20, 0), (2, 39, 1), (6, 100, 1)])
def test_five_percent_are_tolerated(
    home: Path, tmp_path: Path, wrong: int, of: int, code: int, wording: Wording
) -> None:
    words = csv_words(tmp_path, wrong, of)
    done = run(*words)
    assert done.exit_code == code
    assert f"Cohort mine: {of - wrong} films of {of}" in done.stdout
    assert ("more than 5 %" in done.stderr) == bool(code)
    if code:
        wording(line_with(done.stderr, f"{wrong} of {of} rows"))
    assert layout.cohort_folder("mine").manifest.is_file()
    accepted = run(*words, "--accept-rejects")
    assert accepted.exit_code == 0 and "more than" not in accepted.stderr


def test_a_folder_and_nih_too(home: Path, tmp_path: Path) -> None:
    written(tmp_path / "a.png", film(1))
    written(tmp_path / "b.png", film(1))
    assert run("ingest", "folder", str(tmp_path), "--out", "films").exit_code == 1
    assert run("ingest", "folder", str(tmp_path), "--out", "films", "--replace", "--accept-rejects").exit_code == 0
    table = "file,image_id,patient_id,findings\na.png,a,1,Mass\nnone.png,b,2,Mass\n"
    written(tmp_path / "labels.csv", table)
    assert run("ingest", "nih", "--root", str(tmp_path)).exit_code == 1
    assert run("ingest", "nih", "--root", str(tmp_path), "--replace", "--accept-rejects").exit_code == 0


def test_scores_of_no_case_too(home: Path, tmp_path: Path, wording: Wording) -> None:
    run(*csv_words(tmp_path, 0, 20))
    lines = "".join(f"{name},0.5\n" for name in ("f1", "f2", "stranger"))
    scores = str(written(tmp_path / "S.csv", f"image_id,Mass\n{lines}"))
    words = ("ingest", "predictions", scores, "--model", "ours", "--cohort", "mine")
    done = run(*words)
    assert done.exit_code == 1
    wording(line_with(done.stderr, "1 of 3 rows"))
    assert layout.cohort_folder("mine").models() == ("ours",)
    assert run(*words, "--replace", "--accept-rejects").exit_code == 0


def on_a_terminal(words: list[str], **variables: str) -> tuple[int, str]:
    """A command with standard error on a terminal: its exit code and what the terminal got."""
    ours, theirs = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    command = [sys.executable, "-m", "explorer", *words]
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=theirs, env=clean | {"TERM": "xterm"} | variables, timeout=120
    )
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:
        pass  # the terminal's other end is closed
    os.close(ours)
    return done.returncode, said.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variables", "red"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)]
)
def test_red_is_for_terminals_that_want_it(
    home: Path, tmp_path: Path, variables: dict[str, str], red: bool, wording: Wording
) -> None:
    code, said = on_a_terminal(csv_words(tmp_path, 2, 4), **variables)
    assert code == 1
    wording(line_with(said, "2 of 4 rows"))
    assert (RED in said) == red


def test_no_color_where_standard_error_is_a_file(home: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "explorer", *csv_words(tmp_path, 2, 4)]
    done = subprocess.run(command, capture_output=True, timeout=120)
    assert done.returncode == 1 and b"were rejected" in done.stderr and b"\x1b" not in done.stderr
