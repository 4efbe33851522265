"""Reads films in separate processes, so that no film can crash, exhaust or block the main process.

Each film gets a turn of 2 seconds, and as many films run at once as there are cores. A film that needs longer continues
at a lower priority without holding a turn. Only a few may do so at once; beyond that, the film that has run longest is
killed. So no film waits for another for more than one turn, and the number of processes is bounded.
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

from models.child_process import start_child, write_message
from models.films.film import Radiograph, UnreadableRadiograph

TURN_SECONDS = 2.0  # seconds
MAX_OVERTIME = 3  # films that may run past their turn at once
# Seconds per film: catches a process that hangs without computing, which its own CPU limit does not.
MAX_SECONDS = 120.0


class FilmProcesses:
    """Reads films in reusable processes. Safe to use from several threads."""

    def __init__(self, turns: int | None = None, seconds: float = TURN_SECONDS) -> None:
        """Allow `turns` films at once (default: one per core, at least two), each with a turn of `seconds`."""
        self._turns = turns or max(2, os.cpu_count() or 2)
        self._seconds = seconds
        self._turn = threading.Semaphore(self._turns)
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._overtime: list[_Process] = []  # oldest first

    def start(self) -> None:
        """Start idle processes, so that the first films need not wait for them."""
        with self._lock:
            self._idle += [_Process() for _ in range(self._turns - len(self._idle))]

    def read(self, data: bytes) -> Radiograph:
        """Return the film in `data`. Raises UnreadableRadiograph."""
        with self._turn:
            process = self._take()
            answered = process.ask(data) and process.has_answered(self._seconds)
        if not answered:
            self._run_overtime(process)
            process.has_answered(MAX_SECONDS)
        try:
            return process.answer()
        finally:
            self._put_back(process)

    def close(self) -> None:
        """End the idle processes."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    def _take(self) -> _Process:
        with self._lock:
            return self._idle.pop() if self._idle else _Process()

    def _run_overtime(self, process: _Process) -> None:
        process.lower_priority()
        with self._lock:
            self._overtime.append(process)
            if len(self._overtime) > MAX_OVERTIME:
                self._overtime.pop(0).evict()

    def _put_back(self, process: _Process) -> None:
        with self._lock:
            if process in self._overtime:
                self._overtime.remove(process)
            elif process.is_usable and len(self._idle) < self._turns:
                self._idle.append(process)
                return
        process.end()  # includes processes whose priority was lowered, because it cannot be raised again


class _Process:
    """A process that reads one film at a time."""

    def __init__(self) -> None:
        self._popen = start_child(
            "models.films.decode_process",
            {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            stderr=subprocess.DEVNULL,  # decoders may print header text, which can identify a patient
        )
        self._was_evicted = False
        self.is_usable = True

    def ask(self, data: bytes) -> bool:
        """Send a film; return False if the process has already died."""
        assert self._popen.stdin is not None
        try:
            write_message(self._popen.stdin, data)
        except BrokenPipeError:
            self.is_usable = False
        return self.is_usable

    def has_answered(self, within: float) -> bool:
        """Return whether an answer starts, or the process ends, `within` seconds."""
        waiting = select.poll()
        waiting.register(self._popen.stdout, select.POLLIN)  # type: ignore[arg-type]  # stdout is a pipe here
        return bool(waiting.poll(within * 1000))

    def answer(self) -> Radiograph:
        """Return the film; call after `has_answered`. Raises UnreadableRadiograph."""
        silent = not self.has_answered(0)
        reply = None if silent else self._reply()
        if reply is not None and "title" in reply:
            raise UnreadableRadiograph(reply["title"], reply["detail"])
        pixels = None if reply is None else self._pixels(*reply.pop("shape"))
        if reply is None or pixels is None:
            self.is_usable = False
            raise self._refusal(silent)
        tuples = {name: tuple(value) for name, value in reply.items() if isinstance(value, list)}
        return Radiograph(pixels, **reply | tuples)

    def lower_priority(self) -> None:
        """Let faster films run first."""
        try:
            os.setpriority(os.PRIO_PROCESS, self._popen.pid, 10)
        except OSError:
            return  # the process has ended

    def evict(self) -> None:
        """Kill the process to make room for others; the waiting caller's refusal then gives that as the reason."""
        self._was_evicted = True
        self._popen.kill()

    def end(self) -> None:
        """Kill the process and close its pipes."""
        self.is_usable = False
        self._popen.kill()
        for pipe in (self._popen.stdin, self._popen.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:
                continue  # unsent bytes of a film that will never be read
        self._popen.wait()

    def _reply(self) -> dict[str, Any] | None:
        """Return the facts or the refusal; None if the process ended before sending them."""
        length = bytearray(8)
        if not self._fill(memoryview(length)):
            return None
        text = bytearray(int.from_bytes(length))
        if not self._fill(memoryview(text)):
            return None
        reply: dict[str, Any] = json.loads(text)
        return reply

    def _pixels(self, height: int, width: int) -> NDArray[np.float32] | None:
        """Return pixels (h, w); None if the process ended before sending them."""
        pixels = np.empty((height, width), np.float32)
        return pixels if self._fill(pixels.reshape(-1).view("u1").data) else None

    def _fill(self, place: memoryview) -> bool:
        """Fill `place` from the pipe; return False if the process ended first."""
        assert self._popen.stdout is not None
        at = 0
        while at < len(place) and (count := os.readv(self._popen.stdout.fileno(), [place[at:]])):
            at += count
        return at == len(place)

    def _refusal(self, silent: bool) -> UnreadableRadiograph:
        if self._was_evicted:
            return UnreadableRadiograph(
                "Too many films take long to decode", "This one had been running longest. Open it again in a minute."
            )
        if silent or self._popen.wait() == -signal.SIGPROF:
            return UnreadableRadiograph(
                "The film takes too long to decode",
                "Its data are damaged or far larger than a film's. Export it again, preferably uncompressed.",
            )
        return UnreadableRadiograph(
            "The film cannot be decoded",
            "Its data are damaged or need more than 1 GB of memory. Export the film again, preferably uncompressed.",
        )


def visitor_film_processes() -> FilmProcesses:
    """Return the processes for visitors' films."""
    # Keyed by process, because a forked child must not use its parent's processes.
    return _processes_of(os.getpid(), TURN_SECONDS)


def own_film_processes() -> FilmProcesses:
    """Return the processes for the user's own films, possibly thousands; each film keeps its turn until it is read."""
    return _processes_of(os.getpid(), MAX_SECONDS)


@cache
def _processes_of(process: int, seconds: float) -> FilmProcesses:
    made = FilmProcesses(seconds=seconds)
    atexit.register(made.close)
    return made
