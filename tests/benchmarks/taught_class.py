"""A class in a process of its own, driven by lines on its standard input: `go 3`, `reveal`, `end`, `board`."""

from __future__ import annotations

import asyncio
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np

from explorer.school.class_file.learner_page import served_files
from explorer.school.classroom import opening
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.opening import OpenedClass, open_class
from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.prepared import PreparedFilm, PreparedPlaylist
from tests.explorer.school.classroom.served_class import prepared_film

ROOT = Path(__file__).parents[2]
SIDE, PICTURE_BYTES = 1024, 90_000  # of a film's mask and picture, as those of a simulated film
ASKED = ClassSettings(True, 0, "127.0.0.1")
LOADED = 30.0  # s
ANSWERED = 120.0  # s; of the first order, which waits until the app has loaded its models
START = f"import {__name__} as taught; taught.serve()"
QUESTIONS = (
    FilmQuestion("findings"),
    FilmQuestion("point", "Goiter"),
    FilmQuestion("normal"),
    FilmQuestion("present", "Goiter"),
)


class TaughtClass:
    """The teacher's side, from another process."""

    def __init__(self, folder: Path, films: int, *, in_app: bool) -> None:
        one_thread = {"OMP_NUM_THREADS": "1", **os.environ}
        command = [sys.executable, "-c", START, str(folder), str(films), *(["--in-app"] if in_app else [])]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=one_thread
        )
        self.pid = self._process.pid
        self._one = threading.Lock()

    async def ask(self, order: str) -> Any:  # noqa: ANN401 - whatever JSON holds
        """What an order comes to; the learners of this process go on meanwhile. Raises TimeoutError, ValueError."""
        return await asyncio.wait_for(asyncio.to_thread(self._ask, order), ANSWERED)

    def _ask(self, order: str) -> Any:  # noqa: ANN401 - whatever JSON holds
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._one:
            self._process.stdin.write(order + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End it, whatever it does."""
        try:
            self._process.communicate(timeout=ANSWERED)
        finally:
            self._process.kill()  # who waits for its line is answered, too


def film(number: int) -> PreparedFilm:
    """A film of the size of a real one, with a mask; its picture is noise."""
    draw = np.random.default_rng(number)
    made = prepared_film(QUESTIONS[number % len(QUESTIONS)])
    mask = np.zeros((SIDE, SIDE), bool)
    mask[400:520, 300:420] = True
    truth = Truth(made.truth.labels, made.truth.source, made.truth.sides, {"Goiter": mask})
    asked = PlaylistFilm("", f"phantom://v1/A/{number}", made.entry.question)
    return PreparedFilm(asked, (draw.bytes(PICTURE_BYTES),), SIDE, SIDE, True, truth, made.reveal)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def taught(classroom: Classroom, order: str) -> object:
    """What a teacher's order comes to."""
    word, _, number = order.partition(" ")
    if word == "go":
        classroom.go(int(number))
    elif word in ("reveal", "end"):
        getattr(classroom, word)()
    return classroom.board() if word == "board" else None


def serve() -> None:
    """Become the class that the command line describes: folder, number of films, `--in-app`."""
    folder, films, in_app = Path(sys.argv[1]), int(sys.argv[2]), "--in-app" in sys.argv
    answers, sys.stdout = sys.stdout, sys.stderr
    if in_app:
        beside_the_page(folder, lambda opened: obey(opened, films, answers))
        return
    opened = open_class(ASKED, folder, served_files(), folder / "classes")
    assert opened is not None
    opened.start()
    obey(opened, films, answers)
    opened.close()


def beside_the_page(folder: Path, when_served: Callable[[OpenedClass], None]) -> None:
    """Run app.py, whose private page is served in this process, too; `when_served` in a thread, then end it."""

    class Served(OpenedClass):
        def start(self) -> None:
            super().start()
            threading.Thread(target=self._obey).start()

        def _obey(self) -> None:
            time.sleep(LOADED)  # nobody begins a class in the seconds in which models are loaded
            when_served(self)
            os.kill(os.getpid(), signal.SIGTERM)

    def opened(settings: ClassSettings, private: Path) -> Served:
        made = open_class(ASKED, private, served_files(), folder / "classes")
        assert made is not None
        return Served(made.classroom, made._server)

    opening.open_class = opened  # type: ignore[assignment]
    sys.argv = ["app.py", "--port", str(free_port()), "--class"]
    runpy.run_path(str(ROOT / "app.py"), run_name="__main__")


def obey(opened: OpenedClass, films: int, answers: IO[str]) -> None:
    """Begin the class, then do what comes line by line."""
    shown = tuple(film(number) for number in range(films))
    playlist = Playlist("Benchmark", tuple(each.entry for each in shown))
    opened.classroom.begin(PreparedPlaylist(playlist, shown, {"Goiter": ()}))
    for order in sys.stdin:
        answers.write(json.dumps(taught(opened.classroom, order.strip())) + "\n")
        answers.flush()
