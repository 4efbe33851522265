"""Work done in a process of its own, so that it takes no turn from whoever is answered here.

Threads take turns at the interpreter: work of many small steps would wait for it at each, and all else for the work.
Question and answer are messages of `models.child_process`.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock

from models.child_process import claim_stdout, read_message, start_child, write_message

NEWS, ANSWER = b"n", b"a"  # how each message begins that the process sends
PATIENT = 19  # the priority of what nobody waits for: from 0, as everything is, to 19, which gets what is left over


class HelperEnded(Exception):
    """The process has ended, or cannot be started."""


class HelperProcess:
    """A process that answers one question at a time, started with the first one. Safe to use from several threads."""

    def __init__(self, module: str, nice: int = 0) -> None:
        """`module` is run with `python -m` and calls `serve`; `nice` as the operating system understands it."""
        self._module = module
        self._nice = nice
        self._lock = Lock()
        self._popen: subprocess.Popen[bytes] | None = None
        atexit.register(self.end)

    def ask(self, question: bytes, heard: Callable[[bytes], object] = bytes) -> bytes:
        """The answer; what the process tells before it is `heard`.

        Raises HelperEnded; the next question is asked of a new process.
        """
        with self._lock:
            try:
                if self._popen is None:
                    self._popen = _begun(self._module, self._nice)
                assert self._popen.stdin is not None and self._popen.stdout is not None
                write_message(self._popen.stdin, question)
                message = read_message(self._popen.stdout)
                while message is not None and message.startswith(NEWS):
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
        """End the process; what it is asked now is not answered."""
        popen = self._popen
        if popen is not None:
            popen.kill()  # before the lock: whoever waits for an answer holds it
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._popen is None:
            return
        popen, self._popen = self._popen, None
        popen.kill()
        for pipe in (popen.stdin, popen.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):  # what was not sent before it ended
                pipe.close()
        popen.wait()


def serve(answer: Callable[[bytes], bytes]) -> None:
    """Answer questions until standard input ends, as it does when the process that asks is gone."""
    serve_telling(lambda question, tell: answer(question))


def serve_telling(answer: Callable[[bytes, Callable[[bytes], None]], bytes]) -> None:
    """The same, and tell meanwhile what the one who asks may hear before the answer."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # who asked was killed: this ends without a word, too
    answers = claim_stdout()

    def tell(news: bytes) -> None:
        write_message(answers, NEWS + news)

    while (question := read_message(sys.stdin.buffer)) is not None:
        write_message(answers, ANSWER + answer(question, tell))


def _begun(module: str, nice: int) -> subprocess.Popen[bytes]:
    # A group of its own: Ctrl-C ends the program, which ends this one. Not a session of its own: Linux shares the cores
    # out among sessions first (sched_autogroup), and a priority counts within one only.
    process = start_child(module, process_group=0)
    if nice and hasattr(os, "setpriority"):
        with suppress(OSError):  # it has ended, and will be missed when it is asked
            os.setpriority(os.PRIO_PROCESS, process.pid, nice)
    return process
