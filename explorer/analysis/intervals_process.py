"""The other process that computes intervals: a question is what `intervals_of` takes, its answer what that returns.

Both are pickled: only Tailscope itself asks and answers.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from explorer.analysis.cell_intervals import FindingIntervals, intervals_of
from explorer.runtime.helper_process import PATIENT, HelperEnded, HelperProcess, serve

if TYPE_CHECKING:
    from explorer.store.results import Column


class IntervalsApart:
    """Computes intervals at a lower priority: they take seconds, and the page is there without them.

    Where no process can be started they are computed here. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._process = HelperProcess("explorer.analysis.intervals_process", PATIENT)

    def of(
        self, column: Column, centers: tuple[str, ...], between: tuple[str, str] | None, resamples: int, seed: int
    ) -> FindingIntervals:
        """What `intervals_of` returns."""
        try:
            answer: FindingIntervals = pickle.loads(
                self._process.ask(pickle.dumps((column, centers, between, resamples, seed)))
            )
        except HelperEnded:
            return intervals_of(column, centers, between, resamples, seed)
        return answer


def _answer(question: bytes) -> bytes:
    return pickle.dumps(intervals_of(*pickle.loads(question)))


if __name__ == "__main__":
    serve(_answer)
