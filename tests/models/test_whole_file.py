"""Files that are there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.whole_file import replaced


def test_a_file_takes_its_place_when_the_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "new" / "a.txt"
    with replaced(target) as partial:
        partial.write_text("one")
        assert not target.exists() and partial.parent == target.parent and partial.name.startswith(".")
    assert target.read_text() == "one"
    assert [path.name for path in target.parent.iterdir()] == ["a.txt"]


def test_a_block_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("one")
    with pytest.raises(RuntimeError), replaced(target) as partial:
        partial.write_text("two")
        raise RuntimeError
    assert target.read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_block_that_writes_nothing_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), replaced(tmp_path / "a.txt"):
        pass
    assert list(tmp_path.iterdir()) == []
