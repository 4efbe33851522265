"""What is written is written whole, and never over something that it should not replace."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from explorer.cli.output import write_result
from explorer.tabular.problems import WrongInput
from tests.explorer.cli.command import files, run
from tests.support.full_disk import full_disk
from tests.support.wording import Wording, line_with

QUICK = ("--resamples", "5")


def test_a_file_holds_what_standard_output_would_show(tmp_path: Path) -> None:
    options = files(tmp_path)
    shown = run("evaluate", *options, *QUICK, "--format", "markdown").stdout
    out = tmp_path / "table.md"
    out.write_text("old")
    result = run("evaluate", *options, *QUICK, "--format", "markdown", "--out", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text(encoding="utf-8") == shown
    assert {path.name for path in tmp_path.iterdir()} == {"labels.csv", "scores.csv", "table.md"}


def test_a_link_is_followed_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_result("text", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "text"


def test_a_file_is_readable_for_others_as_the_umask_says(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write_result("text", tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize(
    ("out", "told"),
    [
        ("", "is not a file"),
        ("no/table.md", "/no "),
        ("labels.csv", "labels.csv"),
        ("scores.csv", "scores.csv"),
        ("x" * 300, "File name too long"),
        ("circle", "circle is a link"),
    ],
)
def test_a_place_that_cannot_be_written_ends_with_2_before_anything_is_computed(
    tmp_path: Path, out: str, told: str, wording: Wording
) -> None:
    options = files(tmp_path, scores="not read")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    result = run("evaluate", *options, "--out", str(tmp_path / out))
    assert (result.exit_code, told in result.stderr) == (2, True)
    wording(line_with(result.stderr, told))
    assert (tmp_path / "scores.csv").read_text() == "not read"


def test_a_device_is_not_replaced(tmp_path: Path) -> None:
    assert run("evaluate", *files(tmp_path), "--out", "/dev/null").exit_code == 2
    assert not Path("/dev/null").is_file()


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inside").mkdir(parents=True)
    with pytest.raises(WrongInput, match="cannot be written"):
        write_result("text", folder)  # a folder that is not empty cannot be renamed over
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("command", ["evaluate", "where-it-fails"])
def test_a_full_disk_is_said_before_anything_is_computed(command: str, tmp_path: Path, wording: Wording) -> None:
    with full_disk(), patch("explorer.store.store.Store.__init__", side_effect=AssertionError("computed")):
        done = run(command, "--cohort", "phantom", "--model", "phantom", "--out", str(tmp_path / "T.csv"))
    assert done.exit_code == 2
    wording(line_with(done.stderr, "T.csv"))
