"""Renders simulated films in other processes: one film takes a fifth of a second of Python work."""

from __future__ import annotations

from queue import LifoQueue

from explorer.cohorts import layout
from explorer.cohorts.simulated_films import CachedFilms
from explorer.runtime.helper_process import LOWEST_PRIORITY, HelperEnded, HelperProcess
from explorer.simulator.film_png import FILM_SIZE
from explorer.simulator.packed_film import FilmFile, make_film_file, unpack_film

MODULE = "explorer.simulator.render_process"
PROCESSES = 2  # for full-size films; a single process would get too little time on busy cores


class FilmProcesses:
    """Renders full-size films in two processes, and smaller ones (thumbnails) in a third at low priority.

    If no process can be started, films are rendered here. Thread-safe.
    """

    def __init__(self) -> None:
        self._thumbnails = HelperProcess(MODULE, LOWEST_PRIORITY)
        self._films: LifoQueue[HelperProcess] = (
            LifoQueue()
        )  # idle ones; last in, first out, because the last one has already started
        for _ in range(PROCESSES):
            self._films.put(HelperProcess(MODULE))

    def of(self, address: str, size: int = FILM_SIZE) -> FilmFile:
        """Return the film of an address. Raises WrongRequest for a text that is not an address."""
        question = f"{size} {address}".encode()
        try:
            answer = self._film(question) if size == FILM_SIZE else self._thumbnails.ask(question)
        except HelperEnded:
            answer = b""
        return unpack_film(answer) if answer else make_film_file(address, size)

    def _film(self, question: bytes) -> bytes:
        process = self._films.get()
        try:
            return process.ask(question)
        finally:
            self._films.put(process)


def cached_film_processes() -> CachedFilms:
    """Return the page's source of simulated films: rendered in other processes, cached on disk."""
    return CachedFilms(layout.SIMULATED_FILMS, make=FilmProcesses())
