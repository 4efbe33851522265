"""Many visitors at once: `python -m tests.benchmarks.visitors` prints `name value goal`, exits 1 if one is missed.

Half of the visitors read films, half browse Explore, each as a browser does: the requests of the page's scripts, six
connections, pauses to look (see visits.py). The goals are for 25 + 25 of them on 2 cores for three minutes, from a cold
start: no film and no thumbnail but those that ship. The visitors run in this process, so that they cost the
server CPU time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import numpy as np

from explorer.cohorts.layout import CACHE, SIMULATED_FILMS
from tests.benchmarks.command_line import command, report
from tests.benchmarks.of_process import computed_by, memory_of
from tests.benchmarks.one_visitor import Measured, Page, Visitor
from tests.benchmarks.timing import Figure
from tests.benchmarks.visits import browse, films_to_upload, read

ROOT = Path(__file__).parents[2]
NEEDS = ("app",)
GOALS = {"film of a case": 3000, "page of a slice": 1000, "opinion": 8000, "thumbnail": 1000}  # ms, of 95 in 100
START, WARM_UP, REST = 90, 20, 20  # seconds: at most, of one visitor of each kind, until memory is looked at again


def start(port: int, temporary: Path, *words: str) -> subprocess.Popen[bytes]:
    """The app on a port of 127.0.0.1, with no cohorts but those shipped."""
    environment = os.environ | {"TMPDIR": str(temporary), "TAILSCOPE_HOME": str(temporary / "home")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as `make run` does: compiling the modules takes half a second
    command = [sys.executable, "app.py", "--port", str(port), "--device", "cpu", *words]
    return subprocess.Popen(command, cwd=ROOT, env=environment)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


async def config_of(client: httpx.AsyncClient) -> dict[str, Any]:
    """The page's configuration, once the app answers."""
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        try:
            config: dict[str, Any] = (await client.get("/config")).raise_for_status().json()
            return config
        except httpx.TransportError:
            await asyncio.sleep(0.2)
    raise SystemExit("The app did not answer.")


class Load:
    """Visitors of one server, and what they met."""

    def __init__(self, client: httpx.AsyncClient, page: Page) -> None:
        self._client = client
        self._page = page
        self._uploads = films_to_upload()

    async def visit(self, readers: int, browsers: int, seconds: float, seed: int) -> Measured:
        """So many visitors, who come one after another within two seconds, for so long."""
        measured = Measured()

        async def one(number: int) -> None:
            chance = random.Random(f"{seed} {number}")
            await asyncio.sleep(chance.uniform(0, 2))
            visitor = Visitor(self._client, self._page, measured)
            async with visitor.here():
                await (read(visitor, self._uploads, chance) if number < readers else browse(visitor, chance))

        tasks = [asyncio.create_task(one(number)) for number in range(readers + browsers)]
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()  # raises what no visitor should meet
        return measured


async def peak_of(process: int, ended: asyncio.Event) -> float:
    """The most memory that is held until `ended`, in MB."""
    peak = 0.0
    while not ended.is_set():
        peak = max(peak, memory_of(process))
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), 1)
    return peak


async def measure(process: int, port: int, options: argparse.Namespace) -> tuple[Measured, list[Figure]]:
    """The load of the options on a running app; returns what the visitors met, and memory."""
    async with AsyncExitStack() as stack:
        # The server closes a connection that was idle for 5 s; a browser tries again where that crosses a request, and
        # here each request opens its own, which costs little on one machine.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=limits))
        load = Load(client, Page.of(await config_of(client)))
        if not options.small:
            await load.visit(1, 1, WARM_UP, seed=-1)
            await asyncio.sleep(2)
        before, ended = memory_of(process), asyncio.Event()
        watching = asyncio.create_task(peak_of(process, ended))
        began, computed = time.perf_counter(), computed_by(process)
        measured = await load.visit(options.readers, options.browsers, options.seconds, options.seed)
        cores = (computed_by(process) - computed) / (time.perf_counter() - began)
        ended.set()
        peak = await watching
        await asyncio.sleep(0 if options.small else REST)
        after = memory_of(process)
    return measured, [
        Figure("cores that the server took", cores, ""),
        Figure("memory before", before, "MB"),
        Figure("memory, peak", peak, "MB"),
        Figure("memory after", after, "MB"),
        Figure("memory after / before", after / before, "x", 1.3),
    ]


def figures_of(measured: Measured) -> list[Figure]:
    """p50, p95 and the worst of each kind of call, in ms."""
    figures = []
    for kind, times in sorted(measured.times.items()):
        p50, p95 = np.percentile(times, [50, 95])
        figures += [
            Figure(f"{len(times)} x {kind}, p50", float(p50), "ms"),
            Figure(f"{kind}, p95", float(p95), "ms", GOALS.get(kind)),
            Figure(f"{kind}, worst", max(times), "ms"),
        ]
    missing = [Figure(f"answers to {kind}", 0, "", 1, least=True) for kind in GOALS if kind not in measured.times]
    return [*figures, *missing, Figure("errors", sum(measured.errors.values()), "", 0)]


def counted(title: str, words: Counter[str]) -> Iterator[str]:
    """Yield a line for each kind of answer that was none."""
    return (f"{title}: {times} x {each}" for each, times in words.most_common())


def figures_and_lines(options: argparse.Namespace) -> Iterator[Figure | str]:
    """Every figure, of an app of its own; a small run has a visitor of each kind for seconds."""
    if options.small:
        options.readers, options.browsers, options.seconds = 1, 1, 6.0
    elif not options.warm:
        for kept in (SIMULATED_FILMS, *CACHE.glob("*/thumbnails")):
            shutil.rmtree(kept, ignore_errors=True)
    yield f"{options.readers} readers, {options.browsers} browsers, {options.seconds:g} s"
    port = free_port()
    with TemporaryDirectory() as temporary:
        server = start(port, Path(temporary))
        try:
            measured, memory = asyncio.run(measure(server.pid, port, options))
        finally:
            server.terminate()
            server.wait(timeout=60)
    yield from (*figures_of(measured), *memory)
    yield from (*counted("too many waiting", measured.waiting), *counted("error", measured.errors))


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--readers", type=int, default=25)
    parser.add_argument("--browsers", type=int, default=25)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--warm", action="store_true", help="keep the thumbnails and films that are there")
    asked = parser.parse_args(words)
    return report(figures_and_lines(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
