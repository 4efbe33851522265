"""What the editor sent: texts, numbers, questions, films in their new order; all else is refused in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from explorer.school.playlists.playlist import (
    ABOUT_ONE_FINDING,
    QUESTION_KINDS,
    Playlist,
    PlaylistFilm,
    Question,
    QuestionKind,
    WrongPlaylist,
)
from explorer.school.playlists.typed_finding import asked_finding
from explorer.ui.shared.refusals import RefusedPayload, refused
from models.refusal import Refusal

Payload = TypeVar("Payload")


def answered(work: Callable[[], Payload]) -> Payload | RefusedPayload:
    """What `work` answers, or its refusal."""
    try:
        return work()
    except Refusal as refusal:
        return refused(refusal)


def value(sent: object, name: str) -> object:
    """What was sent under a name; None where nothing was."""
    return sent.get(name) if isinstance(sent, Mapping) else None


def text(sent: object, name: str) -> str:
    """A text that was sent; empty where none was."""
    found = value(sent, name)
    return found if isinstance(found, str) else ""


def whole(sent: object, name: str, otherwise: int, least: int, most: int) -> int:
    """A whole number that was sent; `otherwise` where none was. Raises WrongPlaylist outside its bounds."""
    found = value(sent, name)
    if found is None:
        return otherwise
    if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
        raise WrongPlaylist("A number is not as it should be", f"Give a whole number from {least} to {most:,}.")
    return found


def kind(sent: object, name: str = "kind") -> QuestionKind:
    """A kind of question. Raises WrongPlaylist."""
    found = value(sent, name)
    if found not in QUESTION_KINDS:
        raise WrongPlaylist("There is no such question", "Choose one from the list.")
    return found


def question(sent: object, own: Iterable[str] = ()) -> Question:
    """A question {kind, finding, words}; `own` are findings that a cohort names so. Raises WrongPlaylist."""
    asks = kind(sent)
    if asks not in ABOUT_ONE_FINDING:
        return Question(asks, None, text(sent, "words"))
    return Question(asks, asked_finding(text(sent, "finding"), own), text(sent, "words"))


def changed_playlist(playlist: Playlist, sent: object) -> Playlist:
    """The playlist as the editor has it: its texts, and its films in their new order, each named by its old place.

    A film that is not named is taken out. Raises WrongPlaylist.
    """
    films = value(sent, "films")
    return replace(
        playlist,
        title=text(sent, "title"),
        about=text(sent, "about"),
        closing=text(sent, "closing"),
        films=tuple(
            _film(playlist, each, number) for number, each in enumerate(films if isinstance(films, list) else (), 1)
        ),
    )


def _film(playlist: Playlist, sent: object, number: int) -> PlaylistFilm:
    at = value(sent, "at")
    if type(at) is not int or not 0 <= at < len(playlist.films):
        raise WrongPlaylist(f"Film {number} is not in the playlist", "Load the page again, then make the change anew.")
    film = playlist.films[at]
    own = [film.question.finding] if film.question.finding else []
    try:
        asks = question(sent, own)
    except WrongPlaylist as wrong:
        raise WrongPlaylist(f"Film {number}: {wrong.title[:1].lower()}{wrong.title[1:]}", wrong.detail) from wrong
    return replace(film, question=asks, before=text(sent, "before"), note=text(sent, "note"))
