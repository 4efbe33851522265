"""Uploads are read once, unlinked, and lie in a folder of our own."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from explorer.ui.uploads import WAITS, MissingUpload, NoRoom, Uploads


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


def put(folder: Path, name: str, age: float = 0.0) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"film")
    for each in (file, *([file.parent] if file.parent != folder else [])):
        os.utime(each, (time.time() - age,) * 2)
    return file


def test_what_nobody_takes_goes_in_time(tmp_path: Path) -> None:
    late, soon = WAITS + 60, WAITS - 60
    forgotten, part = put(tmp_path, f"{'a' * 64}/film", late), put(tmp_path, "tmpabcdefgh", late)
    kept = [
        put(tmp_path, f"{'b' * 64}/film", soon),
        put(tmp_path, "tmpijklmnop", soon),
        put(tmp_path, "inductor/kernel", late),
        put(tmp_path, "other", late),
    ]
    Uploads(tmp_path).sweep()
    assert not forgotten.parent.exists() and not part.exists()
    assert all(each.exists() for each in kept)


def test_a_folder_is_emptied_of_what_is_old_alone(tmp_path: Path) -> None:
    young, old = put(tmp_path, f"{'a' * 64}/young"), put(tmp_path, f"{'a' * 64}/old", WAITS + 60)
    Uploads(tmp_path).sweep()
    assert young.exists() and not old.exists()


def test_there_is_room_for_so_much_together(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, most_bytes=100)
    put(tmp_path, f"{'a' * 64}/film")  # 4 bytes
    with uploads.coming(60) as first:
        with pytest.raises(NoRoom, match="waiting to be read"), uploads.coming(40):
            pass
        part = put(tmp_path, "tmpabcdefgh")
        first.arrived(4)  # on disk now, and counted there
        with uploads.coming(36):
            pass
        assert part.exists()  # the first is still under way
    assert not part.exists()
    with uploads.coming(96):
        pass


def test_a_full_disk_is_said_to_be_full(tmp_path: Path) -> None:
    with pytest.raises(NoRoom, match="disk is full"), Uploads(tmp_path).coming(2**62):
        pass
