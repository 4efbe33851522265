"""A class in a process of its own, driven by lines on its standard input: `go 3`, `reveal`, `end`, `board`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from explorer.classroom.class_settings import ClassSettings
from explorer.classroom.classroom import Classroom
from explorer.classroom.opening import open_class
from explorer.teaching.learner_page import served
from explorer.teaching.playlist import Playlist, PlaylistFilm, Question
from explorer.teaching.prepared import PreparedFilm, PreparedPlaylist
from explorer.teaching.truth import Truth
from tests.explorer.classroom.served_class import prepared_film

ROOT = Path(__file__).parents[2]
SIDE, PICTURE_BYTES = 1024, 90_000  # of a film's mask and picture, as those of a simulated film
QUESTIONS = (Question("findings"), Question("point", "Goiter"), Question("normal"), Question("present", "Goiter"))


class TaughtClass:
    """The teacher's side, from another process."""

    def __init__(self, folder: Path, films: int) -> None:
        command = [sys.executable, "-m", __name__, str(folder), str(films)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self._process.pid

    def ask(self, order: str) -> Any:  # noqa: ANN401 - whatever JSON holds
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate(timeout=30)


def film(number: int) -> PreparedFilm:
    """A film of the size of a real one, with a mask; its picture is noise."""
    draw = np.random.default_rng(number)
    made = prepared_film(QUESTIONS[number % len(QUESTIONS)])
    mask = np.zeros((SIDE, SIDE), bool)
    mask[400:520, 300:420] = True
    truth = Truth(made.truth.labels, made.truth.source, made.truth.sides, {"Goiter": mask})
    asked = PlaylistFilm("", f"phantom://v1/A/{number}", made.asked.question)
    return PreparedFilm(asked, (draw.bytes(PICTURE_BYTES),), SIDE, SIDE, True, truth, made.reveal)


def taught(classroom: Classroom, order: str) -> object:
    """What a teacher's order comes to."""
    word, _, number = order.partition(" ")
    if word == "go":
        classroom.go(int(number))
    elif word in ("reveal", "end"):
        getattr(classroom, word)()
    return classroom.board() if word == "board" else None


def main(folder: Path, films: int) -> None:
    opened = open_class(ClassSettings(True, 0, "127.0.0.1"), folder, served(), folder / "classes")
    assert opened is not None
    answers, sys.stdout = sys.stdout, sys.stderr
    opened.start()
    shown = tuple(film(number) for number in range(films))
    playlist = Playlist("Benchmark", tuple(each.asked for each in shown))
    opened.classroom.begin(PreparedPlaylist(playlist, shown, {"Goiter": ()}))
    for order in sys.stdin:
        answers.write(json.dumps(taught(opened.classroom, order.strip())) + "\n")
        answers.flush()
    opened.close()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(Path(sys.argv[1]), int(sys.argv[2]))
