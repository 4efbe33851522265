"""Films read in processes of their own, so that no film can end, fill or hold up the process that everybody uses.

A film has a turn of 2 seconds; there are as many turns at a time as cores. Whoever needs longer goes on beside the
others at a lower priority, a few at most: of more, the one that has taken longest is ended. So no film waits for
another for more than a turn, and the processes there can be are counted.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import threading
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.child_process import started, write_message
from models.films.film import Radiograph, UnreadableRadiograph

TURN = 2.0  # seconds
BESIDE = 3  # films that take longer than their turn
LONGEST = 120.0  # seconds for one film; its own limit is of computing, this one is for a process that does not


class FilmProcesses:
    """Reads films, in processes that are kept for the next one. Safe to use from several threads."""

    def __init__(self, turns: int | None = None, seconds: float = TURN) -> None:
        """`turns` films at a time, by default one for each core, two at least; a turn is of so many seconds."""
        self._turns = turns or max(2, os.cpu_count() or 2)
        self._seconds = seconds
        self._turn = threading.Semaphore(self._turns)
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._beside: list[_Process] = []  # the one that began first is the first

    def start(self) -> None:
        """Have processes ready: a film need not wait until one has started."""
        with self._lock:
            self._idle += [_Process() for _ in range(self._turns - len(self._idle))]

    def read(self, data: bytes) -> Radiograph:
        """The film in these bytes. Raises UnreadableRadiograph."""
        with self._turn:
            process = self._take()
            answered = process.ask(data) and process.has_answered(self._seconds)
        if not answered:
            self._go_on_beside(process)
            process.has_answered(LONGEST)
        try:
            return process.answer()
        finally:
            self._put_back(process)

    def close(self) -> None:
        """End the processes that read nothing."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    def _take(self) -> _Process:
        with self._lock:
            return self._idle.pop() if self._idle else _Process()

    def _go_on_beside(self, process: _Process) -> None:
        process.lower_priority()
        with self._lock:
            self._beside.append(process)
            if len(self._beside) > BESIDE:
                self._beside.pop(0).make_room()

    def _put_back(self, process: _Process) -> None:
        with self._lock:
            if process in self._beside:
                self._beside.remove(process)
            elif process.is_usable and len(self._idle) < self._turns:
                self._idle.append(process)
                return
        process.end()  # also the one whose priority was lowered: that cannot be raised again


class _Process:
    """One process that reads one film at a time."""

    def __init__(self) -> None:
        self._popen = started(
            "models.films.decode_process",
            {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            stderr=subprocess.DEVNULL,  # decoders print what they like, of the header too
        )
        self._made_room = False
        self.is_usable = True

    def ask(self, data: bytes) -> bool:
        """Hand over a film; False where the process died of it already."""
        assert self._popen.stdin is not None
        try:
            write_message(self._popen.stdin, data)
        except BrokenPipeError:
            self.is_usable = False
        return self.is_usable

    def has_answered(self, within: float) -> bool:
        """Whether the answer begins, or the process ended, in so many seconds."""
        waiting = select.poll()
        waiting.register(self._popen.stdout, select.POLLIN)  # type: ignore[arg-type]  # a pipe, as asked for
        return bool(waiting.poll(within * 1000))

    def answer(self) -> Radiograph:
        """The film, once it was said that there is an answer. Raises UnreadableRadiograph."""
        silent = not self.has_answered(0)
        said = None if silent else self._said()
        if said is not None and "title" in said:
            raise UnreadableRadiograph(said["title"], said["detail"])
        pixels = None if said is None else self._pixels(*said.pop("shape"))
        if said is None or pixels is None:
            self.is_usable = False
            raise self._refusal(silent)
        tuples = {name: tuple(value) for name, value in said.items() if isinstance(value, list)}
        return Radiograph(pixels, **said | tuples)

    def lower_priority(self) -> None:
        """Let films that need less go first."""
        try:
            os.setpriority(os.PRIO_PROCESS, self._popen.pid, 10)
        except OSError:
            return  # it has ended

    def make_room(self) -> None:
        """End the process for the sake of others; whoever waits for its answer gets that as the reason."""
        self._made_room = True
        self._popen.kill()

    def end(self) -> None:
        """End the process."""
        self.is_usable = False
        self._popen.kill()
        for pipe in (self._popen.stdin, self._popen.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:
                continue  # the rest of a film that nobody reads any more
        self._popen.wait()

    def _said(self) -> dict[str, Any] | None:
        """The facts or the refusal; None where the process ended before it had said them."""
        length = bytearray(8)
        if not self._fill(memoryview(length)):
            return None
        text = bytearray(int.from_bytes(length))
        if not self._fill(memoryview(text)):
            return None
        said: dict[str, Any] = json.loads(text)
        return said

    def _pixels(self, height: int, width: int) -> NDArray[np.float32] | None:
        """Pixels (h, w); None where the process ended before it had written them."""
        pixels = np.empty((height, width), np.float32)
        return pixels if self._fill(pixels.reshape(-1).view("u1").data) else None

    def _fill(self, place: memoryview) -> bool:
        """Read as many bytes as there is room for; False where the process ended before."""
        assert self._popen.stdout is not None
        at = 0
        while at < len(place) and (some := os.readv(self._popen.stdout.fileno(), [place[at:]])):
            at += some
        return at == len(place)

    def _refusal(self, silent: bool) -> UnreadableRadiograph:
        if self._made_room:
            return UnreadableRadiograph(
                "Too many films take long to decode", "This one had been running longest. Open it again in a minute."
            )
        if silent or self._popen.wait() == -signal.SIGPROF:
            return UnreadableRadiograph(
                "The film takes too long to decode",
                "Its data are damaged, or larger than those of a film. Export it again, preferably uncompressed.",
            )
        return UnreadableRadiograph(
            "The film cannot be decoded",
            "Its data are damaged, or need more than 1 GB of memory. Export the film again, preferably uncompressed.",
        )


def visitors_films() -> FilmProcesses:
    """The processes that read what visitors bring."""
    return _kept(os.getpid(), TURN)  # a forked process has none yet: it must not use its parent's


def own_films() -> FilmProcesses:
    """The processes that read a user's own films, thousands of them perhaps: each has its turn until it is read."""
    return _kept(os.getpid(), LONGEST)


@cache
def _kept(process: int, seconds: float) -> FilmProcesses:
    made = FilmProcesses(seconds=seconds)
    atexit.register(made.close)
    return made
