"""Calls from other threads into an event loop, which is woken once for many.

To wake a loop is a system call, at which the thread that writes lets the loop go first: for each of fifty answers that
one commit made durable, that would take longer than the commit.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial


class LoopCalls:
    """`soon` may be called in any thread, all else in one event loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._calls: deque[Callable[[], None]] = deque()
        self._woken = False

    def here(self) -> asyncio.AbstractEventLoop:
        """The loop that runs, which takes the calls from now on."""
        self._loop = asyncio.get_running_loop()
        return self._loop

    def soon(self, call: Callable[[], None]) -> None:
        """Call it in the loop; nothing where there is none, or none any more."""
        if (loop := self._loop) is None:
            return
        self._calls.append(call)
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # it is closed
                loop.call_soon_threadsafe(self._run)

    async def done(self, work: Future[None], seconds: float) -> None:
        """Wait until another thread has done it. Raises what it raised, and TimeoutError."""
        over = self.here().create_future()
        work.add_done_callback(lambda _: self.soon(partial(_end, over)))
        async with asyncio.timeout(seconds):
            await over
        work.result()

    def _run(self) -> None:
        self._woken = False  # whoever comes from now on wakes the loop again
        while self._calls:
            self._calls.popleft()()


def _end(over: asyncio.Future[None]) -> None:
    if not over.done():
        over.set_result(None)
