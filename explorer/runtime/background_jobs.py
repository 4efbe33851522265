"""Computes slow answers once, in a background thread, while the page stays responsive."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from models.refusal import Refusal

Result = TypeVar("Result")


class FailedWork(Refusal):
    """Numbers that could not be computed: `title` says so, `detail` what to do."""

    def __init__(self, reason: BaseException) -> None:
        super().__init__(
            "These numbers could not be computed",
            f"{type(reason).__name__}: {reason}. See the terminal that Tailscope runs in for details. Then ask again.",
        )


class GaveWay(Exception):
    """Work that ended because others wait for an answer and nobody for its own."""


@dataclass(slots=True)
class _Question:
    work: Callable[[], Any]
    last_asked: float


class BackgroundJob:
    """Returns known answers and computes others one at a time, most recently asked first.

    A key identifies the question and everything its answer depends on, including the version of the data. Clients poll:
    a question that nobody has asked for `patience` seconds is dropped, so that only current ones wait. At most `kept`
    answers are cached. Thread-safe; asking never blocks.
    """

    def __init__(
        self, *, kept: int = 4096, patience: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._kept = kept
        self._patience = patience
        self._clock = clock
        self._changed = threading.Condition()
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()  # least recently used first
        self._failures: OrderedDict[Hashable, FailedWork] = OrderedDict()
        self._waiting: OrderedDict[Hashable, _Question] = OrderedDict()  # least recently asked first
        self._at_work: Hashable | None = None
        self._asked_at_work = 0.0  # when the question at work was last asked
        self._thread: threading.Thread | None = None
        self._closed = False

    def ask(self, key: Hashable, work: Callable[[], Result]) -> Result | None:
        """Return the answer of `work`, which must not be None; None while it is being computed.

        Raises FailedWork once if it failed; the next question tries again.
        """
        with self._changed:
            if key in self._answers:
                self._answers.move_to_end(key)
                known: Result = self._answers[key]
                return known
            if key in self._failures:
                raise self._failures.pop(key)
            if self._at_work == key:
                self._asked_at_work = self._clock()
            elif not self._closed:
                self._enqueue(key, work)
            return None

    def known(self, key: Hashable) -> Any | None:  # noqa: ANN401 - of whatever type `ask` was given work for
        """Return the answer if it is computed; never starts work."""
        with self._changed:
            return self._answers.get(key)

    def check_wanted(self) -> None:
        """Called by long work between its steps: raises GaveWay once only others are waited for."""
        with self._changed:
            oldest = self._clock() - self._patience
            if self._asked_at_work < oldest and any(each.last_asked >= oldest for each in self._waiting.values()):
                raise GaveWay

    def close(self) -> None:
        """Accept no more work; running work finishes, and its answer is discarded."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()

    def _enqueue(self, key: Hashable, work: Callable[[], Any]) -> None:
        self._waiting[key] = _Question(work, self._clock())
        self._waiting.move_to_end(key)
        if self._thread is None:  # started on the first question only
            self._thread = threading.Thread(target=self._work, name="job", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _work(self) -> None:
        while self._work_once():
            pass

    def _work_once(self) -> bool:
        """Work on one question; False once the job is closed. Holds no reference to work while waiting."""
        question = self._next()
        if question is None:
            return False
        key, work = question
        try:
            self._finish(key, work(), None)
        except Exception as error:  # any error: the only worker thread must survive
            self._finish(key, None, error)
        return True

    def _next(self) -> tuple[Hashable, Callable[[], Any]] | None:
        """Return the most recently asked question that is still wanted; None once the job is closed."""
        with self._changed:
            while not self._closed:
                if not self._waiting:
                    self._changed.wait()
                    continue
                key, question = self._waiting.popitem()
                if self._clock() - question.last_asked <= self._patience:
                    self._at_work, self._asked_at_work = key, question.last_asked
                    return key, question.work
            return None

    def _finish(self, key: Hashable, answer: object, failure: Exception | None) -> None:
        with self._changed:
            self._at_work = None
            if failure is None:
                self._answers[key] = answer
                _trim(self._answers, self._kept)
            # Errors at shutdown are expected, because thread pools and the store are closed.
            elif not (self._closed or isinstance(failure, GaveWay)):
                logging.getLogger(__name__).error("Numbers could not be computed", exc_info=failure)
                self._failures[key] = FailedWork(failure)
                _trim(self._failures, self._kept)


def _trim(entries: OrderedDict[Hashable, Any], most: int) -> None:
    while len(entries) > most:
        entries.popitem(last=False)
