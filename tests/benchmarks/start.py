"""How long a start takes: `python -m tests.benchmarks.start` prints `name value goal`, exits 1 if a goal is missed.

Each start is of a new process whose files the system has cached. Beside it stands a process that imports torch alone:
that ratio compares machines.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx

from tests.benchmarks.command_line import command, report
from tests.benchmarks.of_process import memory_of
from tests.benchmarks.one_visitor import Measured, Page, Visitor
from tests.benchmarks.timing import Figure
from tests.benchmarks.visitors import free_port, start

NEEDS = ("app",)
STARTS, REST = 5, 20.0  # starts measured; seconds until memory is at rest
SAMPLE = "masses"


async def waits(port: int, began: float) -> list[float]:
    """Return the seconds from `began` to the page, to the loaded model and to the first opinion."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
        await front_page(client)
        page = time.perf_counter() - began
        config = (await client.get("/config")).json()
        visitor = Visitor(client, Page.of(config), Measured())

        async def loaded() -> float:
            while (await visitor.call("read", "progress", ""))["loading"]:
                await asyncio.sleep(0.02)
            return time.perf_counter() - began

        async def opinion() -> float:
            token = (await visitor.event("read", "sample", {"key": SAMPLE}))["token"]
            await visitor.call("read", "opinion", token)
            return time.perf_counter() - began

        return [page, *await asyncio.gather(loaded(), opinion())]


async def front_page(client: httpx.AsyncClient) -> None:
    """Wait until the app answers with its page."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        try:
            (await client.get("/")).raise_for_status()
            return
        except httpx.TransportError:
            await asyncio.sleep(0.01)
    raise SystemExit("The app did not answer.")


def started(rest: float) -> list[float]:
    """Start the app once; returns `waits`, and the MB of its processes after `rest` seconds more."""
    port = free_port()
    with TemporaryDirectory() as temporary:
        began = time.perf_counter()
        server = start(port, Path(temporary))
        try:
            times = asyncio.run(waits(port, began))
            time.sleep(rest)
            return [*times, memory_of(server.pid)]
        finally:
            server.terminate()
            server.wait(timeout=60)


def torch_seconds() -> float:
    """Return what a process that imports torch and ends takes."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import torch"], check=True)
    return time.perf_counter() - began


def figures(starts: int, rest: float) -> Iterator[Figure]:
    """Yield the medians of so many starts after one that caches files."""
    started(0), torch_seconds()
    rows = [[*started(rest), torch_seconds()] for _ in range(starts)]
    page, loaded, opinion, memory, torch = map(median, zip(*rows, strict=True))
    yield Figure("start to the page", page, "s", 2)
    yield Figure("start to the loaded model", loaded, "s")
    yield Figure("start to the opinion on a sample", opinion, "s")
    yield Figure("import of torch alone", torch, "s")
    yield Figure("start to the page / import", page / torch, "x")
    yield Figure("memory at rest, with helpers", memory, "MB")


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(figures(*((1, 0.0) if asked.small else (STARTS, REST))), asked)


if __name__ == "__main__":
    raise SystemExit(main())
