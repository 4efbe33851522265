"""Runs work in a separate process, so that it does not compete for the interpreter with threads that answer here.

Threads share the interpreter: work of many small steps would wait at each step, and everything else would wait for it.
Questions and answers are messages of `models.child_process`.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from explorer.runtime.memory import release_memory_loop
from models.child_process import claim_stdout, read_message, start_child, write_message

PROGRESS_PREFIX, ANSWER_PREFIX = b"n", b"a"  # first byte of each message from the process
LOWEST_PRIORITY = 19  # niceness of work that nobody waits for


class HelperEnded(Exception):
    """The process has ended, or cannot be started."""


class HelperProcess:
    """A process that answers one question at a time, started on first use. Thread-safe."""

    def __init__(self, module: str, nice: int = 0) -> None:
        """`module` is run with `python -m` and calls `serve_questions`; `nice` is its niceness."""
        self._module = module
        self._nice = nice
        self._lock = threading.Lock()
        self._popen: subprocess.Popen[bytes] | None = None
        atexit.register(self.end)

    def ask(self, question: bytes, heard: Callable[[bytes], object] = bytes) -> bytes:
        """Return the answer; `heard` gets each progress message before it.

        Raises HelperEnded; the next question starts a new process.
        """
        with self._lock:
            try:
                if self._popen is None:
                    self._popen = _started(self._module, self._nice)
                assert self._popen.stdin is not None and self._popen.stdout is not None
                write_message(self._popen.stdin, question)
                message = read_message(self._popen.stdout)
                while message is not None and message.startswith(PROGRESS_PREFIX):
                    heard(message[1:])
                    message = read_message(self._popen.stdout)
            except OSError as error:
                self._end()
                raise HelperEnded from error
            if message is None:
                self._end()
                raise HelperEnded
            return message[1:]

    def end(self) -> None:
        """End the process; a pending question is not answered."""
        popen = self._popen
        if popen is not None:
            popen.kill()  # before taking the lock, which a thread waiting for an answer holds
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._popen is None:
            return
        popen, self._popen = self._popen, None
        popen.kill()
        for pipe in (popen.stdin, popen.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):  # data that was not sent before it ended
                pipe.close()
        popen.wait()


def serve_questions(answer: Callable[[bytes], bytes]) -> None:
    """Answer questions until standard input closes, as it does when the parent ends."""
    serve_with_progress(lambda question, tell: answer(question))


def serve_with_progress(answer: Callable[[bytes, Callable[[bytes], None]], bytes]) -> None:
    """Answer questions, sending progress messages along the way."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # if the parent was killed, end silently
    threading.Thread(target=release_memory_loop, daemon=True).start()
    answers = claim_stdout()

    def tell(news: bytes) -> None:
        write_message(answers, PROGRESS_PREFIX + news)

    while (question := read_message(sys.stdin.buffer)) is not None:
        write_message(answers, ANSWER_PREFIX + answer(question, tell))


def _started(module: str, nice: int) -> subprocess.Popen[bytes]:
    # Its own process group: Ctrl-C reaches only the parent, which then ends this one. Not its own session: Linux first
    # divides the cores among sessions (sched_autogroup), and a priority only counts within one.
    process = start_child(module, process_group=0)
    if nice and hasattr(os, "setpriority"):
        with suppress(OSError):  # it has ended, which the next question will notice
            os.setpriority(os.PRIO_PROCESS, process.pid, nice)
    return process
