"""Uploads are read once, unlinked, and lie in a folder of our own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from explorer.ui.shared.uploads import MINUTE, STEP, WAITS, MissingUpload, NoRoom, Uploads


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    uploads = tmp_path / "uploads"
    (uploads / "hash").mkdir(parents=True)
    (uploads / "hash" / "film").write_bytes(b"film")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret").write_bytes(b"secret")
    (uploads / "hash" / "link").symlink_to(tmp_path / "other" / "secret")
    return uploads


def test_a_file_is_read_once_and_its_folder_goes_with_it(folder: Path) -> None:
    (folder / "hash" / "link").unlink()
    path = str(folder / "hash" / "film")
    assert Uploads(folder).take(path) == b"film"
    assert list(folder.iterdir()) == []
    with pytest.raises(MissingUpload):
        Uploads(folder).take(path)


def test_the_same_film_of_another_visitor_stays(folder: Path) -> None:
    (folder / "hash" / "twin").write_bytes(b"film")
    Uploads(folder).take(str(folder / "hash" / "film"))
    assert (folder / "hash" / "twin").exists()


def test_a_folder_stays_while_another_upload_may_be_of_the_same_film(folder: Path) -> None:
    (folder / "hash" / "link").unlink()
    uploads = Uploads(folder)
    with uploads.coming(4):
        uploads.take(str(folder / "hash" / "film"))
        assert (folder / "hash").is_dir()  # gradio makes it and puts the film there in two steps


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../other/secret", "{}/hash/link", "{}/hash/../../other/secret", "{}/hash", "a\0b"]
)
def test_nothing_else_is_read_or_unlinked(folder: Path, path: str) -> None:
    with pytest.raises(MissingUpload):
        Uploads(folder).take(path.format(folder))
    assert (folder.parent / "other" / "secret").exists()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def put(folder: Path, name: str, content: bytes = b"film") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def test_what_nobody_takes_goes_in_time(tmp_path: Path) -> None:
    clock = Clock()
    uploads = Uploads(tmp_path, clock=clock)
    forgotten, part = put(tmp_path, f"{'a' * 64}/film"), put(tmp_path, "tmpabcdefgh")
    growing, others = put(tmp_path, "tmpijklmnop"), [put(tmp_path, name) for name in ("inductor/kernel", "other")]
    uploads.sweep()
    clock.now = WAITS - 1
    young = put(tmp_path, f"{'a' * 64}/young")
    growing.write_bytes(b"more of it")
    uploads.sweep()
    assert forgotten.exists() and part.exists()
    clock.now = WAITS
    uploads.sweep()
    assert not forgotten.exists() and not part.exists()
    assert all(each.exists() for each in (young, growing, *others))
    young.unlink()
    uploads.sweep()
    assert not young.parent.exists()


def test_a_clock_that_is_set_removes_nothing_and_keeps_nothing(tmp_path: Path) -> None:
    """A file's own times are those of a clock that a user, or daylight, sets."""
    clock = Clock()
    uploads = Uploads(tmp_path, clock=clock)
    files = [put(tmp_path, f"{letter * 64}/film") for letter in "ab"]
    for file, moment in zip(files, (0, 4e9), strict=True):
        os.utime(file, (moment, moment))
    uploads.sweep()
    assert all(file.exists() for file in files)
    clock.now = WAITS
    uploads.sweep()
    assert not any(file.exists() for file in files)


def test_there_is_room_for_so_much_together(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, most_bytes=10 * STEP)
    put(tmp_path, f"{'a' * 64}/film", bytes(2 * STEP))
    with uploads.coming(8 * STEP) as first:
        with uploads.coming(8 * STEP):
            pass  # of the first nothing has come
        uploads.arrived(first, 4 * STEP)
        part = put(tmp_path, "tmpabcdefgh", bytes(4 * STEP))
        with pytest.raises(NoRoom, match="1000 MB of films are already"), uploads.coming(5 * STEP):
            pass
        with uploads.coming(4 * STEP) as second:
            uploads.arrived(second, 4 * STEP)
            put(tmp_path, "tmpijklmnop", bytes(4 * STEP))
            with pytest.raises(NoRoom):
                uploads.arrived(first, 1)
        assert part.exists()  # the first is still under way
    assert not part.exists()


def test_one_visitor_leaves_room_for_others(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, most_bytes=100 * STEP, most_each=10 * STEP)
    with uploads.coming(6 * STEP, "ann") as first:
        file = put(tmp_path, f"{'a' * 64}/film", bytes(6 * STEP))
        uploads.finished(first, [str(file)])
    with pytest.raises(NoRoom, match="MB of your films"), uploads.coming(5 * STEP, "ann"):
        pass
    with uploads.coming(9 * STEP, "ben"), uploads.coming(4 * STEP, "ann") as coming:
        uploads.arrived(coming, 4 * STEP)
        with pytest.raises(NoRoom, match="MB of your films"):
            uploads.arrived(coming, STEP)
    uploads.take(str(file))
    with uploads.coming(10 * STEP, "ann"):
        pass


def test_what_waited_a_minute_goes_where_its_room_is_needed(tmp_path: Path) -> None:
    clock = Clock()
    uploads = Uploads(tmp_path, most_bytes=10 * STEP, clock=clock)
    put(tmp_path, f"{'a' * 64}/film", bytes(8 * STEP))
    uploads.sweep()
    clock.now = MINUTE - 1
    with pytest.raises(NoRoom), uploads.coming(5 * STEP):
        pass
    clock.now = MINUTE
    with uploads.coming(5 * STEP):
        pass


def test_a_full_disk_is_said_to_be_full(tmp_path: Path) -> None:
    with pytest.raises(NoRoom, match="disk is full"), Uploads(tmp_path).coming(2**62):
        pass
