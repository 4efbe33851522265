"""The teacher is told within seconds that learners do not reach the class, whatever the reason, and what to do."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.school.classroom import opening, watch
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.opening import OpenedClass, open_class
from tests.explorer.school.classroom.served_class import FILES, prepared

pytestmark = pytest.mark.slow

WITHIN = 6.0  # s


@pytest.fixture(params=["", "self-signed"])
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[OpenedClass]:
    """A class that runs, at every address of a machine at 192.168.1.5; it is watched closely."""
    monkeypatch.setattr(watch, "POLL_INTERVAL_S", 0.05)
    monkeypatch.setattr(watch, "POLL_TIMEOUT_S", 0.5)
    monkeypatch.setattr(opening, "machine_addresses", lambda: ("192.168.1.5", "127.0.0.1"))
    (tmp_path / "private").mkdir()
    made = open_class(ClassSettings(True, 0, tls=request.param), tmp_path / "private", FILES, tmp_path / "classes")
    assert made is not None
    made.start()
    made.classroom.begin(prepared())
    yield made
    made.close()


def trouble(opened: OpenedClass, words: str) -> str:
    """What the teacher is told once it has these words in it, or once there is nothing to tell."""
    late = time.monotonic() + WITHIN
    while time.monotonic() < late:
        said = opened.classroom.board()["trouble"]
        if words in said and bool(words) == bool(said):
            return said
        time.sleep(0.02)
    raise AssertionError(opened.classroom.board()["trouble"])


def test_a_class_that_is_reached_has_no_trouble_and_a_dead_server_is_told(opened: OpenedClass) -> None:
    time.sleep(0.3)
    assert opened.classroom.board()["trouble"] == ""
    server = opened._server
    assert server is not None
    server._server.should_exit = True
    said = trouble(opened, "does not answer")
    assert "make class" in said and "is kept" in said
    opened.classroom.end()
    assert opened.classroom.board()["trouble"] == ""


def test_a_server_that_stands_still_is_told_and_that_it_goes_on_again(
    opened: OpenedClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened.classroom.session()
    assert session is not None
    with monkeypatch.context() as stuck:
        stuck.setattr(session.learners, "of", lambda token: time.sleep(0.8))
        trouble(opened, "does not answer")
    trouble(opened, "")


def test_another_address_is_told_and_shown(opened: OpenedClass, monkeypatch: pytest.MonkeyPatch) -> None:
    time.sleep(0.2)
    board = opened.classroom.board()
    assert "192.168.1.5" in board["addresses"][0]
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(opening, "machine_addresses", lambda: ("10.0.0.9", "127.0.0.1"))
        assert "://10.0.0.9:" in trouble(opened, "has changed")
        now = opened.classroom.board()
        assert "://10.0.0.9:" in now["addresses"][0] and now["qr"] != board["qr"]
    with monkeypatch.context() as nowhere:
        nowhere.setattr(opening, "machine_addresses", lambda: ("127.0.0.1",))
        trouble(opened, "in no network")
    trouble(opened, "")
    assert opened.classroom.board()["qr"] == board["qr"]


def test_a_disk_that_takes_no_answer_is_told(opened: OpenedClass, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened.classroom.session()
    assert session is not None

    def full(rows: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(opened.classroom._answers, "_commit", full)
        session.join(session.code, "Ann")
        assert "make room" in trouble(opened, "disk is full")
    session.join(session.code, "Ann")[2].result(timeout=10)
    trouble(opened, "")
