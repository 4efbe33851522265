"""Wakes learners' requests that wait for something new."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import partial

from explorer.school.classroom.loop_calls import LoopCalls
from explorer.school.classroom.session import Change

AT_MOST = 3  # requests of a learner that wait at once, a tab each: one more is taken for the oldest, which is answered
TOGETHER = 1.0  # s in which those who join are told of together: a class that joins at once would wake each for each
OWN = 0.2  # s until a learner hears what the own answer changed: a class that answers at once is acknowledged first


class Bell:
    """`ring` may be called in any thread, `wait` in one event loop."""

    def __init__(self, calls: LoopCalls) -> None:
        self._calls = calls
        self._waiting: defaultdict[int, list[asyncio.Future[bool]]] = defaultdict(list)
        self._soon: asyncio.TimerHandle | None = None

    def ring(self, change: Change) -> None:
        """Something is new for everybody, or for the learner of this number."""
        self._calls.soon(partial(self._ring, change))

    async def wait(self, number: int, seconds: float) -> bool:
        """Whether something may be new for a learner: false after so many seconds, and for who has to give way."""
        loop = self._calls.here()
        here = self._waiting[number]
        if len(here) >= AT_MOST:
            _wake(here[:1], news=False)
        woken: asyncio.Future[bool] = loop.create_future()
        here.append(woken)
        late = loop.call_later(seconds, partial(_wake, [woken], news=False))
        try:
            return await woken
        finally:
            late.cancel()
            here.remove(woken)

    def _ring(self, change: Change) -> None:
        if change == "joined":
            if self._soon is None:
                self._soon = self._calls.here().call_later(TOGETHER, self._ring, "step")
            return
        if change != "step":
            self._calls.here().call_later(OWN, _wake, self._waiting[change])
            return
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        for waiting in self._waiting.values():
            _wake(waiting)


def _wake(waiting: list[asyncio.Future[bool]], news: bool = True) -> None:
    for each in waiting:
        if not each.done():
            each.set_result(news)
