"""`python -m explorer ingest`: its words, its options, how it ends."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from explorer.cohorts import layout
from explorer.cohorts.manifest import read_model_manifest
from explorer.ingest.example import MAP_TOML_EXAMPLE
from explorer.ingest.rejects import RejectReason
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import film, written
from tests.support.wording import Wording, line_with

COMMANDS = ("csv", "nih", "folder", "predictions")


@pytest.fixture
def table(home: Path, tmp_path: Path) -> list[str]:
    """Options of a table of two films, one of which is there."""
    written(tmp_path / "films" / "a.png", film(1))
    table = written(tmp_path / "T.csv", "id,Mass\na,1\nb,0\n")
    columns = written(tmp_path / "map.toml", 'image_id = "id"\n')
    return ["--table", str(table), "--columns", str(columns), "--out", "mine", "--images", str(tmp_path / "films")]


def test_help_lists_the_commands() -> None:
    assert "ingest" in run("--help").stdout
    listed = run("ingest", "--help").stdout
    assert all(f"\n  {command} " in listed for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str) -> None:
    assert f"python -m explorer ingest {command} " in run("ingest", command, "--help").stdout


def test_help_shows_a_map_that_can_be_used() -> None:
    text = run("ingest", "csv", "--help").stdout
    lines, tables = map(str.strip, text.splitlines()), ("[words]", "[values.", "[relations]")
    shown = [line for line in lines if " = " in line or line.startswith(tables)]
    assert tomllib.loads("\n".join(shown)) == tomllib.loads(MAP_TOML_EXAMPLE)
    assert all(f"\n    {code}  " in text for code in (0, 1, 2))
    assert "--accept-rejects" in text and "--reject-all-zero" in text


def test_a_table_becomes_a_cohort(table: list[str]) -> None:
    done = run("ingest", "csv", *table, "--accept-rejects")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Cohort mine: 1 film of 2")
    assert "  rejected  no such image 1\n" in done.stdout
    assert "2 of 2 films looked at" in done.stderr and "left" in done.stderr
    assert layout.cohort_folder("mine").rejects.read_text() == f"line,image,reason\n3,b,{RejectReason.MISSING}: b\n"


def test_a_home_that_is_no_folder_is_told_and_is_no_mistake_of_ours(
    table: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv(layout.HOME_VARIABLE, str(written(tmp_path / "letter", "Dear colleague")))
    done = run("ingest", "csv", *table)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "letter" in done.stderr
    wording(line_with(done.stderr, "or written"))


def test_a_name_that_is_taken_ends_with_2(table: list[str], wording: Wording) -> None:
    assert run("ingest", "csv", *table, "--accept-rejects").exit_code == 0
    again = run("ingest", "csv", *table, "--accept-rejects")
    assert (again.exit_code, again.stdout) == (2, "")
    wording(line_with(again.stderr, "'mine'"))
    assert run("ingest", "csv", *table, "--replace", "--accept-rejects").exit_code == 0


def test_a_taken_name_is_told_before_the_table_is_read(table: list[str]) -> None:
    run("ingest", "csv", *table)
    Path(table[1]).unlink()
    assert "already" in run("ingest", "csv", *table).stderr


def test_nothing_left_ends_with_1(table: list[str], tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "films" / "a.png").unlink()
    done = run("ingest", "csv", *table)
    assert (done.exit_code, done.stdout) == (1, "")
    wording(line_with(done.stderr, f"{RejectReason.MISSING} 2"))


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--out", "Mine", "valid name"),
        ("--out", "nih-oof", "is a shipped cohort"),
        ("--table", "none.csv", "cannot be read"),
        ("--columns", "none.toml", "cannot be read"),
        ("--images", "none", "does not exist"),
        ("--blank", "zero", "'zero'"),
    ],
)
def test_wrong_input_ends_with_2(table: list[str], option: str, value: str, words: str, wording: Wording) -> None:
    done = run("ingest", "csv", *table, option, value)
    assert done.exit_code == 2
    assert words in done.stderr
    wording(line_with(done.stderr, words))


def test_a_folder_and_nih(home: Path, tmp_path: Path, wording: Wording) -> None:
    written(tmp_path / "films" / "a.png", film(1))
    done = run("ingest", "folder", str(tmp_path / "films"), "--out", "films", "--center", "Köln")
    assert done.exit_code == 0
    wording(line_with(done.stdout, "labels", "none"))
    assert run("ingest", "nih", "--root", str(tmp_path)).exit_code == 2
    written(
        tmp_path / "films" / "labels.csv", "file,image_id,patient_id,findings,view,sex,age\na.png,a,1,Mass,PA,F,3\n"
    )
    assert run("ingest", "nih", "--root", str(tmp_path / "films")).exit_code == 0
    assert [folder.name for folder in layout.cohort_folders()][-2:] == ["films", "nih"]


def test_scores_into_a_cohort_and_as_one(table: list[str], tmp_path: Path, wording: Wording) -> None:
    run("ingest", "csv", *table)
    scores = str(written(tmp_path / "S.csv", "image_id,Mass\na,0.4\nb,0.6\n"))
    there = ("--cohort", "mine", "--threshold", "0.3", "--accept-rejects")
    done = run("ingest", "predictions", scores, "--model", "ours", *there)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Scores of ours: 1 film, 1 finding\n")
    wording(line_with(done.stdout, "thresholds", "0.3"))
    wording(line_with(done.stdout, "1 image", layout.cohort_folder("mine").failures("ours")))
    truth = str(written(tmp_path / "L.csv", "image_id,where,Mass\na,x,1\nb,y,\n"))
    new = ("--model", "ours", "--labels", truth, "--out", "new", "--center-column", "where")
    twice = run("ingest", "predictions", scores, *new, "--in-sample", "x", "--internal", "x")
    assert twice.exit_code == 2 and "'x' is named twice" in twice.stderr
    done = run("ingest", "predictions", scores, *new, "--in-sample", "x", "--external", "y")
    assert done.exit_code == 0, done.stderr
    manifest = read_model_manifest(layout.cohort_folder("new").model("ours"))
    assert manifest.origins == {"x": "in-sample", "y": "external"}
    assert "Cohort new: 2 films of 2" in done.stdout and "Scores of ours: 2 films" in done.stdout


@pytest.mark.parametrize(
    "words", [[], ["--cohort", "a", "--labels", "b", "--out", "c"], ["--labels", "b"], ["--cohort", "a", "--out", "c"]]
)
def test_scores_need_one_place_to_go(home: Path, tmp_path: Path, words: list[str], wording: Wording) -> None:
    scores = str(written(tmp_path / "S.csv", "image_id,Mass\na,0.4\n"))
    done = run("ingest", "predictions", scores, "--model", "ours", *words)
    assert done.exit_code == 2
    wording(line_with(done.stderr, "--cohort", "--labels", "--out"))
