"""Classes whose process is killed while learners answer, and what is then on disk.

Run as a program it is the process that has imported everything already: each order, a line with a folder, forks a class
in it; the answer is a line of JSON with its process, port and code. The orders' end ends it.
"""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import json
import os
import random
import signal
import sys
import threading
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE
from typing import Any, NoReturn

from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.kept_classes import class_database, kept_classes
from explorer.school.classroom.opening import open_class
from explorer.school.playlists.playlist import FilmQuestion
from tests.explorer.school.classroom.served_class import FILES, prepared
from tests.support.class_client import ClassClient, NotAnswered
from tests.ui.event_loop import run_in_thread

ROOT = Path(__file__).parents[2]
FILMS = 10  # as many as a learner may answer at once
BEGUN = 60.0  # s in which a class has to begin
LONGEST = 5.0  # s that a class lives once its learners join


@dataclass
class Losses:
    """What came of the kills: answers that were acknowledged and are not there, are others, or are there twice."""

    kills: int = 0
    acknowledged: int = 0
    joined: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    stages: Counter[str] = field(default_factory=Counter)


def kill_classes(folder: Path, kills: int, learners: int, seed: int) -> Losses:
    """So many classes, each killed at a random moment while its learners join and answer as fast as they can."""
    return run_in_thread(_kill_classes(folder, kills, learners, random.Random(seed)))


async def _kill_classes(folder: Path, kills: int, learners: int, draw: random.Random) -> Losses:
    losses = Losses()
    command = [sys.executable, "-m", __name__]
    # Of a session of its own: a class that outlived it would hold its pipes, and to wait for it would never end.
    warm = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=PIPE, stdout=PIPE, start_new_session=True)
    assert warm.stdin is not None and warm.stdout is not None
    try:
        for _ in range(kills):
            warm.stdin.write(f"{folder}\n".encode())
            told = json.loads(await asyncio.wait_for(warm.stdout.readline(), BEGUN))
            assert "failed" not in told, told
            heard: dict[tuple[str, int], Any] = {}
            joined: set[str] = set()
            work = [_learner(told, f"L{number}", heard, joined, draw.random()) for number in range(learners)]
            answering = asyncio.gather(*work)
            await _heard(heard, draw.randrange(learners * FILMS // 2))
            await asyncio.sleep(draw.uniform(0, 0.01))  # in the middle of the next ones
            os.kill(told["pid"], signal.SIGKILL)
            await asyncio.wait_for(answering, BEGUN)
            await _gone(told["pid"])
            _count(losses, told["id"], folder, heard, joined)
    finally:
        os.killpg(warm.pid, signal.SIGKILL)
        await asyncio.wait_for(warm.wait(), BEGUN)
    return losses


async def _heard(heard: dict, answers: int) -> None:
    """Wait until so many answers were acknowledged."""
    loop = asyncio.get_running_loop()
    late = loop.time() + LONGEST
    while len(heard) < answers and loop.time() < late:
        await asyncio.sleep(0.001)


async def _gone(process: int) -> None:
    """Wait until a process that was killed holds nothing any more."""
    late = asyncio.get_running_loop().time() + LONGEST
    while Path(f"/proc/{process}").exists() and asyncio.get_running_loop().time() < late:
        await asyncio.sleep(0.001)


async def _learner(told: dict[str, Any], nickname: str, heard: dict, joined: set[str], draw: float) -> None:
    """Joins, answers film after film, some of them twice at once, and notes what was acknowledged."""
    first, second = ClassClient(told["port"]), ClassClient(told["port"])
    try:
        if await first.join(told["code"], nickname) == 200:
            joined.add(nickname)
        second.cookie = first.cookie
        for film in range(FILMS):
            answer = {"sure": 1 + film % 3, "findings": {"Mass": ""} if draw * FILMS > film else {}}
            asked = [first.ask("/answer", {"film": film, "answer": answer})]
            if film % 2 and film < FILMS / 2:
                asked.append(second.ask("/answer", {"film": film, "answer": answer}))
            for said in await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), BEGUN):
                if isinstance(said, tuple) and said[0] == 200:
                    heard[nickname, film] = answer
                elif isinstance(said, NotAnswered):
                    return
    except NotAnswered:
        pass
    finally:
        first.close()
        second.close()


def _count(losses: Losses, name: str, folder: Path, heard: dict, joined: set[str]) -> None:
    """The class as it is read after the kill."""
    with class_database(name, folder) as database:
        found = database.execute("SELECT nickname, film, answer FROM answers JOIN learners USING (learner)").fetchall()
        nicknames = {each for (each,) in database.execute("SELECT nickname FROM learners")}
        whole = database.execute("PRAGMA integrity_check").fetchone()[0]
    kept = {(nickname, film): json.loads(answer) for nickname, film, answer in found}
    losses.kills += 1
    losses.acknowledged += len(heard)
    losses.joined += len(joined)
    losses.lost += [f"{name}: {key}" for key, answer in heard.items() if kept.get(key) != answer]
    losses.lost += [f"{name}: {nickname}" for nickname in joined - nicknames]
    losses.lost += [] if whole == "ok" else [f"{name}: {whole}"]
    losses.twice += [f"{name}: {key}" for key, n in Counter((row[0], row[1]) for row in found).items() if n > 1]
    (listed,) = [each for each in kept_classes(folder) if not isinstance(each, str) and each.id == name]
    losses.stages[listed.stage] += 1


def become_class(folder: Path) -> NoReturn:
    """Serve a class until the process is killed."""
    opened = open_class(ClassSettings(True, 0, "127.0.0.1"), folder, FILES, folder)
    assert opened is not None
    said, sys.stdout = sys.stdout, sys.stderr
    opened._server.start()  # type: ignore[union-attr]  # without a word on the terminal
    opened.classroom.begin(prepared(*[FilmQuestion("findings")] * FILMS))
    opened.classroom.go(FILMS - 1)
    board = opened.classroom.board()
    port = int(board["addresses"][0].rstrip("/").rpartition(":")[2])
    said.write(json.dumps({"pid": os.getpid(), "id": board["id"], "code": board["code"], "port": port}) + "\n")
    said.flush()
    faulthandler.cancel_dump_traceback_later()
    while True:
        signal.pause()


if __name__ == "__main__":
    import explorer.school.classroom.app
    import explorer.school.classroom.server  # noqa: F401 - before the forks

    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who was killed is gone
    assert threading.active_count() == 1  # a fork leaves threads behind
    for line in sys.stdin:
        if not os.fork():
            faulthandler.dump_traceback_later(BEGUN / 2, exit=True)
            try:
                become_class(Path(line.strip()))
            except Exception:
                print(json.dumps({"failed": traceback.format_exc()}), file=sys.__stdout__, flush=True)
                os._exit(1)
