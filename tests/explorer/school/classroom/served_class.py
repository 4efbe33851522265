"""A class that is really served, on 127.0.0.1, and the devices of its learners."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.core.findings import Outcome
from explorer.school.class_file.learner_page import LEARNER_PAGE
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.opening import open_class
from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.prepared import PreparedFilm, PreparedPlaylist

FILES = {LEARNER_PAGE: b"<!doctype html><title>Class</title>", "class/learner.js": b"export const a = 1;"}
# Of every film's truth; none of it may be in an answer before the reveal.
SECRETS = ("Goiter", "Kyphosis", "the teacher's labels", "phantom://", "the secret note", "#explore?secret", "0.8125")


def prepared_film(question: FilmQuestion, *, pair: int | None = None) -> PreparedFilm:
    """A film that has a goiter, on the left, and no kyphosis."""
    labels = {"Goiter": "present", "Kyphosis": "absent"}
    truth = Truth(labels, "the teacher's labels", {"Goiter": "left"}, pair=pair)  # type: ignore[arg-type]
    asked = PlaylistFilm("", "phantom://v1/A/7?Goiter=left", question, "A cough.", "the secret note", "#explore?secret")
    rows = [{"finding": "Goiter", "score": 0.8125, "threshold": 0.5, "outcome": Outcome.HIT}]
    pictures = tuple(b"RIFF picture %d" % place for place in range(1 if pair is None else 2))
    reveal: Any = {
        "present": [{"finding": "Goiter", "side": "left"}],
        "absent": ["Kyphosis"],
        "normal": False,
        "pair": pair,
        "source": truth.source,
        "areas": [],
        "models": [{"model": "phantom", "origin": "internal", "rows": rows, "overlays": []}],
        "near": [],
        "note": asked.note,
        "simulated": True,
    }
    return PreparedFilm(asked, pictures, 64, 48, True, truth, reveal)


def prepared(*questions: FilmQuestion, pair: int | None = None) -> PreparedPlaylist:
    """A playlist of such films, by default of two that ask for findings and for normal."""
    films = tuple(
        prepared_film(each, pair=pair) for each in questions or (FilmQuestion("findings"), FilmQuestion("normal"))
    )
    playlist = Playlist("A lesson", tuple(film.entry for film in films), "About it", "The closing words")
    return PreparedPlaylist(playlist, films, {"Goiter": ("struma",), "Mass": ()})


def goiter(sure: int = 2, side: str = "left") -> dict[str, object]:
    """The right answer to a question for findings."""
    return {"sure": sure, "findings": {"Goiter": side}}


@dataclass
class Said:
    """What a server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 - whatever JSON holds
        return json.loads(self.body)


@dataclass
class Device:
    """A learner's device: keeps its cookie, and everything that it was sent."""

    port: int
    tls: ssl.SSLContext | None = None
    cookie: str = ""
    heard: list[Said] = field(default_factory=list)

    def ask(
        self,
        path: str,
        sent: object = None,
        *,
        method: str = "",
        headers: dict[str, str] | None = None,
        raw: bytes = b"",
    ) -> Said:
        """GET, or POST where something is sent."""
        connection = (
            http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            if self.tls is None
            else http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=self.tls)
        )
        body = raw or (None if sent is None else json.dumps(sent).encode())
        words = {"Content-Type": "application/json"} if body is not None else {}
        words |= {"Cookie": self.cookie} if self.cookie else {}
        try:
            connection.request(method or ("GET" if body is None else "POST"), path, body, words | (headers or {}))
            answer = connection.getresponse()
            said = Said(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()
        if "set-cookie" in said.headers:
            self.cookie = said.headers["set-cookie"].partition(";")[0]
        self.heard.append(said)
        return said

    def join(self, code: str, nickname: str) -> Said:
        return self.ask("/join", {"code": code, "nickname": nickname})

    def answer(self, film: object, answer: object) -> Said:
        return self.ask("/answer", {"film": film, "answer": answer})


@dataclass
class ServedClass:
    """The classroom, where it is served, and where its classes lie."""

    classroom: Classroom
    port: int
    kept: Path

    @property
    def code(self) -> str:
        return self.classroom.board()["code"]

    def device(self, nickname: str = "") -> Device:
        """A device, which joins where a nickname is given."""
        device = Device(self.port)
        if nickname:
            assert device.join(self.code, nickname).status == 200
        return device


@contextmanager
def served_class(folder: Path, **settings: Any) -> Iterator[ServedClass]:  # noqa: ANN401 - those of a class
    """A class at a free port of 127.0.0.1; its files lie below a folder."""
    asked = ClassSettings(**{"on": True, "port": 0, "bind": "127.0.0.1", **settings})
    private = folder / "private"
    private.mkdir(exist_ok=True)
    opened = open_class(asked, private, FILES, folder / "classes")
    assert opened is not None
    opened.start()
    try:
        port = int(opened.classroom.board()["addresses"][0].rstrip("/").rpartition(":")[2])
        yield ServedClass(opened.classroom, port, folder / "classes")
    finally:
        opened.close()
