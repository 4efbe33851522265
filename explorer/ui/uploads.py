"""The folder of uploaded files: each is read once and gone."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

LIMIT_MB = 200


class MissingUpload(Exception):
    """An upload that cannot be read: `title` says what is wrong, `detail` what to do."""

    def __init__(self) -> None:
        self.title = "The upload is no longer there"
        self.detail = "It was read already or took too long. Open the film again."
        super().__init__(f"{self.title}. {self.detail}")


def private_folder() -> Path:
    """A new folder that only this user may enter, removed when the program ends."""
    folder = Path(tempfile.mkdtemp(prefix="tailscope-"))  # mkdtemp makes it 0700
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class Uploads:
    """Hands out uploaded bytes and unlinks the file first thing, whatever becomes of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def take(self, path: str) -> bytes:
        """The bytes of an uploaded file, which no longer exists afterwards.

        Raises MissingUpload for anything that does not lie where uploads are put (a folder named by a hash, then the
        file): the path comes from the browser and may name any file of this machine.
        """
        file = Path(path)
        try:
            inside = file.resolve().parent.parent == self._folder and not file.is_symlink()
            if not inside:
                raise MissingUpload
            data = file.read_bytes()
            file.unlink()
        except (OSError, ValueError) as error:
            raise MissingUpload from error
        _remove_if_empty(file.parent)
        return data


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return  # the same film was uploaded twice at once and the other copy is still to be read
