"""Helper process that makes film maps: started with one request, then polled for progress.

Messages are pickled, which is safe because both ends are Tailscope.
"""

from __future__ import annotations

import pickle
import threading
import time
from typing import TYPE_CHECKING

from explorer.analysis.film_maps.film_map_job import FilmMapsJob
from explorer.analysis.film_maps.film_map_of import make_film_map
from explorer.cohorts.film_map import FilmMap
from explorer.cohorts.layout import Folder
from explorer.core.progress import OnProgress
from explorer.runtime.helper_process import LOWEST_PRIORITY, HelperProcess, serve_questions
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MapProgress:
    """Progress of a map; at the end the map, a refusal's title and detail, or the message of an exception."""

    done: int
    of: int
    map: FilmMap | None = None
    refusal: tuple[str, str] | None = None
    failure: str | None = None


class MapWork:
    """Makes one map in a thread and answers polls meanwhile."""

    def __init__(self, make: Callable[[Folder, str, OnProgress], FilmMap]) -> None:
        self._make = make
        self._far = MapProgress(0, 0)

    def answer(self, question: bytes) -> bytes:
        if question:
            self._far = MapProgress(0, 0)
            threading.Thread(target=self._work, args=pickle.loads(question), daemon=True).start()
        return pickle.dumps(self._far)

    def _work(self, folder: Folder, model: str) -> None:
        try:
            made = self._make(folder, model, self._note)
            self._far = MapProgress(1, 1, made)
        except Refusal as refusal:
            self._far = MapProgress(0, 0, refusal=(refusal.title, refusal.detail))
        except Exception as error:  # any: the requesting process raises it
            self._far = MapProgress(0, 0, failure=f"{type(error).__name__}: {error}")

    def _note(self, done: int, of: int) -> None:
        self._far = MapProgress(done, of)


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
