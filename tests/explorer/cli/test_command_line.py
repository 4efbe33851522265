"""`python -m explorer` as a process: help, exit codes, streams, start-up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.explorer.cli.command import LABELS, SCORES, files, run
from tests.support.wording import Wording, line_with

ROOT = Path(__file__).parents[3]


def process(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "explorer", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_a_table_goes_to_stdout_and_nothing_else_does(tmp_path: Path, wording: Wording) -> None:
    done = process("evaluate", *files(tmp_path), "--resamples", "5", "--format", "csv", "--center-column", "center")
    assert done.returncode == 0
    assert done.stdout.startswith("center,level,name,")
    wording(done.stderr, "labels.csv", "'patient'")  # and no progress bar


def test_a_missed_check_ends_with_1_and_wrong_input_with_2(tmp_path: Path, wording: Wording) -> None:
    missed = process("evaluate", *files(tmp_path, scores=SCORES.replace("0.9", "9")))
    assert (missed.returncode, missed.stdout) == (1, "")
    wording(line_with(missed.stderr, "scores.csv, line 7", "'a'", "Mass"))
    assert missed.stderr.startswith("1 problem")
    wrong = process("evaluate", *files(tmp_path, LABELS)[:2], "--scores", str(tmp_path / "no\udcff.csv"))
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Traceback" not in wrong.stderr and "cannot be read" in wrong.stderr


def test_help_takes_less_than_a_second_of_a_processor() -> None:
    def used() -> float:  # by processes that ended: a busy machine takes longer, but computes no more
        times = os.times()
        return times.children_user + times.children_system

    start = used()
    done = process("--help")
    assert done.returncode == 0
    assert used() - start < 1


def test_help_needs_none_of_the_slow_packages() -> None:
    code = (
        "import sys, explorer.cli.app; slow = 'rich', 'pandas', 'sklearn', 'scipy', 'pyarrow', 'pydicom', 'duckdb';"
        "print([name for name in slow if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("command", ["evaluate", "check"])
def test_help_has_examples_and_exit_codes(command: str, wording: Wording) -> None:
    text = run(command, "--help").stdout
    wording(line_with(text, command, "--labels labels.csv --scores", "scores.csv"))
    assert all(f"\n    {code}  " in text for code in (0, 1, 2))
    assert command in run("--help").stdout


def test_a_reader_that_stops_is_no_traceback(tmp_path: Path) -> None:
    words = " ".join(("-m", "explorer", "evaluate", *files(tmp_path), "--resamples", "5"))
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} {words} | true"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr


def test_a_name_that_the_terminal_cannot_write_is_no_failure(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "explorer", "evaluate", *files(tmp_path, LABELS.replace("north", "東京"))]
    done = subprocess.run(
        [*command, "--resamples", "5", "--center-column", "center"],
        cwd=ROOT,
        capture_output=True,
        env={"PYTHONIOENCODING": "latin-1"},
        check=False,
    )
    assert done.returncode == 0
    assert b"Center \\u6771\\u4eac:" in done.stdout


@pytest.mark.parametrize("command", [("evaluate", "--resamples", "5"), ("check",)], ids=lambda words: words[0])
def test_a_full_disk_behind_standard_output_ends_with_2(
    tmp_path: Path, command: tuple[str, ...], wording: Wording
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "explorer", *command, *files(tmp_path)],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    wording(line_with(done.stderr, "Standard output"))
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


def test_a_mistake_of_ours_is_no_missed_check(wording: Wording) -> None:
    code = (
        "import explorer.cli.app as cli\n"
        "@cli.app.command()\n"
        "def broken() -> None:\n"
        "    raise KeyError('surprise')\n"
        "cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code, "broken"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert "Traceback" not in done.stderr
    wording(done.stderr, "Tailscope", "KeyError in <string>, line 4: 'surprise'", "report")
