"""Reads a folder of films without labels; what their DICOM headers say of patient, study, view, sex and age is kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from explorer.cohorts.images import FILM_ENDINGS
from explorer.cohorts.schema import NO_CENTER
from explorer.ingest.datasets.dicom_facts import DICOM, DicomFacts, HeaderNumbers, dicom_facts, with_facts
from explorer.ingest.entries import Entry, ImportSource
from explorer.ingest.rejects import Reject, RejectReason
from explorer.tabular.problems import WrongInput

HEADERS_READ = "view, sex and age are those of the DICOM headers; patients and studies are numbered, not named"


def read_folder(root: Path, center: str | None = None) -> ImportSource:
    """Return every file below `root` as a case named by its path; hidden files and folders are skipped.

    Patients and studies of DICOM files are numbered in the order of the paths, so that no identifier is copied. Raises
    WrongInput if `root` is not a folder.
    """
    if not root.is_dir():
        raise WrongInput(f"{root} is not a folder. Name an existing one.")
    source = ImportSource(title=root.resolve().name, name="a folder of films", label_source="", blank="no labels")
    for file in sorted(_files(root, source)):
        if file.isascii() or _is_text(file):
            source.entries.append(Entry(case=file, center=center or NO_CENTER, file=file))
        else:
            source.rejects.append(Reject(None, file, RejectReason.UNREADABLE, "its name is not text in UTF-8"))
    numbers = HeaderNumbers()
    found = [(entry, _facts(root, entry)) for entry in source.entries]
    source.entries = [numbers.identified(with_facts(entry, facts), facts) for entry, facts in found]
    if any(facts is not None for _, facts in found):
        source.notes.append(HEADERS_READ)
    return source


def _facts(root: Path, entry: Entry) -> DicomFacts | None:
    """Return the facts of a DICOM header; archives often write DICOM files without a file ending."""
    path = root / entry.case
    return None if path.suffix.lower() in FILM_ENDINGS - DICOM else dicom_facts(path)


def _files(root: Path, source: ImportSource) -> Iterator[str]:
    def note_unreadable(error: OSError) -> None:
        source.notes.append(f"a folder cannot be read: {error.filename}: {error.strerror}")

    for place, folders, names in os.walk(root, onerror=note_unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                yield (Path(place) / name).relative_to(root).as_posix()


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
