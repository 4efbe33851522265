"""One film of a cohort, wherever it comes from: a file in a folder, or a simulator that makes it when it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from explorer.cohorts.manifest import Manifest
from explorer.cohorts.simulated_films import MADE_HERE, FilmFiles
from explorer.simulator import WrongRequest
from explorer.simulator.address import parse
from explorer.simulator.film_png import SIZE
from explorer.simulator.packed_film import Masks
from explorer.simulator.version import stamp
from models.radiograph import Radiograph, UnreadableRadiograph, read_radiograph
from models.refusal import Refusal


class NoFilm(Refusal):
    """A film that cannot be read from its file: `title` says what is wrong, `detail` what to do."""


class FilmSource(Protocol):
    """A film that can be read, again and again; equal to another source of the same film."""

    def changed(self) -> int | None:
        """Another number once it may look otherwise, in nanoseconds; None where it is gone."""

    def nbytes(self) -> int:
        """Bytes to be read; 0 where none are stored. Raises OSError."""

    def radiograph(self, longest: int = SIZE) -> Radiograph:
        """The film; one that is made has `longest` pixels a side. Raises UnreadableRadiograph."""


@dataclass(frozen=True, slots=True)
class StoredFilm:
    """A film in a file."""

    path: Path

    def changed(self) -> int | None:
        return time_of(self.path)

    def nbytes(self) -> int:
        return self.path.stat().st_size

    def radiograph(self, longest: int = SIZE) -> Radiograph:
        return read_radiograph(self.path)


@dataclass(frozen=True, slots=True)
class SimulatedFilm:
    """A film of the simulator, read from the very file that a visitor would get, which says that it is simulated."""

    address: str
    files: FilmFiles = field(default=MADE_HERE, compare=False)

    @classmethod
    def of(cls, address: str, files: FilmFiles = MADE_HERE) -> SimulatedFilm | None:
        """None where the text is not an address."""
        try:
            parse(address)
        except WrongRequest:
            return None
        return cls(address, files)

    def changed(self) -> int | None:
        return stamp()

    def nbytes(self) -> int:
        return 0

    def radiograph(self, longest: int = SIZE) -> Radiograph:
        try:
            return read_radiograph(self.files.of(self.address, longest).png)
        except WrongRequest as error:
            raise UnreadableRadiograph(error.title, error.detail) from error

    def masks(self) -> Masks:
        """The exact mask (SIZE, SIZE) of each finding. Raises WrongRequest."""
        return self.files.of(self.address).masks


def masks_of(cohort: Manifest, source: FilmSource | None) -> Masks:
    """The exact mask (h, w) of each finding of a film, none where there is none. Raises WrongRequest, QueueFull."""
    if cohort.masks != "simulator" or not isinstance(source, SimulatedFilm):
        return {}
    return source.masks()


def time_of(path: Path) -> int | None:
    """When a file was changed, in nanoseconds; None where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None
