"""This Tailscope's class, one at a time: run from the private page, joined from the learners' page."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from explorer.school.classroom.answers import AnswerDatabase, SqlRow, cannot_save
from explorer.school.classroom.class_files import class_lock, classes_folder
from explorer.school.classroom.kept import class_rows, ended_row
from explorer.school.classroom.learners import MAX_LEARNERS, Learner
from explorer.school.classroom.place import ClassAddresses
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.session import Session, SessionChange
from explorer.school.classroom.teacher_screen import BoardPayload, qr_svg
from explorer.school.judging.model_answer import model_answer
from explorer.school.preparing.prepared import PreparedPlaylist

REVIEW_TIME_S = 1800.0  # s after the end of the class, during which learners can review and save what was revealed
NOT_WRITTEN = "Answers cannot be written to disk: free some space for TAILSCOPE_HOME; devices will resend them"
WRITE_TIMEOUT_S = 10.0  # s to wait until a teacher's step is durable


class Classroom:
    """A class, shared by the teacher's page and the learners' server. Thread-safe.

    Without a place, no class can begin: `is_on` is False, as without --class.
    """

    def __init__(self, place: ClassAddresses | None = None, folder: Path | None = None) -> None:
        self._place = place
        self.folder = folder  # of kept classes; None: that of TAILSCOPE_HOME
        self._lock = threading.RLock()  # never held during disk access, because learners' requests take it
        self._steps = threading.Lock()  # only one class begins or ends at a time
        self._listeners: list[Callable[[SessionChange], None]] = []
        self._session: Session | None = None
        self._answers: AnswerDatabase | None = None  # while the class runs
        self._release: Callable[[], None] = lambda: None
        self._id = ""
        self._ended = 0.0
        self._qr = ""

    @property
    def is_on(self) -> bool:
        """Whether Tailscope was started with --class."""
        return self._place is not None

    def begin(self, prepared: PreparedPlaylist, *, own_pace: bool = False, with_model: bool = False) -> None:
        """Begin a class with a new code. Raises ClassRefusal if one is running or its answers cannot be saved.

        `with_model`: learners see a model's answer after their own, and then answer a second time.
        """
        if self._place is None:
            raise ClassRefusal("No class can be held", "Start Tailscope with `make class`, then begin the class again.")
        if not prepared.films:
            raise ClassRefusal("The playlist has no film", "Add films to it, then begin the class again.")
        shown = [model_answer(film) if with_model else None for film in prepared.films]
        if with_model and not any(shown):
            raise ClassRefusal(
                "No model answers these films", "Choose other films, or begin the class without a model."
            )
        with self._steps:
            if self._answers is not None:
                raise ClassRefusal("A class is running", "End it, then begin the next one.")
            folder = self.folder or classes_folder()
            name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
            answers, release = _locked_answers(folder, name, class_rows(name, prepared, own_pace, shown))
            session = Session(prepared, own_pace, answers, self._notify, shown)
            qr = qr_svg(self._place.addresses[0], session.code)
            with self._lock:
                self._answers, self._release, self._id = answers, release, name
                self._session, self._qr = session, qr
        self._notify("step")

    def go(self, film: int) -> None:
        """Show this film (0-based) to the class; a revealed film stays revealed. Raises ClassRefusal."""
        self._running().go(film)

    def reveal(self) -> None:
        """Reveal the current film. Raises ClassRefusal."""
        self._running().reveal()

    def end(self) -> None:
        """End the class: no more answers or learners; its answers stay on disk. Raises ClassRefusal."""
        with self._steps:
            self._running().end()
            assert self._answers is not None
            self._answers.add(ended_row())
            self._answers.close()
            with self._lock:
                self._answers = None
                self._ended = time.monotonic()
            self._release()

    def remove(self, nickname: str, *, keep: bool, again: bool) -> None:
        """Remove a learner and tell the device; `again` says whether it may join again.

        The answers are either kept without the nickname or deleted. Raises ClassRefusal.
        """
        _wait_until_saved(self._running().remove(nickname, keep=keep, again=again))

    def clear(self) -> None:
        """Remove all learners who have answered nothing. Raises ClassRefusal."""
        _wait_until_saved(self._running().clear())

    def let_in(self, on: bool) -> None:
        """Open the class to more learners, or close it. Raises ClassRefusal."""
        self._running().let_in(on)

    def close(self) -> None:
        """End a running class before Tailscope exits."""
        if self._answers is not None:
            self.end()

    def board(self) -> BoardPayload:
        """Return the class as shown on the teacher's page."""
        with self._lock:
            session, answers, name = self._session, self._answers, self._id
            place = self._place or ClassAddresses((), False, "")
            running = answers is not None
            qr = self._qr if running else ""
        write_trouble = f"{NOT_WRITTEN} ({answers.trouble})." if answers is not None and answers.trouble else ""
        board: BoardPayload = {
            "on": self.is_on,
            "running": running,
            "id": name,
            "code": session.code if session is not None and running else "",
            "addresses": list(place.addresses),
            "qr": qr,
            "encrypted": place.encrypted,
            "warning": place.warning,
            "trouble": (place.trouble or write_trouble) if running else "",
            "title": "",
            "about": "",
            "own_pace": False,
            "again": None,
            "again_right": None,
            "film": 0,
            "films": 0,
            "stage": "waiting",
            "learners": [],
            "removed": 0,
            "lets_in": True,
            "full": False,
            "answered": 0,
            "asked": 0,
            "tally": None,
            "at_each_film": [],
        }
        return board if session is None else _with_counts(board, session)

    # For the learners' server and its watch.

    @property
    def runs(self) -> bool:
        """Whether a class has begun and not ended."""
        return self._answers is not None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the class, the likeliest first."""
        return self._place.addresses if self._place is not None else ()

    def set_addresses(self, addresses: Sequence[str], trouble: str) -> None:
        """Update the addresses of the class, and the reason why learners cannot reach it."""
        with self._lock:
            assert self._place is not None
            if addresses[0] != self._place.addresses[0] and self._session is not None:
                self._qr = qr_svg(addresses[0], self._session.code)
            self._place = replace(self._place, addresses=tuple(addresses), trouble=trouble)

    def listen(self, listener: Callable[[SessionChange], None]) -> None:
        """Call the listener, from any thread, whenever learners have something new to see."""
        self._listeners.append(listener)

    def session(self) -> Session | None:
        """Return the class that is running or has just ended."""
        with self._lock:
            session = self._session
            if session is not None and self._answers is None and time.monotonic() - self._ended > REVIEW_TIME_S:
                return None
            return session

    def learner(self, token: str) -> tuple[Session, Learner]:
        """Return the class and the learner whose device sent this token. Raises ClassRefusal."""
        session = self.session()
        learner = None if session is None else session.learners.of(token)
        if session is None or learner is None:
            raise ClassRefusal("You are not in the class", "Type the code that the teacher's screen shows.", 401)
        learner.last_request = time.monotonic()
        return session, learner

    def _running(self) -> Session:
        with self._lock:
            if self._answers is None or self._session is None:
                raise ClassRefusal("No class is running", "Begin a class with a playlist.")
            return self._session

    def _notify(self, change: SessionChange) -> None:
        for listener in self._listeners:
            listener(change)


def _locked_answers(folder: Path, name: str, rows: Sequence[SqlRow]) -> tuple[AnswerDatabase, Callable[[], None]]:
    """Return the locked answers of a new class, and a function that releases the lock. Raises ClassRefusal."""
    try:
        release = class_lock(folder, name)
    except OSError as error:
        raise cannot_save(error) from error
    try:
        return AnswerDatabase(folder / f"{name}.sqlite", rows), release
    except ClassRefusal:
        release()
        raise


def _wait_until_saved(done: Future[None]) -> None:
    """Wait until the write is on disk. Raises ClassRefusal."""
    try:
        done.result(WRITE_TIMEOUT_S)
    except TimeoutError as error:
        raise ClassRefusal(NOT_WRITTEN, "This step is applied once they can be written again.", 503) from error


def _with_counts(board: BoardPayload, session: Session) -> BoardPayload:
    with session.lock:
        film, learners = session.film, list(session.learners)
        counts = _counts(session.all_learners, len(session.films))
        return {
            **board,
            "title": session.prepared.playlist.title,
            "about": session.prepared.playlist.about,
            "own_pace": session.own_pace,
            "film": film,
            "films": len(session.films),
            "stage": session.stage,
            "learners": [{"nickname": each.nickname, "answered": len(each.answers)} for each in learners],
            "removed": len(session.removed),
            "lets_in": session.lets_in,
            "full": len(learners) >= MAX_LEARNERS,
            "answered": counts[film],
            "again": None if session.model_answers[film] is None else sum(film in each.again for each in learners),
            "again_right": session.again_right(film),
            "asked": len(learners) + sum(film in each.answers for each in session.removed),
            "tally": session.tally_on_screen(film),
            "at_each_film": counts,
        }


def _counts(learners: Sequence[Learner], films: int) -> list[int]:
    """Return how many learners have answered each film."""
    return [sum(film in each.answers for each in learners) for film in range(films)]
