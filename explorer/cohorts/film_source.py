"""A film of a cohort: a file in a folder, or a simulated film that is rendered when read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from explorer.cohorts.manifest import Manifest
from explorer.cohorts.simulated_films import RENDER_HERE, FilmFiles
from explorer.simulator import WrongRequest
from explorer.simulator.address import parse_film_address
from explorer.simulator.film_png import FILM_SIZE
from explorer.simulator.packed_film import MaskByFinding
from explorer.simulator.version import version_mtime
from models.radiograph import Radiograph, UnreadableRadiograph, read_radiograph
from models.refusal import Refusal


class NoFilm(Refusal):
    """A film that cannot be read from its file: `title` says what is wrong, `detail` what to do."""


class FilmSource(Protocol):
    """A film that can be read repeatedly; it compares equal to other sources of the same film."""

    def changed(self) -> int | None:
        """Return a time in nanoseconds that changes whenever the film may look different; None if the film is gone."""

    def nbytes(self) -> int:
        """Return the number of bytes to read; 0 for a rendered film. Raises OSError."""

    def radiograph(self, longest: int = FILM_SIZE) -> Radiograph:
        """Return the film; a simulated one has `longest` pixels per side. Raises UnreadableRadiograph."""


@dataclass(frozen=True, slots=True)
class StoredFilm:
    """A film stored in a file."""

    path: Path

    def changed(self) -> int | None:
        return time_of(self.path)

    def nbytes(self) -> int:
        return self.path.stat().st_size

    def radiograph(self, longest: int = FILM_SIZE) -> Radiograph:
        return read_radiograph(self.path)


@dataclass(frozen=True, slots=True)
class SimulatedFilm:
    """A film of the simulator, decoded from the file that a visitor can download, which is marked as simulated."""

    address: str
    files: FilmFiles = field(default=RENDER_HERE, compare=False)

    @classmethod
    def of(cls, address: str, files: FilmFiles = RENDER_HERE) -> SimulatedFilm | None:
        """Return the film of an address; None if the text is not an address."""
        try:
            parse_film_address(address)
        except WrongRequest:
            return None
        return cls(address, files)

    def changed(self) -> int | None:
        return version_mtime()

    def nbytes(self) -> int:
        return 0

    def radiograph(self, longest: int = FILM_SIZE) -> Radiograph:
        try:
            return read_radiograph(self.files.of(self.address, longest).png)
        except WrongRequest as error:
            raise UnreadableRadiograph(error.title, error.detail) from error

    def masks(self) -> MaskByFinding:
        """Return the exact mask (SIZE, SIZE) of each finding. Raises WrongRequest."""
        return self.files.of(self.address).masks


def masks_of(cohort: Manifest, source: FilmSource | None) -> MaskByFinding:
    """Return the exact mask (h, w) of each finding of a film, if it has masks. Raises WrongRequest, QueueFull."""
    if cohort.masks != "simulator" or not isinstance(source, SimulatedFilm):
        return {}
    return source.masks()


def time_of(path: Path) -> int | None:
    """Return when a file was last changed, in nanoseconds; None if it does not exist."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None
