"""Reads the manifests of cohorts and models, and reports damaged ones, each once in the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.manifest import (
    Manifest,
    ModelManifest,
    manifest_name,
    misplaced_manifest,
    read_manifest,
    read_model_manifest,
)

AnyManifest = TypeVar("AnyManifest", Manifest, ModelManifest)
log = logging.getLogger(__name__)


class ManifestReader:
    """Reads cohorts' manifests and skips damaged ones. Each damaged manifest is logged once."""

    def __init__(self) -> None:
        self._logged: set[str] = set()

    def cohort(self, folder: Folder) -> Manifest | None:
        """Return a cohort's manifest; None if it is damaged, or belongs to another cohort."""
        return self._read(partial(_cohort, folder))

    def models(self, folder: Folder) -> tuple[ModelManifest, ...]:
        """Return the manifests of the models that scored the cohort, except damaged ones."""
        found = (self._read(partial(read_model_manifest, path)) for path in folder.model_manifests().values())
        return tuple(each for each in found if each is not None)

    def _read(self, read: Callable[[], AnyManifest]) -> AnyManifest | None:
        try:
            return read()
        except NoCohort as damaged:
            if str(damaged) not in self._logged:
                self._logged.add(str(damaged))
                log.warning("Left out: %s", damaged)
            return None


def damage_notes(folder: Folder) -> Iterator[str]:
    """Yield a sentence for each damaged manifest of a cohort."""
    reads: list[Callable[[], object]] = [partial(_cohort, folder)]
    reads += [partial(read_model_manifest, path) for path in folder.model_manifests().values()]
    for read in reads:
        try:
            read()
        except NoCohort as damaged:
            yield f"{damaged.title}: it is left out."
    for name in folder.misnamed():
        yield f"models/{name!r} of {folder.name} is not a valid model name: it is left out."


def unchecked_notes(folder: Folder, name: str) -> Iterator[str]:
    """Yield a sentence for a manifest that lists no files, as in older versions. Raises NoCohort."""
    manifests: dict[Path, Manifest | ModelManifest] = {folder.manifest: read_manifest(folder.manifest)}
    manifests[folder.model(name)] = read_model_manifest(folder.model(name))
    for path, manifest in manifests.items():
        if manifest.files is None:
            yield f"{manifest_name(path)} does not list its files: they are not checked for damage."


def _cohort(folder: Folder) -> Manifest:
    manifest = read_manifest(folder.manifest)
    if manifest.name != folder.name:
        raise misplaced_manifest(folder.manifest, manifest.name)
    return manifest
