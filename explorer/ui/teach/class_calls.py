"""The teacher's calls about a class: begin, steer, view, end. No answer reveals a single learner's choices."""

from __future__ import annotations

from collections.abc import Callable

from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.session import Session
from explorer.school.classroom.teacher_screen import BoardPayload
from explorer.school.playlists.playlist_files import PlaylistFiles, SavedPlaylist
from explorer.school.preparing.prepared import PreparedPlaylist
from explorer.school.preparing.preparing_job import PreparingProgress
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.teach.class_payload import (
    ClassBegunPayload,
    ClassFilmPayload,
    ClassResultsPayload,
    DonePayload,
    OneFilePayload,
    PlaylistChoicesPayload,
    PreparingPayload,
    choices_payload,
    class_film_payload,
    one_file_payload,
    results_payload,
)
from explorer.ui.teach.study_calls import StudyCalls
from models.refusal import Refusal

AskPrepared = Callable[[SavedPlaylist], PreparedPlaylist | PreparingProgress]


class TeacherCalls:
    """The script functions of the section *Class*; each returns its payload or a refusal.

    `prepare` returns a playlist that is ready, or its progress, so the caller repeats the call.
    """

    def __init__(self, classroom: Classroom, playlists: PlaylistFiles, prepare: AskPrepared) -> None:
        self._classroom = classroom
        self._playlists = playlists
        self._prepare = prepare
        self._study = StudyCalls(classroom)

    @property
    def script_functions(self) -> tuple[Callable[[object], object], ...]:
        """The functions that the page may call."""
        return (
            self.class_board,
            self.class_playlists,
            self.class_begin,
            self.class_one_file,
            self.class_go,
            self.class_reveal,
            self.class_end,
            self.class_remove,
            self.class_clear,
            self.class_let_in,
            self.class_film,
            self.class_results,
            *self._study.script_functions,
        )

    def class_board(self, _: object) -> BoardPayload:
        """The present state of the class."""
        return self._classroom.board()

    def class_playlists(self, _: object) -> PlaylistChoicesPayload | RefusedPayload:
        """The playlists that a class can begin with."""
        try:
            return choices_payload(self._playlists.listed().kept)
        except Refusal as refusal:
            return refusal_payload(refusal)

    def class_begin(self, sent: object) -> ClassBegunPayload | PreparingPayload | RefusedPayload:
        """Prepare a playlist {playlist: its key, own_pace, with_model}, and begin the class once it is ready."""
        words = sent if isinstance(sent, dict) else {}
        key, own_pace = words.get("playlist"), words.get("own_pace")
        try:
            if not self._classroom.is_on:
                raise ClassRefusal("No class can be held", "Start Tailscope with `make class`, then try again.")
            if self._classroom.board()["running"]:
                raise ClassRefusal("A class is running", "End it, then begin the next one.")
            ready = self._prepare(self._playlists.kept(key if isinstance(key, str) else ""))
            if isinstance(ready, PreparingProgress):
                return {"stage": "preparing", "done": ready.done, "films": ready.films}
            if not ready.films:
                why = " ".join(ready.left_out)
                raise ClassRefusal("No film in the playlist can be shown", why or "Add films to it, then begin again.")
            self._classroom.begin(ready, own_pace=own_pace is True, with_model=words.get("with_model") is True)
        except Refusal as refusal:
            return refusal_payload(refusal)
        return {"stage": "begun", "left_out": list(ready.left_out)}

    def class_one_file(self, key: object) -> OneFilePayload | PreparingPayload | RefusedPayload:
        """The playlist of this key as a class in one file, once prepared; it needs no class server."""
        try:
            ready = self._prepare(self._playlists.kept(key if isinstance(key, str) else ""))
            if isinstance(ready, PreparingProgress):
                return {"stage": "preparing", "done": ready.done, "films": ready.films}
            return one_file_payload(ready)
        except Refusal as refusal:
            return refusal_payload(refusal)

    def class_go(self, film: object) -> DonePayload | RefusedPayload:
        """Show the film of this number, counted from 0."""
        return _done(lambda: self._classroom.go(film if type(film) is int else -1))

    def class_reveal(self, _: object) -> DonePayload | RefusedPayload:
        """Reveal the current film."""
        return _done(self._classroom.reveal)

    def class_end(self, _: object) -> DonePayload | RefusedPayload:
        """End the class."""
        return _done(self._classroom.end)

    def class_remove(self, sent: object) -> DonePayload | RefusedPayload:
        """Remove a learner {nickname, keep: keep the answers anonymously, again: let the device rejoin}."""
        words = sent if isinstance(sent, dict) else {}
        nickname, keep, again = (words.get(name) for name in ("nickname", "keep", "again"))
        called = nickname if isinstance(nickname, str) else ""
        return _done(lambda: self._classroom.remove(called, keep=keep is True, again=again is True))

    def class_clear(self, _: object) -> DonePayload | RefusedPayload:
        """Remove all learners who have not answered anything."""
        return _done(self._classroom.clear)

    def class_let_in(self, on: object) -> DonePayload | RefusedPayload:
        """Open the class to more learners, or close it."""
        return _done(lambda: self._classroom.let_in(on is True))

    def class_film(self, film: object) -> ClassFilmPayload | RefusedPayload:
        """The film of this number with its question, and its truth once revealed."""
        try:
            session = self._session()
            if type(film) is not int or not 0 <= film < len(session.films):
                raise ClassRefusal("There is no such film", "Choose another film of the playlist.")
            return class_film_payload(session.films[film], film, revealed=session.is_revealed(film))
        except Refusal as refusal:
            return refusal_payload(refusal)

    def class_results(self, _: object) -> ClassResultsPayload | RefusedPayload:
        """The results of the class, film by film."""
        try:
            return results_payload(self._session(), self._classroom.board()["id"])
        except Refusal as refusal:
            return refusal_payload(refusal)

    def _session(self) -> Session:
        session = self._classroom.session()
        if session is None:
            raise ClassRefusal("No class is running", "Begin a class with a playlist.")
        return session


def _done(step: Callable[[], None]) -> DonePayload | RefusedPayload:
    try:
        step()
    except Refusal as refusal:
        return refusal_payload(refusal)
    return {"stage": "done"}
