"""Apps from one process that has imported the libraries already: an app of its own spends most of its start on that.

Other programs, too, that a test runs as Python does and that would import them.

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
LIBRARIES = ("torch", "timm", "gradio", "duckdb", "pyarrow.parquet", "pydicom", "sklearn", "open_clip")
# What Gradio imports with the first event; and the app's own modules, which read no settings when they are imported.
# And torch's compiler, which the text tower of every app that is asked a text imports, and whatever trains.
MODULES = (
    *LIBRARIES,
    "matplotlib.pyplot",
    "explorer.ui.page",
    "explorer.ui.gradio_host.serve",
    "explorer.cli.app",
    "explorer.store.store",
    "gradio.http_server",
    "models.load",
    "pydantic.v1",
    "transformers.models.bert.modeling_bert",
)
WAITS = "TAILSCOPE_TESTS_PATIENT"  # in an app's environment: its helpers give way, as they do for a visitor
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
        command = [sys.executable, "-m", "tests.support.forked_app", folder.name]
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

    def run(self, code: str, words: Sequence[str], said: Path) -> ForkedApp:
        """See `program`."""
        return ForkedApp(self, self.ask(code=code, words=list(words), environment=dict(os.environ), said=str(said)))


@functools.cache
def parent() -> Parent:
    """The one of this worker."""
    return Parent()


def program(code: str, words: Sequence[str], said: Path) -> ForkedApp | subprocess.Popen[bytes]:
    """A process that does what `python -c code words` does; the file `said` gets all that it prints."""
    if sys.platform == "linux":
        return parent().run(code, words, said)
    with said.open("wb") as file:
        return subprocess.Popen([sys.executable, "-c", code, *words], cwd=ROOT, stdout=file, stderr=file)


def become_app(words: Sequence[str], variables: Mapping[str, str]) -> NoReturn:
    """What `python app.py` does, in this process; its intervals are of fewer resamples, its helpers wait for a film."""
    become("app.py", words, variables, os.devnull)
    fewer_resamples()
    if WAITS not in variables:
        helpers_at_once()
    readers_with_the_first_film()
    try:
        runpy.run_path(str(ROOT / "app.py"), run_name="__main__")
    except SystemExit as ended:
        leaves_with.append(int(ended.code or 0))
    raise SystemExit


def become_program(code: str, words: Sequence[str], variables: Mapping[str, str], said: str) -> NoReturn:
    """What `python -c code` does, in this process."""
    become("-c", words, variables, said)
    try:
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    except SystemExit as ended:
        leaves_with.append(int(ended.code or 0))
    else:
        leaves_with.append(0)
    raise SystemExit


def become(program: str, words: Sequence[str], variables: Mapping[str, str], said: str) -> None:
    """Take on a program's command line and environment; what it prints goes to the file `said`."""
    os.environ.clear()
    os.environ.update(variables)
    tempfile.tempdir = None  # it may have been looked up with another environment
    nothing, file = os.open(os.devnull, os.O_RDONLY), os.open(said, os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(nothing, 0)
    os.dup2(file, 1)
    if said != os.devnull:
        os.dup2(file, 2)
    sys.argv = [program, *words]


def fewer_resamples() -> None:
    """Of the 1,000 behind every interval of Explore and of a lesson: how wide they are is tested with the bootstrap."""
    from explorer.analysis.intervals.intervals_job import IntervalsJob
    from explorer.school.lessons import means

    assert IntervalsJob.__init__.__kwdefaults__["resamples"] > RESAMPLES
    IntervalsJob.__init__.__kwdefaults__["resamples"] = means.RESAMPLES = RESAMPLES


def helpers_at_once() -> None:
    """Intervals and maps have the priority of everything else: a test waits for them, and the cores are busy."""
    from explorer.analysis.film_maps import film_map_process
    from explorer.analysis.intervals import intervals_process

    for module in (film_map_process, intervals_process):
        assert module.LOWEST_PRIORITY > 0
        module.LOWEST_PRIORITY = 0


def readers_with_the_first_film() -> None:
    """Not two of them with the app, which most tests never give a film; by hand it is started as ever."""
    from models.films.decode_pool import FilmProcesses

    FilmProcesses.start = lambda self: None  # type: ignore[method-assign]


def what_every_app_reads() -> None:
    """The shipped models, what their text towers say of every finding's words, and the page's scripts."""
    from explorer.asking.finding_match import FindingEmbeddings
    from explorer.settings import CLASSIFIERS, VLMS
    from explorer.ui.scripts import head_tags
    from models import load

    for name in (CLASSIFIERS.real, CLASSIFIERS.simulated):
        load.classifier(name, "cpu")
    for name in (VLMS.real, VLMS.simulated):
        FindingEmbeddings.of(load.vlm(name, "cpu").embed_texts)
    head_tags()


def leave() -> None:
    """Take nothing apart that is shared with the parent: to copy it first is most of what an app of no visitor costs.

    To be registered first, and so called last: what an app does in its end it has done.
    """
    sys.stdout.flush()
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
        elif "code" in order:
            become_program(order["code"], order["words"], order["environment"], order["said"])
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
    for module in MODULES:
        importlib.import_module(module)
    what_every_app_reads()
    gc.freeze()  # so that the memory stays shared
    threads = {task.joinpath("comm").read_text().strip() for task in Path("/proc/self/task").iterdir()}
    # A fork leaves threads behind; Arrow's memory pool alone is made to start its one again.
    assert len(threads - {"jemalloc_bg_thd"}) == 1, threads
    obey(sys.stdin)
    os._exit(0)  # DuckDB would complain of what is frozen
