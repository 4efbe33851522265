"""Where a cohort's films lie: folders by name, given with --images or remembered from when the cohort was ingested.

A case names a root and a file below it. The paths are those of one machine: they stand in `roots.json` in the cohort's
folder and in no other file. Name an own cohort's root after the cohort, so that no two mean different folders. The root
of simulated films is not a folder and is always there: their file is an address, and they are made when they are read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Lock

from explorer.cohorts.film_source import FilmSource, SimulatedFilm, StoredFilm, time_of
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.layout import Folder, folders
from explorer.cohorts.simulated_films import MADE_HERE, FilmFiles
from models.whole_file import atomic_write

# Only these endings are taken off to compare names: what follows the last dot of a DICOM UID is a part of it.
ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".tif", ".tiff", ".dcm", ".dicom"})


def remember_root(folder: Folder, name: str, path: Path) -> None:
    """Keep where the root `name` of a cohort lies on this machine; adds to what is kept, replaces the same name."""
    *_, own = _roots(folder)  # nothing is written into a shipped cohort
    kept = _remembered(own) | {name: str(path.resolve())}
    own.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_write(own) as partial:
        partial.touch(mode=0o600)  # paths of films may name a patient
        partial.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _roots(folder: Folder) -> tuple[Path, ...]:
    """Of a shipped cohort its own, and that of this machine."""
    return tuple(place / "roots.json" for place in folder.places())


def _remembered(roots: Path) -> dict[str, str]:
    try:
        kept = json.loads(roots.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # not there, or no JSON: then nothing is known
        return {}
    return {name: path for name, path in kept.items() if isinstance(path, str)} if isinstance(kept, dict) else {}


class Images:
    """Finds films. What was given by name counts before what cohorts remember. Safe to use from several threads."""

    def __init__(
        self,
        given: Mapping[str, Path] | None = None,
        cohorts: Callable[[], Iterable[Folder]] = folders,
        simulated: FilmFiles = MADE_HERE,
    ) -> None:
        """`simulated`: where the files of simulated films come from."""
        self._cohorts = cohorts
        self._simulated = simulated
        self._given = {name: FilmFolder(path) for name, path in (given or {}).items()}
        # With the roots.json that says so, and the time of that.
        self._found: dict[str, tuple[FilmFolder, Path, int | None]] = {}
        self._lock = Lock()

    def film(self, root: str | None, file: str | None) -> FilmSource | None:
        """The film `file` of the root; None where folder or film is missing, or for an address of no simulated film."""
        if root == PHANTOM:
            return SimulatedFilm.of(file or "", self._simulated)
        path = self.path(root, file)
        return None if path is None else StoredFilm(path)

    def path(self, root: str | None, file: str | None) -> Path | None:
        """The film `file` below the folder named `root`; None where folder or film is not there, or lies outside."""
        there = self._root(root)
        return None if there is None or not file else there.find(file)

    def several(self, root: str | None, file: str | None) -> tuple[str, ...]:
        """Two films below the folder that `file` could be, where it is not said which; else none."""
        there = self._root(root)
        return () if there is None or not file else there.several(file)

    def has(self, root: str | None) -> bool:
        """Whether there is a folder of this name at all, or it is that of simulated films."""
        return root == PHANTOM or self._root(root) is not None

    def _root(self, name: str | None) -> FilmFolder | None:
        if name is None or name in self._given:
            return None if name is None else self._given[name]
        with self._lock:
            known, source, changed = self._found.pop(name, (None, Path(), None))
            if known is None or time_of(source) != changed:  # a cohort may have been ingested since
                known, source = self._look(name)
            if known is not None:
                self._found[name] = known, source, time_of(source)
            return known

    def _look(self, name: str) -> tuple[FilmFolder | None, Path]:
        for source in (roots for folder in self._cohorts() for roots in _roots(folder)):
            path = _remembered(source).get(name)
            if path is not None and Path(path).is_dir():
                return FilmFolder(Path(path)), source
        return None, Path()


class FilmFolder:
    """One folder of films."""

    def __init__(self, path: Path) -> None:
        """`path`: an existing folder; it is listed when a film is not where its path says."""
        self._path = path.resolve()
        self._below = os.path.join(self._path, "")
        self._lock = Lock()
        self._listing: dict[str, tuple[str, ...]] | None = None

    def find(self, file: str) -> Path | None:
        """A film by its relative path; else by its name, then by its name without ending, where only one has it."""
        name = file.rsplit("/", 1)[-1]
        exact = self._inside(file)
        if exact is not None or name in ("", ".", ".."):
            return exact
        named = self._named(name)
        return self._inside(named[0]) if len(named) == 1 else None

    def several(self, file: str) -> tuple[str, ...]:
        """Two films, by their relative paths, where `find` finds none because several have the name; else none."""
        named = self._named(file.rsplit("/", 1)[-1]) if self._inside(file) is None else ()
        return tuple(sorted(named)) if len(named) > 1 else ()

    def _inside(self, file: str) -> Path | None:
        """The file with all links followed, if it is below the folder."""
        path = os.path.join(self._below, file)
        if not os.path.isfile(path):  # asked first: following links takes a question for each folder on the way
            return None
        path = os.path.realpath(path)
        return Path(path) if path.startswith(self._below) else None

    def _named(self, name: str) -> tuple[str, ...]:
        """Films of a name, or of a name without ending: one, or two where there are several."""
        listing = self._listed()
        return listing.get(name) or listing.get(_bare(name), ())

    def _listed(self) -> dict[str, tuple[str, ...]]:
        """Names with and without ending to relative paths, two where several films have the name. Made once."""
        with self._lock:
            if self._listing is None:
                self._listing = _listing(self._path)
            return self._listing


def _listing(root: Path) -> dict[str, tuple[str, ...]]:
    listing: dict[str, tuple[str, ...]] = {}
    for folder, _, names in os.walk(root):
        below = os.path.relpath(folder, root).replace(os.sep, "/")
        for name in names:
            path = name if below == "." else f"{below}/{name}"
            for key in {name, _bare(name)}:
                listing[key] = (*listing.get(key, ())[:1], path)
    return listing


def _bare(name: str) -> str:
    stem, ending = os.path.splitext(name)
    return stem if ending.lower() in ENDINGS else name
