"""Helper process that makes film maps: started with one request, then polled for progress.

Messages are pickled, which is safe because both ends belong to Tailscope.
"""

from __future__ import annotations

import pickle
import threading
import time
from typing import TYPE_CHECKING

from explorer.analysis.film_maps.film_map_job import FilmMapsJob
from explorer.analysis.film_maps.film_map_of import make_film_map
from explorer.analysis.film_maps.film_map_work import MapProgress, MapWork
from explorer.cohorts.film_map import FilmMap
from explorer.cohorts.layout import Folder
from explorer.core.progress import OnProgress
from explorer.runtime.helper_process import LOWEST_PRIORITY, HelperProcess, serve_questions
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

POLL_SECONDS = 0.25  # seconds between polls


class FilmMapHelper:
    """Makes maps at low priority, because they take minutes and must not slow down reading.

    One map at a time. Thread-safe.
    """

    def __init__(self) -> None:
        self._process = HelperProcess("explorer.analysis.film_maps.film_map_process", LOWEST_PRIORITY)
        self._turn = threading.Lock()

    def of(self, folder: Folder, model: str, on_progress: OnProgress) -> FilmMap:
        """Run `make_film_map` in the helper. Raises its Refusal, RuntimeError and HelperEnded."""
        with self._turn:
            self._process.ask(pickle.dumps((folder, model)))
            while True:
                far: MapProgress = pickle.loads(self._process.ask(b""))
                if far.refusal is not None:
                    raise Refusal(*far.refusal)
                if far.failure is not None:
                    raise RuntimeError(far.failure)
                if far.map is not None:
                    return far.map
                on_progress(far.done, far.of)
                time.sleep(POLL_SECONDS)

    def end(self) -> None:
        """Terminate the process."""
        self._process.end()


def background_maps(store: Store) -> FilmMapsJob:
    """Return the page's job, which makes maps in a helper process."""
    return FilmMapsJob(store, FilmMapHelper().of)


if __name__ == "__main__":
    serve_questions(MapWork(make_film_map).answer)
