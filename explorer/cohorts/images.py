"""Finds a cohort's films: in folders by name, given with --images or remembered from the import.

A case names a root and a file below it. Roots map to folders on this machine, which are stored only in `roots.json` in
the cohort's folder. A user's cohort uses its own name for its root, so that no two roots clash. The root of simulated
films has no folder and always exists: a simulated film's file is an address, and the film is rendered when read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Lock

from explorer.cohorts.film_source import FilmSource, SimulatedFilm, StoredFilm, time_of
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.layout import Folder, cohort_folders
from explorer.cohorts.shown_films import ShownFilms
from explorer.cohorts.simulated_films import RENDER_HERE, FilmFiles
from models.whole_file import atomic_write

# Only these endings are ignored when comparing names: the last part of a DICOM UID also follows a dot.
FILM_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".tif", ".tiff", ".dcm", ".dicom"})


def remember_root(folder: Folder, name: str, path: Path) -> None:
    """Store the folder of root `name` on this machine; other roots are kept, and one of the same name is replaced."""
    *_, own = _roots(folder)  # shipped cohorts are never written to
    kept = _remembered(own) | {name: str(path.resolve())}
    own.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_write(own) as partial:
        partial.touch(mode=0o600)  # paths may contain a patient's name
        partial.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _roots(folder: Folder) -> tuple[Path, ...]:
    """Return the paths of roots.json: of the cohort, and of this machine's additions to a shipped one."""
    return tuple(place / "roots.json" for place in folder.places())


def _remembered(roots: Path) -> dict[str, str]:
    try:
        kept = json.loads(roots.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # missing, or not JSON
        return {}
    return {name: path for name, path in kept.items() if isinstance(path, str)} if isinstance(kept, dict) else {}


class Images:
    """Finds films. Folders given by name take precedence over remembered ones. Thread-safe.

    `shown` remembers the films that recent pages listed.
    """

    def __init__(
        self,
        given: Mapping[str, Path] | None = None,
        cohorts: Callable[[], Iterable[Folder]] = cohort_folders,
        simulated: FilmFiles = RENDER_HERE,
    ) -> None:
        """`simulated` provides the files of simulated films."""
        self.shown = ShownFilms()
        self._cohorts = cohorts
        self._simulated = simulated
        self._given = {name: FilmFolder(path) for name, path in (given or {}).items()}
        # With the roots.json that names the folder, and when it was changed.
        self._found: dict[str, tuple[FilmFolder, Path, int | None]] = {}
        self._lock = Lock()

    def film(self, root: str | None, file: str | None) -> FilmSource | None:
        """Return the film `file` of the root; None if folder or film is missing, or the address is invalid."""
        if root == PHANTOM:
            return SimulatedFilm.of(file or "", self._simulated)
        path = self.path(root, file)
        return None if path is None else StoredFilm(path)

    def path(self, root: str | None, file: str | None) -> Path | None:
        """Return the path of `file` below the root's folder; None if either is missing, or the file is outside."""
        folder = self._root(root)
        return None if folder is None or not file else folder.find(file)

    def several(self, root: str | None, file: str | None) -> tuple[str, ...]:
        """Return two candidate films if the name `file` is ambiguous below the root's folder; else none."""
        folder = self._root(root)
        return () if folder is None or not file else folder.several(file)

    def has(self, root: str | None) -> bool:
        """Whether the root has a folder here, or is the root of simulated films."""
        return root == PHANTOM or self._root(root) is not None

    def _root(self, name: str | None) -> FilmFolder | None:
        if name is None or name in self._given:
            return None if name is None else self._given[name]
        with self._lock:
            known, source, changed = self._found.pop(name, (None, Path(), None))
            if known is None or time_of(source) != changed:  # a cohort may have been imported since
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
    """A folder of films."""

    def __init__(self, path: Path) -> None:
        """`path` must exist; its files are listed only once a film is not where its path says."""
        self._path = path.resolve()
        self._below = os.path.join(self._path, "")
        self._lock = Lock()
        self._listing: dict[str, tuple[str, ...]] | None = None

    def find(self, file: str) -> Path | None:
        """Return a film by relative path, else by file name, else by name without ending, if it is unique."""
        name = file.rsplit("/", 1)[-1]
        exact = self._inside(file)
        if exact is not None or name in ("", ".", ".."):
            return exact
        named = self._named(name)
        return self._inside(named[0]) if len(named) == 1 else None

    def several(self, file: str) -> tuple[str, ...]:
        """Return two relative paths if `find` fails because several films have the name; else none."""
        named = self._named(file.rsplit("/", 1)[-1]) if self._inside(file) is None else ()
        return tuple(sorted(named)) if len(named) > 1 else ()

    def _inside(self, file: str) -> Path | None:
        """Return the file with links resolved, if it is below the folder."""
        path = os.path.join(self._below, file)
        if not os.path.isfile(path):  # check first: resolving links costs a system call per folder
            return None
        path = os.path.realpath(path)
        return Path(path) if path.startswith(self._below) else None

    def _named(self, name: str) -> tuple[str, ...]:
        """Return films by name, or by name without ending: one, or two if there are several."""
        listing = self._listed()
        return listing.get(name) or listing.get(_without_ending(name), ())

    def _listed(self) -> dict[str, tuple[str, ...]]:
        """Return names with and without ending -> relative paths, at most two. Listed once."""
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
            for key in {name, _without_ending(name)}:
                listing[key] = (*listing.get(key, ())[:1], path)
    return listing


def _without_ending(name: str) -> str:
    stem, ending = os.path.splitext(name)
    return stem if ending.lower() in FILM_ENDINGS else name
