"""Locations and file names of cohorts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from models.cards import home as users
from models.cards.card import PROJECT
from models.refusal import Refusal

CACHE = PROJECT / "cache"  # `python -m explorer demo` can rebuild this one
SIMULATED_FILMS = CACHE / "films"  # rendered films
SHIPPED_MAPS = CACHE / "maps"  # of films, by cohort
SHIPPED_THUMBNAILS = CACHE / "thumbnails"  # of simulated films, packed by cohort
CACHE_SIZE = 64  # folders of models
HOME_VARIABLE = users.HOME_VARIABLE
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


class NoCohort(Refusal):
    """A cohort that is not available: `title` says what is wrong, `detail` what to do."""


class DamagedCohort(Refusal):
    """Files of a cohort that cannot be read or have invalid content."""


def own_cohorts(home: Path | None = None) -> Path:
    """Return the folder of the user's cohorts, below `home`; by default TAILSCOPE_HOME or the user's home."""
    return (home or users.tailscope_home()) / "cohorts"


def is_name(name: str) -> bool:
    """Whether a text is valid as the name of a cohort or model."""
    return _NAME.fullmatch(name) is not None and ".." not in name


def checked_name(name: str) -> str:
    """Return the name of a cohort or model if it is valid; raises NoCohort."""
    if not is_name(name):
        raise NoCohort(
            f"{name!r} is not a valid name for a cohort or a model",
            "Use lowercase letters, digits, dots, hyphens and underscores, starting with a letter or digit.",
        )
    return name


@dataclass(frozen=True, slots=True)
class Folder:
    """The files of one cohort. While it is being made, any of them may be missing; the manifest is written last.

    Shipped cohorts are never written to: scores imported for one go into `overlay`, a folder of the same name among the
    user's cohorts, without a manifest. Models there are listed with the shipped ones.
    """

    path: Path
    overlay: Path | None = None

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def manifest(self) -> Path:
        return self.path / "manifest.json"

    @property
    def cases(self) -> Path:
        return self.path / "cases.parquet"

    @property
    def labels(self) -> Path:
        return self.path / "labels.parquet"

    @property
    def boxes(self) -> Path:
        return self.path / "boxes.parquet"

    @property
    def appearances(self) -> Path:
        return self.path / "appearances.parquet"

    @property
    def reports(self) -> Path:
        return self.path / "reports.parquet"

    @property
    def own(self) -> tuple[Path, ...]:
        """The files that describe its films, except the manifest."""
        return (self.cases, self.labels, self.boxes, self.appearances, self.reports)

    @property
    def rejects(self) -> Path:
        return self.path / "rejects.csv"

    @property
    def thumbnails(self) -> Path:
        return self.path / "thumbnails"

    def thumbnail_packs(self) -> tuple[Path, ...]:
        """Return possible paths of its simulated films' thumbnails; this machine writes to the last.

        Shipped ones are stored apart from their cohorts, because other processors draw slightly different ones.
        """
        own = self.thumbnails / "pack.zip"
        return (own,) if self.path.parent != CACHE else (SHIPPED_THUMBNAILS / f"{self.name}.zip", own)

    def models(self) -> tuple[str, ...]:
        """Return the names of the models with predictions here; a model's manifest is written last."""
        return tuple(self.model_manifests())

    def model_manifests(self) -> dict[str, Path]:
        """Return the manifest of each model by name, sorted; if two have the same name, the shipped one."""
        return {name: path for name, path in sorted(self._manifests().items()) if is_name(name)}

    def misnamed(self) -> tuple[str, ...]:
        """Return file names among the models' manifests that are not valid model names."""
        return tuple(sorted(name for name in self._manifests() if not is_name(name)))

    def _manifests(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for place in self.places():
            found = _manifests_in(place / "models", tuple(_listed(place / "models"))) | found
        return found

    def predictions(self, model: str) -> Path:
        """Folder of `part-*.parquet`."""
        return self._place(model) / "predictions" / model

    def embeddings(self, model: str) -> Path:
        """Folder of `part-*.parquet`."""
        return self._place(model) / "embeddings" / model

    def operating_points(self, model: str) -> Path:
        return self._place(model) / "operating_points" / f"{model}.parquet"

    def chosen_thresholds(self, model: str) -> Path:
        """Thresholds chosen on this machine, see `explorer.cohorts.chosen_thresholds`."""
        return self.places()[-1] / "thresholds" / f"{model}.parquet"

    def with_chosen_thresholds(self) -> frozenset[str]:
        """Return the models with chosen thresholds. Uses a single listing, because callers ask about all models."""
        return frozenset(name.removesuffix(".parquet") for name in _listed(self.places()[-1] / "thresholds"))

    def film_maps(self, model: str) -> tuple[Path, ...]:
        """Return possible paths of its film map, see `explorer.cohorts.film_map`; this machine writes to the last.

        Shipped maps are stored apart from their cohorts, because cohorts can be rebuilt byte for byte and maps cannot.
        """
        own = self.path / "maps" if self.path.parent != CACHE else SHIPPED_MAPS / self.name
        beside = [] if self.overlay is None else [self.overlay / "maps"]
        return tuple(place / f"{model}.parquet" for place in (own, *beside))

    def model(self, model: str) -> Path:
        """The origin of the predictions, see `explorer.cohorts.manifest.ModelManifest`."""
        return self._place(model) / "models" / f"{model}.json"

    def failures(self, model: str) -> Path:
        """Films that the model could not score: case and reason."""
        return self._place(model) / "failures" / f"{model}.csv"

    def places(self) -> tuple[Path, ...]:
        """Return the folders that may hold its files; this machine writes its additions to the last one."""
        return (self.path,) if self.overlay is None else (self.path, self.overlay)

    def _place(self, model: str) -> Path:
        """Return the folder that holds a model's files; a shipped model takes precedence over the user's."""
        return next((place for place in self.places() if (place / "models" / f"{model}.json").is_file()), self.path)


@lru_cache(maxsize=CACHE_SIZE)  # called often, and joining paths takes longer than listing the folder
def _manifests_in(models: Path, files: tuple[str, ...]) -> dict[str, Path]:
    found = (file for file in files if file.endswith(".json") and not file.startswith("."))
    return {file.removesuffix(".json"): models / file for file in found}


def _listed(folder: Path) -> list[str]:
    """Return the names in a folder, or none if it does not exist. Three times as fast as Path.glob."""
    with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        return os.listdir(folder)
    return []


def cohort_folders(home: Path | None = None) -> Iterator[Folder]:
    """Yield every cohort, shipped ones first; a shipped cohort hides a user's cohort of the same name."""
    seen, own = set(), own_cohorts(home)
    for place in (CACHE, own):
        for path in sorted(place.glob("*/manifest.json")):
            name = path.parent.name
            if name not in seen and is_name(name):  # a folder whose name starts with a dot is still being written
                seen.add(name)
                yield Folder(path.parent, _overlay(path.parent, own))


def _overlay(cohort: Path, own: Path) -> Path | None:
    overlay = own / cohort.name
    return None if cohort == overlay or (overlay / "manifest.json").is_file() else overlay


def additions_folder(folder: Folder) -> Folder:
    """Return the folder for this machine's additions to a cohort: never a shipped cohort's own. Raises NoCohort."""
    if folder.path.parent != CACHE:
        return folder
    if folder.overlay is None:
        raise NoCohort(
            f"There are two cohorts called {folder.name}",
            f"The shipped one hides yours at {own_cohorts() / folder.name}: import yours under another name.",
        )
    folder.overlay.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Folder(folder.overlay)


def cohort_folder(name: str) -> Folder:
    """Return the cohort of this name; raises NoCohort."""
    by_name = {each.name: each for each in cohort_folders()}
    if name not in by_name:
        raise NoCohort(
            f"There is no cohort {name!r}",
            f"There are: {', '.join(by_name) or 'none'}. To make one, see `python -m explorer ingest --help`.",
        )
    return by_name[name]


def shipped_with(model: str) -> Iterator[Folder]:
    """Yield the shipped cohorts with predictions of a model of this name, sorted by name."""
    return (folder for folder in map(Folder, sorted(CACHE.iterdir())) if model in folder.models())
