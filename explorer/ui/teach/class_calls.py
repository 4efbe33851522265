"""What the teacher's page asks of a class: begin, drive, look, end. No learner's answer is told by itself."""

from __future__ import annotations

from collections.abc import Callable

from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.session import Session
from explorer.school.classroom.teacher_screen import BoardPayload
from explorer.school.playlists.playlist_files import KeptPlaylist, PlaylistFiles
from explorer.school.preparing.prepared import PreparedPlaylist
from explorer.school.preparing.preparing_job import Progress
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.teach.class_payload import (
    BegunPayload,
    ClassFilmPayload,
    ClassResultsPayload,
    DonePayload,
    OneFilePayload,
    PlaylistChoicesPayload,
    PreparingPayload,
    choices_payload,
    film_payload,
    one_file_payload,
    results_payload,
)
from models.refusal import Refusal

Prepare = Callable[[KeptPlaylist], PreparedPlaylist | Progress]


class ClassCalls:
    """The functions of the section *Class*, each of which answers or says in words what cannot be done.

    `prepare` answers with a playlist that is ready, or with how far it is: who wants it goes on asking.
    """

    def __init__(self, classroom: Classroom, playlists: PlaylistFiles, prepare: Prepare) -> None:
        self._classroom = classroom
        self._playlists = playlists
        self._prepare = prepare

    @property
    def all(self) -> tuple[Callable[[object], object], ...]:
        """Those that the page may call."""
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
        )

    def class_board(self, nothing: object) -> BoardPayload:
        """The class as it is now."""
        return self._classroom.board()

    def class_playlists(self, nothing: object) -> PlaylistChoicesPayload | RefusedPayload:
        """What a class can be begun with."""
        try:
            return choices_payload(self._playlists.listed().kept)
        except Refusal as refusal:
            return refused(refusal)

    def class_begin(self, order: object) -> BegunPayload | PreparingPayload | RefusedPayload:
        """Make a playlist {playlist: its key, own_pace} ready, and begin the class with it once it is."""
        words = order if isinstance(order, dict) else {}
        key, own_pace = words.get("playlist"), words.get("own_pace")
        try:
            if not self._classroom.is_on:
                raise ClassRefusal("No class can be held", "Start Tailscope with `make class`, then begin it again.")
            if self._classroom.board()["running"]:
                raise ClassRefusal("A class is running", "End it, then begin the next one.")
            ready = self._prepare(self._playlists.kept(key if isinstance(key, str) else ""))
            if isinstance(ready, Progress):
                return {"stage": "preparing", "done": ready.done, "films": ready.films}
            if not ready.films:
                why = " ".join(ready.left_out)
                raise ClassRefusal("No film of the playlist can be shown", why or "Add films to it, then begin again.")
            self._classroom.begin(ready, own_pace=own_pace is True)
        except Refusal as refusal:
            return refused(refusal)
        return {"stage": "begun", "left_out": list(ready.left_out)}

    def class_one_file(self, key: object) -> OneFilePayload | PreparingPayload | RefusedPayload:
        """The playlist of this key as a class in one file, once it is made ready; it needs no class server."""
        try:
            ready = self._prepare(self._playlists.kept(key if isinstance(key, str) else ""))
            if isinstance(ready, Progress):
                return {"stage": "preparing", "done": ready.done, "films": ready.films}
            return one_file_payload(ready)
        except Refusal as refusal:
            return refused(refusal)

    def class_go(self, film: object) -> DonePayload | RefusedPayload:
        """Show the film of this number, from 0."""
        return _done(lambda: self._classroom.go(film if type(film) is int else -1))

    def class_reveal(self, nothing: object) -> DonePayload | RefusedPayload:
        """Reveal the film that is shown."""
        return _done(self._classroom.reveal)

    def class_end(self, nothing: object) -> DonePayload | RefusedPayload:
        """End the class."""
        return _done(self._classroom.end)

    def class_remove(self, order: object) -> DonePayload | RefusedPayload:
        """Remove a learner: {nickname, keep: the answers without it, again: whether the device may join again}."""
        words = order if isinstance(order, dict) else {}
        nickname, keep, again = (words.get(name) for name in ("nickname", "keep", "again"))
        called = nickname if isinstance(nickname, str) else ""
        return _done(lambda: self._classroom.remove(called, keep=keep is True, again=again is True))

    def class_clear(self, nothing: object) -> DonePayload | RefusedPayload:
        """Let go of all who have answered nothing."""
        return _done(self._classroom.clear)

    def class_let_in(self, on: object) -> DonePayload | RefusedPayload:
        """Let further learners in, or nobody."""
        return _done(lambda: self._classroom.let_in(on is True))

    def class_film(self, film: object) -> ClassFilmPayload | RefusedPayload:
        """The film of this number with its question; its truth once it is revealed."""
        try:
            session = self._session()
            if type(film) is not int or not 0 <= film < len(session.films):
                raise ClassRefusal("There is no such film", "Go on with another film of the playlist.")
            return film_payload(session.films[film], film, revealed=session.is_revealed(film))
        except Refusal as refusal:
            return refused(refusal)

    def class_results(self, nothing: object) -> ClassResultsPayload | RefusedPayload:
        """What the class came to, film by film."""
        try:
            return results_payload(self._session(), self._classroom.board()["id"])
        except Refusal as refusal:
            return refused(refusal)

    def _session(self) -> Session:
        session = self._classroom.session()
        if session is None:
            raise ClassRefusal("No class is running", "Begin one with a playlist.")
        return session


def _done(step: Callable[[], None]) -> DonePayload | RefusedPayload:
    try:
        step()
    except Refusal as refusal:
        return refused(refusal)
    return {"stage": "done"}
