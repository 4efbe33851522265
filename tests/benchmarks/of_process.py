"""What a process and those that it started take of memory and of the cores. Most of it Linux alone tells."""

from __future__ import annotations

import os
import resource
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOOK_SECONDS = 0.05  # between two looks at the peaks of processes


def memory_of(process: int) -> float:
    """Resident MB of the process and of all that descend from it; what they share counts for each."""
    return sum(_resident_mb(each) for each in _family(process))


@contextmanager
def watched_peaks() -> Iterator[dict[int, float]]:
    """Yield the most MB that this process and each that descends from it have held, by process, ended ones included."""
    peaks: dict[int, float] = {}
    ended = threading.Event()

    def look() -> None:
        peaks.update({each: peak for each in _family(os.getpid()) if (peak := _resident_mb(each, "VmHWM:"))})

    def watch() -> None:
        while not ended.wait(LOOK_SECONDS):
            look()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peaks
        look()
    finally:
        ended.set()
        thread.join()


def computed_by(process: int) -> float:
    """Seconds of one core that the process and all that descend from it have computed."""
    return sum(_ticks(each) for each in _family(process)) / os.sysconf("SC_CLK_TCK")


def _family(process: int) -> list[int]:
    children = [int(child) for file in Path(f"/proc/{process}/task").glob("*/children") for child in _words(file)]
    return [process, *(each for child in children for each in _family(child))]


def _words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:  # the thread, or the process, has ended
        return []


def _ticks(process: int) -> int:
    file = Path(f"/proc/{process}/stat")
    try:
        words = file.read_text().rpartition(")")[2].split()  # its name may hold anything
    except OSError:
        return 0
    return int(words[11]) + int(words[12])


def _resident_mb(process: int, line: str = "VmRSS:") -> float:
    lines = _words_by_line(Path(f"/proc/{process}/status"))
    return int(lines.get(line, ["0"])[0]) / 1024


def _words_by_line(file: Path) -> dict[str, list[str]]:
    try:
        lines = [line.split() for line in file.read_text().splitlines()]
    except OSError:
        return {}
    return {words[0]: words[1:] for words in lines if words}


def peak_gigabytes(whose: int = resource.RUSAGE_SELF) -> float:
    """The most memory that this process has held, imports included; or that the largest of its ended children has."""
    peak = resource.getrusage(whose).ru_maxrss
    return peak / (1 if sys.platform == "darwin" else 1 / 1024) / 1e9  # bytes there, KiB elsewhere
