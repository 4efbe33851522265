"""The other process that lays films out: begun with one question, then asked again and again how far it is.

Both are pickled: only Tailscope itself asks and answers.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.analysis.film_map_job import FilmMapsJob
from explorer.analysis.film_map_of import film_map_of
from explorer.cohorts.film_map import FilmMap
from explorer.cohorts.layout import Folder
from explorer.core.progress import OnProgress
from explorer.runtime.helper_process import PATIENT, HelperProcess, serve
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

LOOKS = 0.25  # s between two questions how far it is


@dataclass(frozen=True, slots=True)
class Far:
    """How far the work is; at its end the map, or why there is none: a refusal's title and detail, or an exception."""

    done: int
    of: int
    map: FilmMap | None = None
    refusal: tuple[str, str] | None = None
    failure: str | None = None


class FilmMapsApart:
    """Lays films out at a lower priority: it takes minutes, and nobody who reads a film may wait for it.

    One map at a time. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._process = HelperProcess("explorer.analysis.film_map_process", PATIENT)
        self._turn = threading.Lock()

    def of(self, folder: Folder, model: str, on_progress: OnProgress) -> FilmMap:
        """What `film_map_of` returns. Raises Refusal as it does, RuntimeError, and HelperEnded."""
        with self._turn:
            self._process.ask(pickle.dumps((folder, model)))
            while True:
                far: Far = pickle.loads(self._process.ask(b""))
                if far.refusal is not None:
                    raise Refusal(*far.refusal)
                if far.failure is not None:
                    raise RuntimeError(far.failure)
                if far.map is not None:
                    return far.map
                on_progress(far.done, far.of)
                time.sleep(LOOKS)

    def end(self) -> None:
        """End the process, whatever it is at."""
        self._process.end()


def maps_apart(store: Store) -> FilmMapsJob:
    """Maps for the page, made in a process of their own."""
    return FilmMapsJob(store, FilmMapsApart().of)


class _Work:
    """One map in a thread, while questions are answered."""

    def __init__(self, make: Callable[[Folder, str, OnProgress], FilmMap]) -> None:
        self._make = make
        self._far = Far(0, 0)

    def answer(self, question: bytes) -> bytes:
        if question:
            self._far = Far(0, 0)
            threading.Thread(target=self._work, args=pickle.loads(question), daemon=True).start()
        return pickle.dumps(self._far)

    def _work(self, folder: Folder, model: str) -> None:
        try:
            made = self._make(folder, model, self._note)
            self._far = Far(1, 1, made)
        except Refusal as refusal:
            self._far = Far(0, 0, refusal=(refusal.title, refusal.detail))
        except Exception as error:  # any: it is told by who asked
            self._far = Far(0, 0, failure=f"{type(error).__name__}: {error}")

    def _note(self, done: int, of: int) -> None:
        self._far = Far(done, of)


if __name__ == "__main__":
    serve(_Work(film_map_of).answer)
