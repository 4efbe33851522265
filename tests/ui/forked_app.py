"""Apps from one process that has imported the libraries already: an app of its own spends most of its start on that.

Run as a program it is that process: it takes orders as lines of JSON, one answer a line. The fork server of
multiprocessing would not do: its processes leave without their exit handlers, which remove the app's folder, and a
worker has one for all its tests, with the modules that the first of them asked for.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from explorer.runtime import environment
from models.without_compiler import skip_compiler

ROOT = Path(__file__).parents[2]
RESAMPLES = 100
# Not Tailscope's own modules: those read the settings of the app that they belong to.
LIBRARIES = ("torch", "timm", "gradio", "duckdb", "pyarrow.parquet", "pydicom", "sklearn", "open_clip")
leaves_with = [1]  # an app's status, 1 as long as it has not said how it ended


class ForkedApp:
    """An app that another process has started; what tests ask of a `subprocess.Popen`."""

    def __init__(self, parent: Parent, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._parent = parent

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._parent.ask(status=self.pid)
        return self.returncode

    def wait(self, timeout: float) -> int:
        deadline = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("app.py", timeout)
            time.sleep(0.02)
        return status

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


class Parent:
    """The process with the libraries, as long as these tests run."""

    def __init__(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="tailscope-tests-")
        atexit.register(folder.cleanup)
        command = [sys.executable, "-m", "tests.ui.forked_app", folder.name]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self._process.communicate)  # the end of its orders ends it

    def ask(self, **order: object) -> Any:  # noqa: ANN401 - whatever JSON holds
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def start(self, words: Sequence[str], variables: Mapping[str, str]) -> ForkedApp:
        """An app with the words of its command line and its environment."""
        return ForkedApp(self, self.ask(words=list(words), environment=dict(variables)))


@functools.cache
def parent() -> Parent:
    """The one of this worker."""
    return Parent()


def become_app(words: Sequence[str], variables: Mapping[str, str]) -> NoReturn:
    """What `python app.py` does, in this process; its intervals are of fewer resamples, its helpers wait for a film."""
    os.environ.clear()
    os.environ.update(variables)
    tempfile.tempdir = None  # it may have been looked up with another environment
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    sys.argv = ["app.py", *words]
    fewer_resamples()
    readers_with_the_first_film()
    try:
        runpy.run_path(str(ROOT / "app.py"), run_name="__main__")
    except SystemExit as ended:
        leaves_with.append(int(ended.code or 0))
    raise SystemExit


def fewer_resamples() -> None:
    """Of the 1,000 behind every interval of Explore and of a lesson: how wide they are is tested with the bootstrap."""
    from explorer.analysis.intervals_job import IntervalsJob
    from explorer.teaching.lessons import means

    assert IntervalsJob.__init__.__kwdefaults__["resamples"] > RESAMPLES
    IntervalsJob.__init__.__kwdefaults__["resamples"] = means.RESAMPLES = RESAMPLES


def readers_with_the_first_film() -> None:
    """Not two of them with the app, which most tests never give a film; by hand it is started as ever."""
    from models.films.decode_pool import FilmProcesses

    FilmProcesses.start = lambda self: None  # type: ignore[method-assign]


def leave() -> None:
    """Take nothing apart that is shared with the parent: to copy it first is most of what an app of no visitor costs.

    To be registered first, and so called last: what an app does in its end it has done.
    """
    os._exit(leaves_with[-1])


def obey(orders: Iterable[str]) -> None:
    """Start apps and say how they are; those that still run end with the orders, as when the tests are killed."""
    running: set[int] = set()
    for line in orders:
        order = json.loads(line)
        if "status" in order:
            pid, status = os.waitpid(order["status"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
            running.discard(pid)
        elif answer := os.fork():
            running.add(answer)
        else:
            become_app(order["words"], order["environment"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    for pid in running:
        os.kill(pid, signal.SIGTERM)


if __name__ == "__main__":
    atexit.register(leave)
    environment.before_numpy()
    environment.before_threads()
    environment.before_gradio(Path(sys.argv[1]), offline=True)
    skip_compiler()
    for library in LIBRARIES:
        importlib.import_module(library)
    gc.freeze()  # so that the memory stays shared
    threads = {task.joinpath("comm").read_text().strip() for task in Path("/proc/self/task").iterdir()}
    # A fork leaves threads behind; Arrow's memory pool alone is made to start its one again.
    assert len(threads - {"jemalloc_bg_thd"}) == 1, threads
    obey(sys.stdin)
    os._exit(0)  # DuckDB would complain of what is frozen
