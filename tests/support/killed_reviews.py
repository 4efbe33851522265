"""Readers of a review whose processes are killed while they vote, and what is then on disk.

Run as a program it is one reader: once its standard input ends, it votes on the films that its reader has not voted
on, every third vote twice, as after a lost acknowledgment, and prints each acknowledged id.
"""

from __future__ import annotations

import random
import secrets
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from explorer.school.reviews.review import ReviewRules, Vote
from explorer.school.reviews.review_database import ReviewDatabase
from tests.explorer.school.reviews.made_reviews import database_of, review_of

ROOT = Path(__file__).parents[2]
READERS, FILMS, LIVES = 3, 4_000, 2
BEGUN = 60.0  # s in which a reader's first vote has to be acknowledged


@dataclass
class Losses:
    """Acknowledged votes that are not on disk, or not as sent, and readings or ids with more than one vote."""

    kills: int = 0
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)


def kill_readers(folder: Path, kills: int, seed: int) -> Losses:
    """Let three readers vote, kill all three at random moments, start them again on what is left, so often.

    Each review is killed twice: a vote takes a tenth of a millisecond where the disk does not wait, so that its films
    are soon read.
    """
    draw, losses = random.Random(seed), Losses()
    while losses.kills < kills:
        place = folder / f"review-{losses.kills}"
        rules = ReviewRules("everyone", most=FILMS, repeats=0)
        database = database_of(place, review_of([("Mass",)] * FILMS, rules=rules))
        heard = [line for life in range(LIVES) for line in _killed_once(place, life, draw)]
        losses.kills += LIVES * READERS
        _count(losses, database, place / "small.sqlite", heard)
        database.close()
    return losses


def _killed_once(place: Path, life: int, draw: random.Random) -> list[str]:
    """Start the three readers, kill them while they vote, and return what was acknowledged."""
    printed = [place / f"heard-{reader}-{life}" for reader in range(READERS)]
    running = [_start(place / "small.sqlite", reader, path) for reader, path in enumerate(printed)]
    try:
        for path, each in zip(printed, running, strict=True):
            _wait_for_lines(path, 1, each)  # ready
        for each in running:
            assert each.stdin is not None
            each.stdin.close()  # all vote from now on
        reader = draw.randrange(READERS)
        _wait_for_lines(printed[reader], draw.randrange(2, 20), running[reader])
    finally:
        for each in draw.sample(running, READERS):
            time.sleep(draw.uniform(0, 0.01))  # in the middle of a vote
            each.kill()
        for each in running:
            each.wait(BEGUN)
    return [line for path in printed for line in _whole_lines(path)[1:]]


def _start(file: Path, reader: int, heard: Path) -> subprocess.Popen[bytes]:
    with heard.open("wb") as out:  # a file, so that a kill loses nothing that was printed
        return subprocess.Popen(
            [sys.executable, "-m", "tests.support.killed_reviews", str(file), str(reader)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=out,
        )


def _wait_for_lines(path: Path, lines: int, process: subprocess.Popen[bytes]) -> None:
    late = time.monotonic() + BEGUN
    while len(_whole_lines(path)) < lines and process.poll() is None:
        assert time.monotonic() < late, f"{path.name} does not vote"
        time.sleep(0.002)


def _whole_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def _count(losses: Losses, database: ReviewDatabase, file: Path, heard: list[str]) -> None:
    losses.acknowledged += len(heard)
    again = ReviewDatabase(file)  # as after a restart
    there = {(each.reading.reader, each.reading.place): each for each in again.votes()}
    for line in heard:
        reader, place, note = line.split(" ")
        found = there.get((int(reader), int(place)))
        if found is None or found.vote.note != note:
            losses.lost.append(line)
    counts = Counter((each.reading.reader, each.reading.place) for each in again.votes())
    losses.doubled += [str(key) for key, count in counts.items() if count > 1]
    losses.doubled += [line for line, count in Counter(heard).items() if count > 1]
    assert database.votes() == again.votes()
    again.close()


def _vote(file: Path, reader: int) -> None:
    database = ReviewDatabase(file)
    done = database.voted(reader)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()  # until all are ready
    for each in database.readings_of(reader):
        if each.place in done:
            continue
        sent = secrets.token_hex(8)
        for _ in range(1 + (each.place % 3 == 0)):
            database.vote(reader, each.place, sent, Vote("agree all", note=sent))
        sys.stdout.write(f"{reader} {each.place} {sent}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _vote(Path(sys.argv[1]), int(sys.argv[2]))
