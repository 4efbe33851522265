"""Reads facts from DICOM headers that a dataset's tables leave out; pixels are not read."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from explorer.cohorts.images import FilmFolder
from explorer.ingest.entries import Entry
from explorer.ingest.label_words import age_of, sex_of, view_of
from models.films.dicom_film import ORIENTATION
from models.films.dicom_walker import parse_header
from models.films.film import DamagedData, UnreadableRadiograph
from models.films.orientation import orientation

DICOM = frozenset({".dcm", ".dicom"})
_VIEW, _SEX, _AGE, _ROWS, _COLUMNS = 0x00185101, 0x00100040, 0x00101010, 0x00280010, 0x00280011
_NAMES = 0x00080018, 0x00080050, 0x00100020, 0x0020000D  # SOP instance, accession, patient, study
_WANTED = frozenset({_VIEW, _SEX, _AGE, _ROWS, _COLUMNS, ORIENTATION, *_NAMES})


@dataclass(frozen=True, slots=True)
class DicomFacts:
    """Header texts, blank if missing; `width` and `height` in pixels, 0 if not stated.

    `patient` and `study` identify a person, so they must not be stored: see `HeaderNumbers`. `turned`: the viewer
    rotates or mirrors a frontal film with this header.
    """

    view: str
    sex: str
    age: str
    width: int
    height: int
    names: tuple[str, ...]  # of the instance, the accession, the patient and the study
    turned: bool

    @property
    def patient(self) -> str:
        """The patient's identifier."""
        return self.names[2]

    @property
    def study(self) -> str:
        """The study's instance UID."""
        return self.names[3]


def dicom_facts(path: Path) -> DicomFacts | None:
    """Return the facts of a file's header; None if it is not a readable DICOM film."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = parse_header(cast(bytes, mapped), _WANTED)  # slices of a memory map are bytes
    except (OSError, ValueError, DamagedData, UnreadableRadiograph):
        return None
    names = tuple(header.text(tag) for tag in _NAMES)
    size = header.integer(_COLUMNS), header.integer(_ROWS)
    lies = orientation(header.texts(ORIENTATION))
    turned = lies is not None and lies.note is not None
    return DicomFacts(header.text(_VIEW), header.text(_SEX), header.text(_AGE), *size, names, turned)


def entries_with_facts(entries: Iterable[Entry], root: Path | None) -> Iterator[tuple[Entry, DicomFacts | None]]:
    """Yield each entry with the facts of its film below `root`: None without a root or a DICOM film."""
    find: Callable[[str], Path | None] = (lambda _: None) if root is None else FilmFolder(root).find
    for entry in entries:
        path = find(entry.file or "")
        yield entry, dicom_facts(path) if path is not None and path.suffix.lower() in DICOM else None


def with_facts(entry: Entry, facts: DicomFacts | None) -> Entry:
    """Return the entry with missing values filled in from the header."""
    if facts is None:
        return entry
    return replace(
        entry,
        view=view_of(facts.view) if entry.view == "unknown" else entry.view,
        sex=sex_of(facts.sex) if entry.sex == "unknown" else entry.sex,
        age=age_of(facts.age) if entry.age is None else entry.age,
        width=entry.width or facts.width or None,
        height=entry.height or facts.height or None,
    )


class HeaderNumbers:
    """Pseudonyms of patients and studies: numbers in the order in which headers first name them."""

    def __init__(self) -> None:
        self._patients: dict[str, str] = {}
        self._studies: dict[str, str] = {}

    def identified(self, entry: Entry, facts: DicomFacts | None) -> Entry:
        """Return the entry with the pseudonyms of its film's patient and study, if the header names them."""
        if facts is None:
            return entry
        return replace(
            entry,
            patient=entry.patient or _numbered(self._patients, "patient", facts.patient),
            study=entry.study or _numbered(self._studies, "study", facts.study),
        )


def _numbered(known: dict[str, str], what: str, name: str) -> str | None:
    return known.setdefault(name, f"{what} {len(known) + 1}") if name else None
