"""Where cohorts lie, and what each file of one is called."""

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

CACHE = PROJECT / "cache"  # what `python -m explorer demo` can make again
SIMULATED = CACHE / "films"  # simulated films that were looked at
SHIPPED_MAPS = CACHE / "maps"  # of films, by cohort
KEPT = 64  # folders of models
HOME_VARIABLE = users.HOME_VARIABLE
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


class NoCohort(Refusal):
    """An unavailable cohort: `title` says what is wrong, `detail` what to do."""


class DamagedCohort(Refusal):
    """Files of a cohort that cannot be read, or hold what they must not."""


def own_cohorts(home: Path | None = None) -> Path:
    """The folder of cohorts that cannot be made again: below `home`, by default that of TAILSCOPE_HOME or the user."""
    return (home or users.tailscope_home()) / "cohorts"


def is_name(name: str) -> bool:
    """Whether a cohort or a model may be called so."""
    return _NAME.fullmatch(name) is not None and ".." not in name


def checked_name(name: str) -> str:
    """A cohort's or model's name as a folder may be called; raises NoCohort."""
    if not is_name(name):
        raise NoCohort(
            f"{name!r} is not a valid name for a cohort or a model",
            "Use lowercase letters, digits, dots, hyphens and underscores, starting with a letter or digit.",
        )
    return name


@dataclass(frozen=True, slots=True)
class Folder:
    """The files of one cohort; none of them needs to be there yet but the manifest, which is written last.

    Nothing that a user brings goes into a shipped cohort: scores imported for one lie in `overlay`, a folder of the
    same name among the own cohorts, without a manifest. What a model has there stands beside the shipped models.
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
    def own(self) -> tuple[Path, ...]:
        """Those that say what its films are, beside the manifest."""
        return (self.cases, self.labels, self.boxes, self.appearances)

    @property
    def rejects(self) -> Path:
        return self.path / "rejects.csv"

    @property
    def thumbnails(self) -> Path:
        return self.path / "thumbnails"

    def models(self) -> tuple[str, ...]:
        """Names of the models that have predictions here: a model's manifest is written last."""
        return tuple(self.model_manifests())

    def model_manifests(self) -> dict[str, Path]:
        """Those of `models` by their names, in order: of two with the same name the shipped one, as `model` says."""
        return {name: path for name, path in sorted(self._manifests().items()) if is_name(name)}

    def misnamed(self) -> tuple[str, ...]:
        """What lies among the manifests of models under a name that no model can have."""
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
        """Thresholds that were chosen on this machine, see `explorer.cohorts.chosen_thresholds`."""
        return self.places()[-1] / "thresholds" / f"{model}.parquet"

    def with_chosen_thresholds(self) -> frozenset[str]:
        """The models that have some: few, and every question asks for all models."""
        return frozenset(name.removesuffix(".parquet") for name in _listed(self.places()[-1] / "thresholds"))

    def film_maps(self, model: str) -> tuple[Path, ...]:
        """Where a map of its films may lie, see `explorer.cohorts.film_map`; into the last one this machine writes.

        Those that are shipped lie apart from their cohorts, which are made again byte for byte: maps are not.
        """
        own = self.path / "maps" if self.path.parent != CACHE else SHIPPED_MAPS / self.name
        beside = [] if self.overlay is None else [self.overlay / "maps"]
        return tuple(place / f"{model}.parquet" for place in (own, *beside))

    def model(self, model: str) -> Path:
        """What made the predictions, see `explorer.cohorts.manifest.ModelManifest`."""
        return self._place(model) / "models" / f"{model}.json"

    def failures(self, model: str) -> Path:
        """Films that the model could not score: case and reason."""
        return self._place(model) / "failures" / f"{model}.csv"

    def places(self) -> tuple[Path, ...]:
        """Where files of it may lie; into the last one whatever this machine adds is written."""
        return (self.path,) if self.overlay is None else (self.path, self.overlay)

    def _place(self, model: str) -> Path:
        """Where a model's files lie: of two with the same name the shipped one counts, as for cohorts."""
        return next((place for place in self.places() if (place / "models" / f"{model}.json").is_file()), self.path)


@lru_cache(maxsize=KEPT)  # every question asks for all models: to join paths takes longer than to list the folder
def _manifests_in(models: Path, files: tuple[str, ...]) -> dict[str, Path]:
    found = (file for file in files if file.endswith(".json") and not file.startswith("."))
    return {file.removesuffix(".json"): models / file for file in found}


def _listed(folder: Path) -> list[str]:
    """The names in a folder, none where it is not there: a third of the time of Path.glob."""
    with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        return os.listdir(folder)
    return []


def folders(home: Path | None = None) -> Iterator[Folder]:
    """Every cohort that is there, the shipped ones first: of two with the same name the shipped one counts."""
    seen, own = set(), own_cohorts(home)
    for place in (CACHE, own):
        for path in sorted(place.glob("*/manifest.json")):
            name = path.parent.name
            if name not in seen and is_name(name):  # a name with a dot first is one that is being written
                seen.add(name)
                yield Folder(path.parent, _overlay(path.parent, own))


def _overlay(cohort: Path, own: Path) -> Path | None:
    overlay = own / cohort.name
    return None if cohort == overlay or (overlay / "manifest.json").is_file() else overlay


def place_of_additions(folder: Folder) -> Folder:
    """Where this machine writes what it adds to a cohort: beside a shipped one, never into it. Raises NoCohort."""
    if folder.path.parent != CACHE:
        return folder
    if folder.overlay is None:
        raise NoCohort(
            f"There are two cohorts called {folder.name}",
            f"The shipped one hides yours at {own_cohorts() / folder.name}: ingest yours under another name.",
        )
    folder.overlay.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Folder(folder.overlay)


def folder(name: str) -> Folder:
    """The cohort of this name; raises NoCohort where there is none."""
    there = {each.name: each for each in folders()}
    if name not in there:
        raise NoCohort(
            f"There is no cohort {name!r}",
            f"There are: {', '.join(there) or 'none'}. `python -m explorer ingest --help` says how to make one.",
        )
    return there[name]


def shipped_with(model: str) -> Iterator[Folder]:
    """The shipped cohorts that have predictions of a model of this name, in the order of their names."""
    return (folder for folder in map(Folder, sorted(CACHE.iterdir())) if model in folder.models())
