"""Uploads are read once, unlinked, and lie in a folder of our own."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from explorer.ui.uploads import MissingUpload, Uploads, private_folder


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


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../other/secret", "{}/hash/link", "{}/hash/../../other/secret", "{}/hash", "a\0b"]
)
def test_nothing_else_is_read_or_unlinked(folder: Path, path: str) -> None:
    with pytest.raises(MissingUpload):
        Uploads(folder).take(path.format(folder))
    assert (folder.parent / "other" / "secret").exists()


def test_the_folder_is_private() -> None:
    assert stat.S_IMODE(private_folder().stat().st_mode) == 0o700
