"""What a process and those that it started take of memory and of the cores. Linux alone tells."""

from __future__ import annotations

import os
from pathlib import Path


def memory_of(process: int) -> float:
    """Resident MB of the process and of all that descend from it; what they share counts for each."""
    return sum(_resident_mb(each) for each in _family(process))


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


def _resident_mb(process: int) -> float:
    lines = _words_by_line(Path(f"/proc/{process}/status"))
    return int(lines.get("VmRSS:", ["0"])[0]) / 1024


def _words_by_line(file: Path) -> dict[str, list[str]]:
    try:
        lines = [line.split() for line in file.read_text().splitlines()]
    except OSError:
        return {}
    return {words[0]: words[1:] for words in lines if words}
