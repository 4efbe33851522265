"""Calls from other threads into an event loop, batched so that the loop wakes up once for many of them.

Waking a loop is a system call, during which the writing thread yields to the loop. For each of fifty answers in one
commit, that would take longer than the commit itself.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial


class LoopCalls:
    """Calls into an event loop; `schedule` may be called from any thread, everything else only from the loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._calls: deque[Callable[[], None]] = deque()
        self._woken = False

    def running_loop(self) -> asyncio.AbstractEventLoop:
        """Return the running loop, which receives all later calls."""
        self._loop = asyncio.get_running_loop()
        return self._loop

    def schedule(self, call: Callable[[], None]) -> None:
        """Schedule a call in the loop; does nothing if there is no loop or it is closed."""
        if (loop := self._loop) is None:
            return
        self._calls.append(call)
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._run)

    async def wait_for(self, work: Future[None], seconds: float) -> None:
        """Wait until another thread has finished the work. Raises its exception, or TimeoutError."""
        over = self.running_loop().create_future()
        work.add_done_callback(lambda _: self.schedule(partial(_end, over)))
        async with asyncio.timeout(seconds):
            await over
        work.result()

    def _run(self) -> None:
        self._woken = False  # later calls wake the loop again
        while self._calls:
            self._calls.popleft()()


def _end(over: asyncio.Future[None]) -> None:
    if not over.done():
        over.set_result(None)
