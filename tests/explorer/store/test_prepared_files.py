"""Prepared files: written once, made anew when they are damaged or gone, and never in the way of an answer."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.cohorts.layout import Folder
from explorer.core.uncertainty import Policy
from explorer.store.files_written_apart import FilesWrittenApart
from explorer.store.prepared import file_place
from explorer.store.prepared.file_place import PreparedFiles
from explorer.store.results import Count, StoreError
from explorer.store.slices import Slice
from explorer.store.store import Store
from models.whole_file import PARTIAL_SUFFIX
from tests.explorer.store.made_up import ONE, rows_of
from tests.support.brute_force import NAME, Rows

ROOT = Path(__file__).parents[3]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "prepared"


def opened(folder: Folder, place: Path) -> Store:
    return Store(lambda: [folder], prepared=place)


def files(place: Path) -> list[Path]:
    return sorted(place.glob("*/*.duckdb"))


def test_a_second_start_opens_what_the_first_has_written(
    folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened(folder, place)
    assert first.count(ONE) == Count(10, 5)
    first.close()
    assert [file.name.split("-")[0] for file in files(place)] == ["films", "model"]
    monkeypatch.setattr(file_place, "write_pairs", lambda *arguments: pytest.fail("written again"))
    assert opened(folder, place).count(ONE) == Count(10, 5)


def test_a_new_version_takes_the_place_of_the_old_one(folder: Folder, place: Path) -> None:
    store = opened(folder, place)
    store.count(ONE)
    before = files(place)
    rows_of(3, ("Mass",)).write(folder.path.parent)
    store.look(NAME)
    assert store.count(ONE) == Count(3, 3)
    assert len(files(place)) == len(before)
    assert not set(files(place)) & set(before)


def test_what_is_deleted_costs_time_and_nothing_else(folder: Folder, place: Path) -> None:
    first = opened(folder, place)
    first.count(ONE)
    for file in files(place):
        file.unlink()
    assert first.count(ONE) == Count(10, 5)
    assert opened(folder, place).count(ONE) == Count(10, 5)


def test_films_that_another_process_replaced_meanwhile_are_written_again(
    folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, gone = PreparedFiles.write_pairs, list[Path]()

    def after_it(self: PreparedFiles, folder: Folder, model: str, films: str, version: str, uncertain: Policy) -> None:
        if not gone:
            gone.append(self.films(folder, films))
            gone[0].unlink()
        write(self, folder, model, films, version, uncertain)

    monkeypatch.setattr(FilesWrittenApart, "write_pairs", after_it)
    assert opened(folder, place).count(ONE) == Count(10, 5)
    assert gone and gone[0].exists()


@pytest.mark.parametrize("kind", ["films", "model"])
@pytest.mark.parametrize("harm", ["torn", "flipped", "empty", "of something else"])
def test_a_damaged_file_is_made_anew(folder: Folder, place: Path, kind: str, harm: str) -> None:
    first = opened(folder, place)
    expected = (first.count(ONE), first.page(ONE), first.tally(ONE), first.case(NAME, "film 0", ["one"]))
    first.close()
    (file,) = (file for file in files(place) if file.name.startswith(kind))
    content = file.read_bytes()
    flipped = bytes(byte ^ (0x55 if place % 4096 == 100 else 0) for place, byte in enumerate(content))
    harmed = {"torn": content[: len(content) // 2], "flipped": flipped, "empty": b"", "of something else": b"x" * 9000}
    file.write_bytes(harmed[harm])
    store = opened(folder, place)
    assert (store.count(ONE), store.page(ONE), store.tally(ONE), store.case(NAME, "film 0", ["one"])) == expected


def test_a_kill_while_writing_leaves_nothing_in_the_way(folder: Folder, place: Path) -> None:
    killed = f"""
import os, signal
from explorer.cohorts.layout import Folder
from explorer.store.files_written_apart import FilesWrittenApart
from explorer.store.prepared import file_place
from explorer.store.prepared.file_place import PreparedFiles
from explorer.store.store import Store
from tests.explorer.store.made_up import ONE
from pathlib import Path
file_place.write_pairs = lambda *arguments: os.kill(os.getpid(), signal.SIGKILL)
Store(lambda: [Folder(Path({str(folder.path)!r}))], prepared=Path({str(place)!r})).count(ONE)
"""
    done = subprocess.run([sys.executable, "-c", killed], cwd=ROOT, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [file.name.split("-")[0] for file in files(place)] == ["films"]
    (partial,) = place.glob(f"*/.*{PARTIAL_SUFFIX}")
    partial.with_name(f"{partial.name}{file_place.SORTING_SUFFIX}").mkdir()
    os.utime(partial, (0, 0))
    assert opened(folder, place).count(ONE) == Count(10, 5)
    assert not [*place.glob("*/.*")]


def test_where_nothing_can_be_written_it_is_prepared_in_memory(
    folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write_text("a file where the folder should be")
    assert opened(folder, place).count(ONE) == Count(10, 5)


def test_a_full_disk_is_said_and_loses_nothing(folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(file_place, "write_pairs", full)
        with pytest.raises(StoreError, match="no room"):
            opened(folder, place).count(ONE)
    assert not list(place.glob("*/model-*"))
    assert opened(folder, place).count(ONE) == Count(10, 5)


def test_files_of_cohorts_that_are_gone_are_deleted(tmp_path: Path, rows: Rows, place: Path) -> None:
    gone, stays = rows.write(tmp_path / "a"), rows.write(tmp_path / "b")
    opened(gone, place).count(ONE)
    gone.path.rename(tmp_path / "elsewhere")
    opened(stays, place).count(Slice(NAME, "other"))
    assert len(list(place.iterdir())) == 1
