"""Simulated films made in other processes: one takes a fifth of a second, in hundreds of small steps."""

from __future__ import annotations

from explorer.helper_process import PATIENT, HelperEnded, HelperProcess
from explorer.phantom.film_file import SIZE
from explorer.phantom.packed_film import FilmFile, made, unpacked

MODULE = "explorer.phantom.film_process"


class FilmsApart:
    """Makes films of full size in one process, and smaller ones in another at a lower priority: those are thumbnails.

    Where no process can be had the film is made here. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._films, self._thumbnails = HelperProcess(MODULE), HelperProcess(MODULE, PATIENT)

    def of(self, address: str, size: int = SIZE) -> FilmFile:
        """The film of an address. Raises WrongRequest for a text that is no address."""
        process = self._films if size == SIZE else self._thumbnails
        try:
            answer = process.ask(f"{size} {address}".encode())
        except HelperEnded:
            answer = b""
        return unpacked(answer) if answer else made(address, size)
