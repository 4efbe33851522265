"""Makes a map in a thread and reports its progress; runs in the helper process.

Its messages are pickled, so they cannot be classes of `film_map_process`, which runs as `__main__`.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from dataclasses import dataclass

from explorer.cohorts.film_map import FilmMap
from explorer.cohorts.layout import Folder
from explorer.core.progress import OnProgress
from models.refusal import Refusal


@dataclass(frozen=True, slots=True)
class MapProgress:
    """The progress of a map and, at the end, the map, a refusal's title and detail, or an exception's message."""

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
        except Exception as error:  # catches anything: the requesting process raises it
            self._far = MapProgress(0, 0, failure=f"{type(error).__name__}: {error}")

    def _note(self, done: int, of: int) -> None:
        self._far = MapProgress(done, of)
