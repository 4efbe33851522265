"""Simulated films made in other processes: one takes a fifth of a second, in hundreds of small steps."""

from __future__ import annotations

from queue import LifoQueue

from explorer.cohorts import layout
from explorer.cohorts.simulated_films import KeptFilms
from explorer.runtime.helper_process import PATIENT, HelperEnded, HelperProcess
from explorer.simulator.film_png import SIZE
from explorer.simulator.packed_film import FilmFile, made, unpacked

MODULE = "explorer.simulator.render_process"
ABREAST = 2  # films of full size made at once: on busy cores one process would have too small a share


class FilmsApart:
    """Makes films of full size in two processes, and smaller ones in another at a lower priority: those are thumbnails.

    Where no process can be started the film is made here. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._thumbnails = HelperProcess(MODULE, PATIENT)
        self._films: LifoQueue[HelperProcess] = LifoQueue()  # those that are free; the last one used has started
        for _ in range(ABREAST):
            self._films.put(HelperProcess(MODULE))

    def of(self, address: str, size: int = SIZE) -> FilmFile:
        """The film of an address. Raises WrongRequest for a text that is not an address."""
        question = f"{size} {address}".encode()
        try:
            answer = self._film(question) if size == SIZE else self._thumbnails.ask(question)
        except HelperEnded:
            answer = b""
        return unpacked(answer) if answer else made(address, size)

    def _film(self, question: bytes) -> bytes:
        process = self._films.get()
        try:
            return process.ask(question)
        finally:
            self._films.put(process)


def kept_films_apart() -> KeptFilms:
    """Simulated films for the page: made in other processes, kept in the cache."""
    return KeptFilms(layout.SIMULATED, make=FilmsApart())
