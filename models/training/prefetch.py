"""Prepares the next items of an iterator in a thread, while the current one is used."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def prefetched(items: Iterator[Item], ahead: int = 2) -> Iterator[Item]:
    """Yield the items in order; up to `ahead` more are made meanwhile, one after the other, in one other thread.

    An exception in the making is raised where its item would have come.
    """
    end = object()
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(next, items, end) for _ in range(ahead)]
        while (item := waiting.pop(0).result()) is not end:
            waiting.append(pool.submit(next, items, end))
            yield item  # type: ignore[misc]
