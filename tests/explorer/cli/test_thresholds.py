"""`thresholds` on the shipped phantom: chosen, shown, taken back, written, read again; and words for what cannot be."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.explorer.cli.command import run
from tests.support.wording import Wording, line_with

ORDER = ("thresholds", "--cohort", "phantom", "--model", "phantom")
BOARD = ("evaluate", "--cohort", "phantom", "--model", "phantom", "--resamples", "2", "--format", "json")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.slow
def test_from_a_rule_to_the_board_and_back(tmp_path: Path, home: Path, wording: Wording) -> None:
    shown = run(*ORDER)
    assert shown.exit_code == 0, shown.stderr
    wording(line_with(shown.stdout, "Thresholds:", "Youden"))
    assert not kept(home)  # showing keeps nothing
    file = tmp_path / "points.csv"
    chosen = run(*ORDER, "--rule", "youden", "--on", "center=A", "--out", str(file))
    assert chosen.exit_code == 0, chosen.stderr
    wording(line_with(chosen.stdout, "Thresholds:", "Youden", "1,100 films"))
    wording(line_with(chosen.stdout, "Rates", "in-sample"))
    assert kept(home) == ["phantom.parquet"]
    again = run(*ORDER)
    assert again.stdout == chosen.stdout
    board = run(*BOARD)
    wording(line_with(board.stdout, "In-sample", "1,100 films"))
    assert "In-sample" not in run(*BOARD, "--where", "center=B").stdout
    assert run(*ORDER, "--reset").stdout == shown.stdout
    assert not kept(home)
    given = run(*BOARD, "--operating-points", str(file))
    wording(line_with(given.stdout, "Thresholds of phantom", "points.csv"))
    wrong = run(*BOARD, "--operating-points", str(file), "--where", "outcome=miss")
    assert wrong.exit_code == 2
    wording(line_with(wrong.stderr, "--operating-points"))
    assert figures(given.stdout) == figures(board.stdout) != figures(run(*BOARD).stdout)


def kept(home: Path) -> list[str]:
    """The files there, but for prepared ones."""
    return [path.name for path in home.rglob("*") if path.is_file() and "prepared" not in path.parts]


def figures(text: str) -> list[str]:
    """The lines with numbers: all but the sentences."""
    return [line for line in text.splitlines() if "thresholds" not in line.lower()]


def test_the_file_has_every_threshold_as_it_is(tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "points.csv"
    done = run(*ORDER, "--by-hand", "mass = 0.123456789012, Goiter=0.5", "--out", str(file))
    assert done.exit_code == 2 and not file.exists()
    wording(line_with(done.stderr, "'Goiter'"))
    done = run(*ORDER, "--by-hand", "mass = 0.123456789012", "--out", str(file))
    assert done.exit_code == 0, done.stderr
    wording(line_with(done.stdout, "Mass"))
    with file.open(newline="") as text:
        rows = {row["finding"]: row for row in csv.DictReader(text)}
    assert len(rows) == 30
    assert float(rows["Mass"]["threshold"]) == 0.123456789012 and rows["Mass"]["by_hand"] == "1"
    assert rows["Nodule"]["by_hand"] == "0" and rows["Nodule"]["split"] == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rule", "youden", "--on", "fold"), "folds"),
        (("--rule", "youden", "--on", "center=C"), "film has center=C"),
        (("--rule", "best"), "'best'"),
        (("--on", "center=A"), "Name the rule too"),
        (("--reset", "--rule", "f1"), "Leave the other options"),
        (("--by-hand", "Mass"), "'Mass'"),
        (("--by-hand", "Mass=.1,mass=.2"), "Mass is given"),
        (("--by-hand", "Mass=2"), "from 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    home: Path, words: tuple[str, ...], said: str, wording: Wording
) -> None:
    done = run(*ORDER, *words)
    assert done.exit_code == 2
    assert said in done.stderr
    wording(line_with(done.stderr, said))
    assert not home.exists()


def test_each_fold_by_the_others(wording: Wording) -> None:
    done = run("thresholds", "--cohort", "nih-oof", "--model", "nih-mini", "--rule", "f1", "--on", "fold")
    wording(line_with(done.stdout, "Thresholds:", "F1", "1,650 films"))
    wording(line_with(done.stdout, "Rates", "cross-fitted"))


def test_a_file_is_of_one_model(tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "points.csv"
    file.write_text("finding,threshold\nMass,0.5\n")
    done = run(*BOARD, "--model", "phantom-vlm", "--operating-points", str(file))
    assert done.exit_code == 2
    wording(line_with(done.stderr, "of thresholds"))


def test_thresholds_are_carried_from_one_split_to_another(wording: Wording) -> None:
    order = ("thresholds", "--cohort", "nih-oof", "--model", "nih-mini", "--rule", "youden", "--from", "split=fold 1")
    unclear = run(*order)
    assert unclear.exit_code == 2
    wording(line_with(unclear.stderr, "other splits"))
    done = run(*order, "--to", "split=fold 2")
    assert done.exit_code == 0, done.stderr
    wording(line_with(done.stdout, "out of sample", "fold 2", "337 films"))
    board = run("evaluate", "--cohort", "nih-oof", "--model", "nih-mini", "--resamples", "2", "--where", "split=fold 2")
    assert "In-sample" not in board.stdout and "split fold 1 (337 films)" in board.stdout
    other = run("thresholds", "--cohort", "phantom", "--model", "phantom", "--from", "nih-oof")
    assert other.exit_code == 2 and "'phantom' has not scored nih-oof" in other.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--from", "split=val", "--on", "center=A"), "--from"), (("--to", "split=test"), "--to")],
)
def test_options_that_contradict_from_are_refused(words: tuple[str, ...], said: str) -> None:
    done = run(*ORDER, "--rule", "youden", *words)
    assert done.exit_code == 2 and said in done.stderr
