"""Uploads are read once, unlinked, and lie in a folder of our own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from explorer.ui.shared.uploads import MAX_WAIT_S, MIN_WAIT_S, RESERVE_STEP, MissingUpload, NoUploadRoom, Uploads
from tests.support.wording import Wording


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
    clock.now = MAX_WAIT_S - 1
    young = put(tmp_path, f"{'a' * 64}/young")
    growing.write_bytes(b"more of it")
    uploads.sweep()
    assert forgotten.exists() and part.exists()
    clock.now = MAX_WAIT_S
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
    clock.now = MAX_WAIT_S
    uploads.sweep()
    assert not any(file.exists() for file in files)


def test_there_is_room_for_so_much_together(tmp_path: Path, wording: Wording) -> None:
    uploads = Uploads(tmp_path, max_bytes=10 * RESERVE_STEP)
    put(tmp_path, f"{'a' * 64}/film", bytes(2 * RESERVE_STEP))
    with uploads.coming(8 * RESERVE_STEP) as first:
        with uploads.coming(8 * RESERVE_STEP):
            pass  # of the first nothing has come
        uploads.add_received(first, 4 * RESERVE_STEP)
        part = put(tmp_path, "tmpabcdefgh", bytes(4 * RESERVE_STEP))
        with pytest.raises(NoUploadRoom) as full, uploads.coming(5 * RESERVE_STEP):
            pass
        assert "1000 MB" in str(full.value)
        wording(full.value)
        with uploads.coming(4 * RESERVE_STEP) as second:
            uploads.add_received(second, 4 * RESERVE_STEP)
            put(tmp_path, "tmpijklmnop", bytes(4 * RESERVE_STEP))
            with pytest.raises(NoUploadRoom):
                uploads.add_received(first, 1)
        assert part.exists()  # the first is still under way
    assert not part.exists()


def test_one_visitor_leaves_room_for_others(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, max_bytes=100 * RESERVE_STEP, max_visitor_bytes=10 * RESERVE_STEP)
    with uploads.coming(6 * RESERVE_STEP, "ann") as first:
        file = put(tmp_path, f"{'a' * 64}/film", bytes(6 * RESERVE_STEP))
        uploads.note_owner(first, [str(file)])
    with pytest.raises(NoUploadRoom, match="MB of your films"), uploads.coming(5 * RESERVE_STEP, "ann"):
        pass
    with uploads.coming(9 * RESERVE_STEP, "ben"), uploads.coming(4 * RESERVE_STEP, "ann") as coming:
        uploads.add_received(coming, 4 * RESERVE_STEP)
        with pytest.raises(NoUploadRoom, match="MB of your films"):
            uploads.add_received(coming, RESERVE_STEP)
    uploads.take(str(file))
    with uploads.coming(10 * RESERVE_STEP, "ann"):
        pass


def test_what_waited_a_minute_goes_where_its_room_is_needed(tmp_path: Path) -> None:
    clock = Clock()
    uploads = Uploads(tmp_path, max_bytes=10 * RESERVE_STEP, clock=clock)
    put(tmp_path, f"{'a' * 64}/film", bytes(8 * RESERVE_STEP))
    uploads.sweep()
    clock.now = MIN_WAIT_S - 1
    with pytest.raises(NoUploadRoom), uploads.coming(5 * RESERVE_STEP):
        pass
    clock.now = MIN_WAIT_S
    with uploads.coming(5 * RESERVE_STEP):
        pass


def test_a_full_disk_is_said_to_be_full(tmp_path: Path) -> None:
    with pytest.raises(NoUploadRoom, match="disk is full"), Uploads(tmp_path).coming(2**62):
        pass
