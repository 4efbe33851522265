"""What one visitor's hostile films cost another one on the page: the running app, asked as two browsers ask it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from explorer.reading.samples import sample_bytes
from tests.benchmarks.hostile_films import films, large_films
from tests.benchmarks.one_visitor import Failed, Measured, Page, Visitor
from tests.benchmarks.timing import Figure
from tests.benchmarks.visitors import config_of
from tests.ui.app_server import start, stop

AT_ONCE = 3  # tabs of the hostile visitor, one film at a time in each
ALONE = 5  # films of the other one before it begins


def on_the_page(most: int | None) -> Iterator[Figure]:
    """How long a small film takes to open, alone and beside a visitor who opens the slowest and the worst films.

    `most`: so many of these, and as many small ones alone.
    """
    bad = list(islice(_hostile_films(), most))
    with TemporaryDirectory() as temporary:
        server = start(Path(temporary))
        try:
            alone, beside = asyncio.run(_measured(server.url, bad, most or ALONE))
        finally:
            stop(server)
    yield Figure("a film on the page, alone", sorted(alone)[len(alone) // 2], "s")
    yield Figure(f"beside {len(bad)} hostile ones, worst", max(beside), "s")
    yield Figure("held by another's film, worst", max(beside) - sorted(alone)[len(alone) // 2], "s", 2)


def _hostile_films() -> Iterator[bytes]:
    for kind in ("JPEG 2000", "DICOM header", "packed DICOM"):
        yield from films(kind, 8, seed=1)
    yield from (data for name, data in large_films() if name in ("JPEG 2000", "deflated DICOM", "CMYK TIFF"))


async def _measured(url: str, bad: list[bytes], count: int) -> tuple[list[float], list[float]]:
    """Seconds of each of some films alone, and of each beside the hostile ones."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=url, limits=limits) as client:
        page = Page.of(await config_of(client))
        visitor = Visitor(client, page, Measured())
        async with visitor.here():
            alone = [await _open(visitor, sample_bytes("masses")) for _ in range(count + 1)][1:]
            tabs = [Visitor(client, page, Measured()) for _ in range(AT_ONCE)]
            opening = asyncio.gather(*(_open_all(tab, bad[place::AT_ONCE]) for place, tab in enumerate(tabs)))
            beside = []
            while not opening.done():
                beside.append(await _open(visitor, sample_bytes("masses")))
            await opening
    return alone, beside


async def _open_all(visitor: Visitor, data: list[bytes]) -> None:
    async with visitor.here():
        for film in data:
            with suppress(Failed):  # most are refused
                await _open(visitor, film)


async def _open(visitor: Visitor, data: bytes) -> float:
    path = await visitor.upload(data)
    start = time.perf_counter()
    await visitor.event("read", "uploaded", {"path": path})
    return time.perf_counter() - start
