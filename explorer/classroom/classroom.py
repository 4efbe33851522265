"""The class of this Tailscope: at most one at a time, begun and driven from the private page, joined on the other."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from explorer.classroom.answers import Answers, Row, unkept
from explorer.classroom.board import BoardPayload, qr_svg
from explorer.classroom.class_files import class_lock, classes_folder
from explorer.classroom.kept import class_rows, ended_row
from explorer.classroom.learners import Learner
from explorer.classroom.place import Place
from explorer.classroom.refusal import ClassRefusal
from explorer.classroom.session import Change, Session
from explorer.teaching.prepared import PreparedPlaylist

LOOKED_THROUGH = 1800.0  # s after the end in which learners can still look through what was revealed, and save it


class Classroom:
    """A class, for the teacher's page and the learners' server. Thread-safe.

    Without a place no class can be begun: `is_on` is false, as without --class.
    """

    def __init__(self, place: Place | None = None, folder: Path | None = None) -> None:
        self._place = place
        self._folder = folder
        self._lock = threading.RLock()
        self._listeners: list[Callable[[Change], None]] = []
        self._session: Session | None = None
        self._answers: Answers | None = None  # while the class runs
        self._release: Callable[[], None] = lambda: None
        self._id = ""
        self._ended = 0.0
        self._qr = ""

    @property
    def is_on(self) -> bool:
        """Whether Tailscope was started with --class."""
        return self._place is not None

    def begin(self, prepared: PreparedPlaylist, *, own_pace: bool = False) -> None:
        """Begin a class with a new code. Raises ClassRefusal where one runs or its answers cannot be kept."""
        if self._place is None:
            raise ClassRefusal("No class can be held", "Start Tailscope with `make class`, then begin the class again.")
        if not prepared.films:
            raise ClassRefusal("The playlist has no film", "Add films to it, then begin the class again.")
        with self._lock:
            if self._answers is not None:
                raise ClassRefusal("A class is running", "End it, then begin the next one.")
            folder = self._folder or classes_folder()
            name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
            answers, self._release = _kept_in(folder, name, class_rows(name, prepared, own_pace))
            self._answers, self._id = answers, name
            self._session = Session(prepared, own_pace, answers, self._tell)
            self._qr = qr_svg(self._place.addresses[0], self._session.code)
        self._tell("step")

    def go(self, film: int) -> None:
        """Show this film (0-based) to the class; one that was revealed stays revealed. Raises ClassRefusal."""
        self._running().go(film)

    def reveal(self) -> None:
        """Reveal the film shown. Raises ClassRefusal."""
        self._running().reveal()

    def end(self) -> None:
        """End the class: no more answers, no more learners; its answers stay on disk. Raises ClassRefusal."""
        with self._lock:
            self._running().end()
            assert self._answers is not None
            self._answers.add(ended_row())
            self._answers.close()
            self._answers = None
            self._release()
            self._ended = time.monotonic()

    def close(self) -> None:
        """End the class where one runs: Tailscope ends."""
        with self._lock:
            if self._answers is not None:
                self.end()

    def board(self) -> BoardPayload:
        """The class as the teacher's page shows it."""
        with self._lock:
            session, running, name = self._session, self._answers is not None, self._id
            qr = self._qr if running else ""
        place = self._place or Place((), False, "")
        board: BoardPayload = {
            "on": self.is_on,
            "running": running,
            "id": name,
            "code": session.code if session is not None and running else "",
            "addresses": list(place.addresses),
            "qr": qr,
            "encrypted": place.encrypted,
            "warning": place.warning,
            "title": "",
            "about": "",
            "own_pace": False,
            "film": 0,
            "films": 0,
            "stage": "waiting",
            "learners": [],
            "answered": 0,
            "tally": None,
            "at_each_film": [],
        }
        return board if session is None else _with_counts(board, session)

    # For the learners' server.

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Call it, in any thread, whenever learners have something new to see."""
        self._listeners.append(listener)

    def session(self) -> Session | None:
        """The class that runs, or that has just ended."""
        with self._lock:
            session = self._session
            if session is not None and self._answers is None and time.monotonic() - self._ended > LOOKED_THROUGH:
                return None
            return session

    def learner(self, token: str) -> tuple[Session, Learner]:
        """The class, and the learner whose device sends this token. Raises ClassRefusal."""
        session = self.session()
        learner = None if session is None else session.learners.of(token)
        if session is None or learner is None:
            raise ClassRefusal("You are not in the class", "Type the code that the teacher's screen shows.", 401)
        return session, learner

    def _running(self) -> Session:
        with self._lock:
            if self._answers is None or self._session is None:
                raise ClassRefusal("No class is running", "Begin one with a playlist.")
            return self._session

    def _tell(self, change: Change) -> None:
        for listener in self._listeners:
            listener(change)


def _kept_in(folder: Path, name: str, rows: Sequence[Row]) -> tuple[Answers, Callable[[], None]]:
    """A new class's answers, held, and what lets go of them. Raises ClassRefusal."""
    try:
        release = class_lock(folder, name)
    except OSError as error:
        raise unkept(error) from error
    try:
        return Answers(folder / f"{name}.sqlite", rows), release
    except ClassRefusal:
        release()
        raise


def _with_counts(board: BoardPayload, session: Session) -> BoardPayload:
    with session.lock:
        film, learners = session.film, list(session.learners)
        counts = _counts(learners, len(session.films))
        return {
            **board,
            "title": session.prepared.playlist.title,
            "about": session.prepared.playlist.about,
            "own_pace": session.own_pace,
            "film": film,
            "films": len(session.films),
            "stage": session.stage,
            "learners": [{"nickname": each.nickname, "answered": len(each.answers)} for each in learners],
            "answered": counts[film],
            "tally": session.tally(film, right=session.is_revealed(film)),
            "at_each_film": counts,
        }


def _counts(learners: Sequence[Learner], films: int) -> list[int]:
    """How many answered each film."""
    return [sum(film in each.answers for each in learners) for film in range(films)]
