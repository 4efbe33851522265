"""The other process that lays films out: begun with one question, then asked again and again how far it is.

Both are pickled: only Tailscope itself asks and answers.
"""

from __future__ import annotations

import pickle
import threading
import time
from typing import TYPE_CHECKING

from explorer.analysis.film_maps.film_map_job import FilmMapsJob
from explorer.analysis.film_maps.film_map_of import film_map_of
from explorer.analysis.film_maps.film_map_work import Far, Work
from explorer.cohorts.film_map import FilmMap
from explorer.cohorts.layout import Folder
from explorer.core.progress import OnProgress
from explorer.runtime.helper_process import PATIENT, HelperProcess, serve
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

LOOKS = 0.25  # s between two questions how far it is


class FilmMapsApart:
    """Lays films out at a lower priority: it takes minutes, and nobody who reads a film may wait for it.

    One map at a time. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._process = HelperProcess("explorer.analysis.film_maps.film_map_process", PATIENT)
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


if __name__ == "__main__":
    serve(Work(film_map_of).answer)
