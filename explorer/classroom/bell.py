"""Wakes learners' requests that wait for something new."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from explorer.classroom.session import Change

AT_MOST = 3  # requests of a learner that wait at once, a tab each: one more is taken for the oldest, which is answered
TOGETHER = 1.0  # s in which those who join are told of together: a class that joins at once would wake each for each


class Bell:
    """`ring` may be called in any thread, `wait` in one event loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: defaultdict[int, list[asyncio.Future[None]]] = defaultdict(list)
        self._soon: asyncio.TimerHandle | None = None

    def ring(self, change: Change) -> None:
        """Something is new for everybody, or for the learner of this number."""
        if (loop := self._loop) is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._ring, change)

    async def wait(self, number: int, seconds: float) -> None:
        """Return when something may be new for a learner, at the latest after so many seconds."""
        self._loop = asyncio.get_running_loop()
        here = self._waiting[number]
        if len(here) >= AT_MOST:
            _wake(here[:1])
        woken = self._loop.create_future()
        here.append(woken)
        late = self._loop.call_later(seconds, _wake, [woken])
        try:
            await woken
        finally:
            late.cancel()
            here.remove(woken)

    def _ring(self, change: Change) -> None:
        if change == "joined":
            if self._soon is None and self._loop is not None:
                self._soon = self._loop.call_later(TOGETHER, self._ring, "step")
            return
        if change != "step":
            _wake(self._waiting[change])
            return
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        for waiting in self._waiting.values():
            _wake(waiting)


def _wake(waiting: list[asyncio.Future[None]]) -> None:
    for each in waiting:
        if not each.done():
            each.set_result(None)
