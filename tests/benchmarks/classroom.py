"""A class at once: `python -m tests.benchmarks.classroom` prints `name value goal`, exits 1 if one is missed.

50 learners follow a teacher for ten minutes on loopback, every ten seconds a film: fetched, answered, revealed. The
learners run in this process, so that they cost the class's process CPU time. `--kills 100` kills a class as often at a
random moment while 50 learners answer, and looks what is on disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from explorer.school.classroom.kept_classes import class_database
from tests.benchmarks.class_learner import ClassLearner, Heard
from tests.benchmarks.command_line import command, report
from tests.benchmarks.of_process import computed_by, memory_of
from tests.benchmarks.taught_class import TaughtClass
from tests.benchmarks.timing import Figure
from tests.support.killed_classes import kill_classes

NEEDS = ("app",)
BESIDES = 180.0  # s that beginning and ending may take
SETTLED = 0.25  # of the time, after which memory is to stay as it is
KINDS = ("answer", "news of a step", "film", "picture", "reveal", "join", "page")


@dataclass(frozen=True)
class Pace:
    """Seconds that a film is open and revealed, and in which a learner answers."""

    film: float = 7.0
    revealed: float = 3.0
    think: float = 5.0


QUICK = Pace(1.2, 0.4, 0.8)


async def hold(folder: Path, learners: int, minutes: float, pace: Pace, *, in_app: bool) -> list[Figure]:
    """A class held, in figures."""
    films = max(2, round(minutes * 60 / (pace.film + pace.revealed)))
    teacher, heard = TaughtClass(folder, min(films, 200), in_app=in_app), Heard()
    try:
        # A class that hangs or dies ends the benchmark, too.
        return await asyncio.wait_for(_held(teacher, heard, folder, learners, films, pace), minutes * 60 + BESIDES)
    finally:
        teacher.close()
        for words, n in heard.wrong.items():
            print(f"{n} x {words}")


async def _held(
    teacher: TaughtClass, heard: Heard, folder: Path, learners: int, films: int, pace: Pace
) -> list[Figure]:
    board = await teacher.ask("board")
    port = int(board["addresses"][0].rstrip("/").rpartition(":")[2])
    taking_part = [
        asyncio.create_task(ClassLearner(port, f"Learner {n}", heard, n).learn(board["code"], pace.think))
        for n in range(learners)
    ]
    memory: list[float] = []
    watching = asyncio.create_task(_watch(teacher, memory))
    while len((await teacher.ask("board"))["learners"]) < learners:
        await asyncio.sleep(0.1)
    computed, begun = computed_by(teacher.pid), time.monotonic()
    for film in range(min(films, 200)):
        await _step(teacher, heard, f"go {film}")
        await asyncio.sleep(pace.film)
        await _step(teacher, heard, "reveal")
        await asyncio.sleep(pace.revealed)
    busy = (computed_by(teacher.pid) - computed) / (time.monotonic() - begun)
    watching.cancel()
    await _step(teacher, heard, "end")
    await asyncio.gather(*taking_part)
    settled = memory[int(len(memory) * SETTLED) :]
    return [
        Figure("answers acknowledged", len(heard.kept), "", learners * min(films, 200), least=True),
        Figure("errors", sum(heard.wrong.values()), "", 0),
        Figure("acknowledged and not on disk", _lost(folder / "classes", heard), "", 0),
        *(_share(kind, heard.times[kind], 300 if kind == "answer" else None) for kind in KINDS),
        Figure("answer, slowest", max(heard.times["answer"]), "ms"),
        Figure("memory of the class", settled[-1], "MB"),
        Figure("memory, last less first quarter", float(np.median(settled[-30:]) - np.median(settled[:30])), "MB", 5),
        Figure("cores used by the class", busy, ""),
        Figure("load of the machine", os.getloadavg()[2], ""),
    ]


async def _step(teacher: TaughtClass, heard: Heard, order: str) -> None:
    heard.stepped = time.monotonic()
    await teacher.ask(order)


async def _watch(teacher: TaughtClass, memory: list[float]) -> None:
    """As the teacher's page: looks at the board every second."""
    while True:
        await teacher.ask("board")
        memory.append(memory_of(teacher.pid))
        await asyncio.sleep(1)


def _share(kind: str, times: list[float], goal: float | None) -> Figure:
    return Figure(f"{kind}, 95 of 100 ({len(times)})", float(np.percentile(times, 95)), "ms", goal)


def _lost(folder: Path, heard: Heard) -> int:
    (file,) = folder.glob("*.sqlite")
    with class_database(file.stem, folder) as database:
        rows = database.execute("SELECT nickname, film, answer FROM answers JOIN learners USING (learner)").fetchall()
    kept = {(nickname, film): json.loads(answer) for nickname, film, answer in rows}
    assert len(kept) == len(rows)
    return sum(kept.get(key) != answer for key, answer in heard.kept.items())


def killed(folder: Path, kills: int, learners: int) -> list[Figure]:
    """Classes killed, in figures."""
    losses = kill_classes(folder, kills, learners, seed=0)
    for words in (*losses.lost, *losses.twice):
        print(words)
    return [
        Figure("classes killed", losses.kills, ""),
        Figure("answers acknowledged before", losses.acknowledged, ""),
        Figure("acknowledged and lost", len(losses.lost), "", 0),
        Figure("twice on disk", len(losses.twice), "", 0),
    ]


def measured(asked: argparse.Namespace) -> Iterator[Figure]:
    """A class held, or classes killed."""
    learners, minutes, pace = (3, 0.0, QUICK) if asked.small else (asked.learners, asked.minutes, Pace())
    with TemporaryDirectory() as name:
        folder = Path(name)
        if asked.kills:
            yield from killed(folder, asked.kills, learners)
        else:
            yield from asyncio.run(hold(folder, learners, minutes, pace, in_app=asked.in_app))


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--learners", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kills", type=int, default=0, help="kill so many classes instead of holding one")
    parser.add_argument("--in-app", action="store_true", help="in the process of the private page, as it is in use")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
