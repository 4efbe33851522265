"""Prepares playlists in the background, one at a time, and reports progress."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from explorer.runtime.background_jobs import BackgroundJob
from explorer.school.playlists.found_film import FilmSources
from explorer.school.playlists.playlist import Playlist
from explorer.school.playlists.playlist_files import SavedPlaylist
from explorer.school.preparing.prepared import PreparedPlaylist
from explorer.school.preparing.preparing import ReportProgress, prepare_playlist

MAX_PREPARED = 2  # prepared playlists in memory; one with 200 films takes about 200 MB
PreparePlaylist = Callable[[Playlist, FilmSources, ReportProgress], PreparedPlaylist]


@dataclass(frozen=True, slots=True)
class PreparingProgress:
    """`done` of `films` films are prepared."""

    done: int
    films: int


class PreparingJob:
    """Prepares playlists; callers repeat `ask` until the result is ready.

    Pending work that no one has asked for lately is dropped. Thread-safe.
    """

    def __init__(self, sources: FilmSources, prepare: PreparePlaylist = prepare_playlist) -> None:
        self._sources = sources
        self._prepare = prepare
        self._job = BackgroundJob(kept=MAX_PREPARED)
        self._done: dict[Hashable, int] = {}

    def ask(self, kept: SavedPlaylist) -> PreparedPlaylist | PreparingProgress:
        """Return the prepared playlist or the progress. Raises FailedWork once per failure, StoreError and NoCohort."""
        key = (kept.key, kept.version, self._versions(kept.playlist))

        def tell(done: int) -> None:
            self._done[key] = done

        def work() -> PreparedPlaylist:
            try:
                return self._prepare(kept.playlist, self._sources, tell)
            finally:
                self._done.pop(key, None)

        found = self._job.ask(key, work)
        return PreparingProgress(self._done.get(key, 0), len(kept.playlist.films)) if found is None else found

    def close(self) -> None:
        """Stop accepting work."""
        self._job.close()

    def _versions(self, playlist: Playlist) -> tuple[str, ...]:
        """Return the versions of the score files that the prepared playlist depends on."""
        store, available = self._sources.store, {each.name for each in self._sources.store.cohorts()}
        named = {
            (film.cohort, models) for film in playlist.films if film.cohort in available for models in ((), film.models)
        }
        made = {(cohort, each.model) for cohort, models in named for each in self._sources.models(cohort, models)}
        return tuple(store.version(cohort, model) for cohort, model in sorted(made))
