"""Wakes learners' requests that wait for news."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import partial

from explorer.school.classroom.loop_calls import LoopCalls
from explorer.school.classroom.session import SessionChange

MAX_WAITING = 3  # waiting requests per learner, one per tab; one more ends the oldest
# s; joins within this time are announced together, or a class joining at once would wake everyone each time
JOIN_DELAY_S = 1.0
ANSWER_DELAY_S = (
    0.2  # s until a learner's own answer is announced, so that acknowledgments come first when a whole class answers
)


class Bell:
    """`ring` may be called from any thread, `wait` from one event loop."""

    def __init__(self, calls: LoopCalls) -> None:
        self._calls = calls
        self._waiting: defaultdict[int, list[asyncio.Future[bool]]] = defaultdict(list)
        self._soon: asyncio.TimerHandle | None = None

    def ring(self, change: SessionChange) -> None:
        """Announce news for everyone, or for the learner of this number."""
        self._calls.schedule(partial(self._ring, change))

    async def wait(self, number: int, seconds: float) -> bool:
        """Return whether there may be news for a learner; False after `seconds`, or if a newer request takes over."""
        loop = self._calls.running_loop()
        here = self._waiting[number]
        if len(here) >= MAX_WAITING:
            _wake(here[:1], news=False)
        woken: asyncio.Future[bool] = loop.create_future()
        here.append(woken)
        late = loop.call_later(seconds, partial(_wake, [woken], news=False))
        try:
            return await woken
        finally:
            late.cancel()
            here.remove(woken)

    def _ring(self, change: SessionChange) -> None:
        if change == "joined":
            if self._soon is None:
                self._soon = self._calls.running_loop().call_later(JOIN_DELAY_S, self._ring, "step")
            return
        if change != "step":
            self._calls.running_loop().call_later(ANSWER_DELAY_S, _wake, self._waiting[change])
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
