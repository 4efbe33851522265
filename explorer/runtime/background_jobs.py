"""Slow answers while the page is already there: computed once, in a thread of their own."""

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
            f"{type(reason).__name__}: {reason}. The terminal that Tailscope runs in says more. Ask again.",
        )


@dataclass(slots=True)
class _Question:
    work: Callable[[], Any]
    asked: float


class Job:
    """Answers what is known and works on what is not, one question at a time, the last one asked first.

    A key names the question and everything its answer depends on, the version of the data among it. Whoever wants an
    answer goes on asking: a question that nobody has asked for `patience` seconds is dropped, so that no more wait
    than are looked at, and at most `kept` answers are remembered. Safe to use from several threads; nobody who asks
    ever waits.
    """

    def __init__(
        self, *, kept: int = 4096, patience: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._kept = kept
        self._patience = patience
        self._clock = clock
        self._changed = threading.Condition()
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()  # the one used longest ago first
        self._failures: OrderedDict[Hashable, FailedWork] = OrderedDict()
        self._waiting: OrderedDict[Hashable, _Question] = OrderedDict()  # the one asked longest ago first
        self._at_work: Hashable | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def ask(self, key: Hashable, work: Callable[[], Result]) -> Result | None:
        """What `work` answers, which is never None; None while it is being computed.

        Raises FailedWork once where it failed; who asks again has it tried again.
        """
        with self._changed:
            if key in self._answers:
                self._answers.move_to_end(key)
                known: Result = self._answers[key]
                return known
            if key in self._failures:
                raise self._failures.pop(key)
            if self._at_work != key and not self._closed:
                self._wait_in_line(key, work)
            return None

    def close(self) -> None:
        """Take up no more work; what is being computed ends by itself, and nobody hears how."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()

    def _wait_in_line(self, key: Hashable, work: Callable[[], Any]) -> None:
        self._waiting[key] = _Question(work, self._clock())
        self._waiting.move_to_end(key)
        if self._thread is None:  # a program that never asks has no thread
            self._thread = threading.Thread(target=self._work, name="job", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _work(self) -> None:
        while self._one():
            pass

    def _one(self) -> bool:
        """Work on one question; False when the job is closed. No work is held on to while the thread waits."""
        question = self._next()
        if question is None:
            return False
        key, work = question
        try:
            self._settle(key, work(), None)
        except Exception as error:  # any, or this one thread would be lost to everybody
            self._settle(key, None, error)
        return True

    def _next(self) -> tuple[Hashable, Callable[[], Any]] | None:
        """The question asked last that somebody still asks; None when the job is closed."""
        with self._changed:
            while not self._closed:
                if not self._waiting:
                    self._changed.wait()
                    continue
                key, question = self._waiting.popitem()
                if self._clock() - question.asked <= self._patience:
                    self._at_work = key
                    return key, question.work
            return None

    def _settle(self, key: Hashable, answer: object, failure: Exception | None) -> None:
        with self._changed:
            self._at_work = None
            if failure is None:
                self._answers[key] = answer
                _bound(self._answers, self._kept)
            elif not self._closed:  # a program that ends takes thread pools and the store from under the work
                logging.getLogger(__name__).error("Numbers could not be computed", exc_info=failure)
                self._failures[key] = FailedWork(failure)
                _bound(self._failures, self._kept)


def _bound(those: OrderedDict[Hashable, Any], most: int) -> None:
    while len(those) > most:
        those.popitem(last=False)
