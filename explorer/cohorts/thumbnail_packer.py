"""Packs the thumbnails of simulated cohorts in the background where no usable pack exists."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from threading import Event
from time import monotonic

from explorer.cohorts.film_source import time_of
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.images import Images
from explorer.cohorts.kept_file import OptionalCache
from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.packed_thumbnails import pack_thumbnails, simulated_films
from explorer.cohorts.thumbnails import Thumbnails, thumbnail_file
from explorer.runtime.background_jobs import BackgroundJob, FailedWork

QUIET_S = 2.0  # seconds without a request that had to draw, because films on screen come first


class _Closed(Exception):
    """The program ends."""


class ThumbnailPacker:
    """Draws the thumbnails of one cohort after another, then packs them. Thread-safe.

    Each is first kept in its own file, so that nothing is lost if the program ends.
    """

    def __init__(self, images: Images) -> None:
        self.thumbnails = Thumbnails(images)
        self._images = images
        self._job = BackgroundJob()
        self._closed = Event()
        self._keeping = OptionalCache("Thumbnails cannot be packed in %s: %s.")

    def want(self, folder: Folder) -> None:
        """Start packing a cohort whose thumbnail had to be drawn; returns at once. Tried once for the same films."""
        with suppress(FailedWork):
            self._job.ask((folder.path, time_of(folder.cases)), lambda: self._pack(folder))

    def close(self) -> None:
        """Stop, leaving the thumbnails that are finished."""
        self._closed.set()
        self._job.close()

    def _pack(self, folder: Folder) -> bool:
        """Whether the cohort has a pack now."""
        with suppress(DamagedCohort, _Closed), self._keeping.into(folder.thumbnails):
            addresses = simulated_films(folder)
            if addresses and not self.thumbnails.packs.has(folder):
                pack_thumbnails(folder.thumbnail_packs()[-1], addresses, self._drawn(folder, addresses))
                for name in addresses:
                    thumbnail_file(folder, name).unlink(missing_ok=True)
        return self.thumbnails.packs.has(folder)

    def _drawn(self, folder: Folder, addresses: dict[str, str]) -> Iterator[bytes | None]:
        for name, address in addresses.items():
            while (quiet := monotonic() - self.thumbnails.last_requested) < QUIET_S and not self._closed.is_set():
                self._closed.wait(QUIET_S - quiet)
            if self._closed.is_set():
                raise _Closed
            film = self._images.film(PHANTOM, address)
            yield None if film is None else self.thumbnails.drawn(folder, name, film)
