"""Cohorts and models whose manifests say what they are; and those that are left out, by name, once in the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.manifest import Manifest, ModelManifest, another, called, read_manifest, read_model_manifest

Said = TypeVar("Said", Manifest, ModelManifest)
log = logging.getLogger(__name__)


class Readable:
    """What can be read of cohorts' manifests. Damage is logged when it is first met, not at every question."""

    def __init__(self) -> None:
        self._logged: set[str] = set()

    def cohort(self, folder: Folder) -> Manifest | None:
        """None where it is damaged, or another cohort's."""
        return self._read(partial(_cohort, folder))

    def models(self, folder: Folder) -> tuple[ModelManifest, ...]:
        """Those that have scored the cohort, but for the damaged ones."""
        found = (self._read(partial(read_model_manifest, path)) for path in folder.model_manifests().values())
        return tuple(each for each in found if each is not None)

    def _read(self, read: Callable[[], Said]) -> Said | None:
        try:
            return read()
        except NoCohort as damaged:
            if str(damaged) not in self._logged:
                self._logged.add(str(damaged))
                log.warning("Left out: %s", damaged)
            return None


def left_out(folder: Folder) -> Iterator[str]:
    """A sentence for what is damaged of a cohort's manifests."""
    reads: list[Callable[[], object]] = [partial(_cohort, folder)]
    reads += [partial(read_model_manifest, path) for path in folder.model_manifests().values()]
    for read in reads:
        try:
            read()
        except NoCohort as damaged:
            yield f"{damaged.title}: it is left out."
    for name in folder.misnamed():
        yield f"models/{name!r} of {folder.name} is not a valid model name: it is left out."


def unchecked(folder: Folder, name: str) -> Iterator[str]:
    """A sentence where the files of a cohort or a model are not listed, as by older versions. Raises NoCohort."""
    manifests: dict[Path, Manifest | ModelManifest] = {folder.manifest: read_manifest(folder.manifest)}
    manifests[folder.model(name)] = read_model_manifest(folder.model(name))
    for path, manifest in manifests.items():
        if manifest.files is None:
            yield f"{called(path)} does not list its files: they are not checked for damage."


def _cohort(folder: Folder) -> Manifest:
    said = read_manifest(folder.manifest)
    if said.name != folder.name:
        raise another(folder.manifest, said.name)
    return said
