"""What hostile films cost, and whom: `python -m tests.benchmarks.hostile` prints `name value goal`.

It exits 1 where a goal is missed. Times are of one core, as Linux counts them.

Hundreds of films of each kind are read as those of visitors are, while another visitor reads a small film again and
again and a clock ticks in the process that everybody shares. `--films N` of each kind, `--kind NAME` alone.
"""

from __future__ import annotations

import argparse
import os
import resource
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from models.films.any_format import open_film
from models.films.decode_pool import FilmProcesses
from models.films.decode_process import allowed_seconds
from models.radiograph import UnreadableRadiograph
from tests.benchmarks.command_line import command, report
from tests.benchmarks.hostile_films import KINDS, film, films, large_films
from tests.benchmarks.hostile_visitor import on_the_page
from tests.benchmarks.of_process import peak_gigabytes
from tests.benchmarks.timing import Figure
from tests.support.film_files import image_bytes

NEEDS = ("app",)
TICK = 0.005  # seconds


@dataclass
class Neighbor:
    """Another visitor, whose small films and whose clock are held up by what the first one does."""

    processes: FilmProcesses
    longest_film: float = 0.0
    longest_tick: float = 0.0
    watching: bool = False  # not while films are made, in this process too
    _ended: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Neighbor:
        self._threads = [threading.Thread(target=each) for each in (self._read, self._tick)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _read(self) -> None:
        data = image_bytes(film(), "PNG")
        while not self._ended.wait(0.05):
            start, watched = time.perf_counter(), self.watching
            self.processes.read(data)
            if watched and self.watching:
                self.longest_film = max(self.longest_film, time.perf_counter() - start)

    def _tick(self) -> None:
        while not self._ended.is_set():
            start, watched = time.perf_counter(), self.watching
            time.sleep(TICK)
            if watched and self.watching:
                self.longest_tick = max(self.longest_tick, time.perf_counter() - start - TICK)


def megapixels(data: bytes) -> float:
    """What the file says that it holds; 0 where it is refused before it has said it."""
    try:
        height, width = open_film(data).size
    except UnreadableRadiograph:
        return 0.0
    return height * width / 1e6


def computed() -> float:
    """Seconds of one core that the processes started by this one have computed, those that ended among them."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = 0
    for children in Path("/proc/self/task").glob("*/children"):
        for child in children.read_text().split():
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
                ticks += sum(map(int, Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13]))
    return ended.ru_utime + ended.ru_stime + ticks / os.sysconf("SC_CLK_TCK")


def seconds(processes: FilmProcesses, data: bytes) -> tuple[float, bool]:
    """How long one core takes for a film, and whether it was read."""
    start = computed()
    try:
        processes.read(data)
    except UnreadableRadiograph:
        return computed() - start, False
    return computed() - start, True


def of_kind(processes: FilmProcesses, kind: str, count: int, seed: int) -> Iterator[Figure]:
    """The slowest film of a kind, for each 25 megapixels; what others had of it; of cut films, how many were read."""
    slowest, read = 0.0, 0
    with Neighbor(processes) as neighbor:
        for data in films(kind, count, seed):
            size = max(1.0, megapixels(data) / 25)
            neighbor.watching = True
            taken, was_read = seconds(processes, data)
            neighbor.watching = False
            slowest = max(slowest, taken / size if was_read else taken)
            read += was_read
    yield Figure(f"{kind}: slowest of {count}", slowest, "s", 2)
    yield Figure(f"{kind}: another's film took", neighbor.longest_film, "s", 2)
    yield Figure(f"{kind}: server stood still", neighbor.longest_tick, "s", 0.5)
    yield Figure(f"{kind}: read", read, "", 0 if kind == "cut JPEG" else None)


def measured(asked: argparse.Namespace) -> Iterator[Figure]:
    """Every figure; of a small run one film of each kind, and one hostile film on the page."""
    processes = FilmProcesses()
    processes.start()
    seconds(processes, image_bytes(film(), "PNG"))  # started
    for kind in asked.kind or KINDS:
        yield from of_kind(processes, kind, 1 if asked.small else asked.films, asked.seed)
    if not asked.kind:
        yield from of_large_films(processes, 1 if asked.small else None)
    processes.close()
    yield Figure("largest process that reads films", peak_gigabytes(resource.RUSAGE_CHILDREN), "GB", 1)
    if not asked.kind:
        yield from on_the_page(1 if asked.small else None)


def of_large_films(processes: FilmProcesses, most: int | None) -> Iterator[Figure]:
    """Films of 25 megapixels that are only large; JPEG 2000 is allowed its time by the compressed byte too."""
    for name, data in islice(large_films(), most):
        goal = allowed_seconds(25_000_000, len(data)) if name == "JPEG 2000" else 2
        yield Figure(f"25 megapixels, {name}", seconds(processes, data)[0], "s", goal)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--films", type=int, default=300, help="of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, action="append", help="may be repeated; by default all")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
