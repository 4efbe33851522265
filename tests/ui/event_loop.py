"""Coroutines in tests: the thread of a browser test has an event loop that runs already, Playwright's."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_in_thread(work: Coroutine[Any, Any, Result]) -> Result:
    """What the coroutine returns, from an event loop in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
