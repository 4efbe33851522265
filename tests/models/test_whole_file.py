"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from models.whole_file import PARTIAL_SUFFIX, atomic_write, check_writable
from tests.support.full_disk import full_disk


def test_a_file_takes_its_place_when_the_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "new" / "a.txt"
    with atomic_write(target) as partial:
        partial.write_text("one")
        assert not target.exists() and partial.parent == target.parent and partial.name.startswith(".")
    assert target.read_text() == "one"
    assert [path.name for path in target.parent.iterdir()] == ["a.txt"]


def test_a_block_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("one")
    with pytest.raises(RuntimeError), atomic_write(target) as partial:
        partial.write_text("two")
        raise RuntimeError
    assert target.read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_block_that_writes_nothing_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_write(tmp_path / "a.txt"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_goes_with_the_next_write(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = {number: tmp_path / f".a.txt.{number}{PARTIAL_SUFFIX}" for number in (ended.pid, os.getppid())}
    others = [tmp_path / f".b.txt.{ended.pid}{PARTIAL_SUFFIX}", tmp_path / f".a.txt.x{PARTIAL_SUFFIX}"]
    for path in (*names.values(), *others):
        path.write_text("half")
    with atomic_write(tmp_path / "a.txt") as partial:
        partial.write_text("one")
    assert names[ended.pid].exists()  # it may be of another machine, where its process writes on
    for path in (*names.values(), *others):
        os.utime(path, (0, 0))
    with atomic_write(tmp_path / "a.txt") as partial:
        partial.write_text("two")
    assert not names[ended.pid].exists() and names[os.getppid()].exists() and all(each.exists() for each in others)


def test_a_folder_that_takes_no_file_is_found_out_beforehand(tmp_path: Path) -> None:
    check_writable(tmp_path / "new")
    assert not list((tmp_path / "new").iterdir())
    with full_disk(), pytest.raises(OSError, match="too large"):
        check_writable(tmp_path / "new")
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="exists"):
        check_writable(tmp_path / "file")
