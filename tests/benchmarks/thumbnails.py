"""Thumbnails of a fresh start, seen again, and beside computing: `python -m tests.benchmarks.thumbnails`.

It prints `name value goal` and exits 1 where a goal is missed. The app starts without a film or thumbnail made on this
machine. Beside computing, a probe asks again and again for thumbnails that are there while visitors read films and
browse Explore (see visits.py). Real films take part where TAILSCOPE_SHARED has them. Visitors run in this process, so
that they cost the server processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import numpy as np

from explorer.cohorts.layout import CACHE, SIMULATED_FILMS
from explorer.reading.samples import SAMPLES
from explorer.ui.routes import sample_address
from explorer.ui.shared.links import cohort_id
from tests.benchmarks.command_line import command, report
from tests.benchmarks.of_process import computed_by
from tests.benchmarks.one_visitor import PICTURES, Measured, Page, Visitor
from tests.benchmarks.timing import Figure
from tests.benchmarks.visitors import Load, config_of, free_port, start

SIMULATED, REAL = "phantom", "nih-oof"
PROBE_EVERY = 0.1  # seconds
NEEDS = ("app",)
GOAL = 1000.0  # ms: a cold gallery, and 95 in 100 thumbnails beside 25 + 25 visitors


async def gallery(visitor: Visitor, cohort: str, page: int = 1) -> list[str]:
    """The thumbnails' addresses on a page of Explore."""
    state = {"cohort": cohort_id(cohort), "page": str(page)}
    answer: dict[str, Any] = await visitor.call("explore", "slice_page", {"state": state, "known": None})
    return [item["thumb"] for item in answer["items"] if item["thumb"]]


async def shown(
    client: httpx.AsyncClient, addresses: Sequence[str], at_a_time: int = PICTURES
) -> tuple[float, list[float]]:
    """Load pictures as the page's script does; returns the ms until all are there, and the ms of each."""
    waiting, times = list(addresses), list[float]()

    async def load() -> None:
        while waiting:
            address, began = waiting.pop(0), time.perf_counter()
            (await client.get(address, timeout=60)).raise_for_status()
            times.append(1000 * (time.perf_counter() - began))

    began = time.perf_counter()
    await asyncio.gather(*(load() for _ in range(at_a_time)))
    return 1000 * (time.perf_counter() - began), times


async def beside(client: httpx.AsyncClient, addresses: Sequence[str], ended: asyncio.Event) -> list[float]:
    """The ms of one thumbnail after another, until the visitors have gone."""
    chance, times = random.Random(0), list[float]()
    while not ended.is_set():
        times.append((await shown(client, [chance.choice(addresses)]))[0])
        await asyncio.sleep(PROBE_EVERY)
    return times


def percentiles(name: str, times: Sequence[float], goal: float | None) -> list[Figure]:
    p50, p95 = np.percentile(times, [50, 95])
    return [Figure(f"{name}, p50", float(p50), "ms"), Figure(f"{name}, p95", float(p95), "ms", goal)]


async def measure(process: int, port: int, real: bool, options: argparse.Namespace) -> list[Figure]:
    """Every figure, of an app that was just started."""
    async with AsyncExitStack() as stack:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=limits))
        page = Page.of(await config_of(client))
        samples, _ = await shown(client, [sample_address(each.key) for each in SAMPLES if each.simulated], len(SAMPLES))
        visitor = Visitor(client, page, Measured())
        first, _ = await shown(client, await gallery(visitor, SIMULATED))
        began = time.perf_counter()
        opened = await visitor.event("read", "sample", {"key": next(each.key for each in SAMPLES if each.simulated)})
        await visitor.call("read", "film", opened["token"])
        film = 1000 * (time.perf_counter() - began)
        figures = [
            Figure("simulated samples, cold", samples, "ms", GOAL),
            Figure("gallery, cold", first, "ms", GOAL),
            Figure("simulated sample opened, cold", film, "ms"),
        ]
        known = {SIMULATED: [each for at in range(options.pages) for each in await gallery(visitor, SIMULATED, at + 1)]}
        if real:
            known[REAL] = [each for at in range(options.pages) for each in await gallery(visitor, REAL, at + 1)]
        for addresses in known.values():
            await shown(client, addresses)
        for name, addresses in known.items():
            before = computed_by(process)
            _, times = await shown(client, addresses * options.rounds)
            each = 1000 * (computed_by(process) - before) / len(times)
            figures += [*percentiles(f"{name}, warm", times, None), Figure(f"{name}, computed for each", each, "ms")]
        ended = asyncio.Event()
        probes = [asyncio.create_task(beside(client, addresses, ended)) for addresses in known.values()]
        load = Load(client, page)
        measured = await load.visit(options.visitors, options.visitors, options.seconds, seed=0)
        ended.set()
        for name, probe in zip(known, probes, strict=True):
            figures += percentiles(f"{name}, beside computing", await probe, GOAL)
        if "thumbnail" in measured.times:
            figures += percentiles("visitors' own", measured.times["thumbnail"], GOAL)
        return [*figures, Figure("errors", sum(measured.errors.values()), "", 0)]


def figures_of(options: argparse.Namespace) -> list[Figure]:
    """Every figure, of an app with a home of its own and nothing made before."""
    if not options.warm:
        for kept in (SIMULATED_FILMS, *CACHE.glob("*/thumbnails")):
            shutil.rmtree(kept, ignore_errors=True)
    films = Path(os.environ.get("TAILSCOPE_SHARED", "../shared")) / "data" / "nih_cxr14"
    words = ["--images", f"nih={films.resolve()}"] if films.is_dir() else []
    port = free_port()
    with TemporaryDirectory() as temporary:
        server = start(port, Path(temporary), *words)
        try:
            with ThreadPoolExecutor(1) as apart:  # a test's browser has an event loop in this thread
                return apart.submit(asyncio.run, measure(server.pid, port, bool(words), options)).result()
        finally:
            server.terminate()
            server.wait(timeout=60)


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = command(__doc__)
    parser.add_argument("--visitors", type=int, default=8, help="readers, and as many who browse")
    parser.add_argument("--seconds", type=float, default=60, help="of computing beside")
    parser.add_argument("--pages", type=int, default=4, help="of 24 thumbnails that are known when visitors come")
    parser.add_argument("--rounds", type=int, default=4, help="of all of them, warm")
    parser.add_argument("--warm", action="store_true", help="keep the thumbnails and films that were drawn here")
    asked = parser.parse_args(words)
    if asked.small:
        asked.visitors, asked.seconds, asked.pages, asked.rounds, asked.warm = 1, 4, 1, 1, True
    return asked


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = parsed(words)
    return report(figures_of(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
