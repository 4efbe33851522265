"""Parses what the editor sent: texts, numbers, questions, reordered films; anything else is refused."""

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
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from models.refusal import Refusal

Payload = TypeVar("Payload")


def answered(work: Callable[[], Payload]) -> Payload | RefusedPayload:
    """The answer of `work`, or its refusal."""
    try:
        return work()
    except Refusal as refusal:
        return refusal_payload(refusal)


def value(sent: object, name: str) -> object:
    """What was sent under a name; None if nothing."""
    return sent.get(name) if isinstance(sent, Mapping) else None


def text(sent: object, name: str) -> str:
    """The string sent under a name; empty if none."""
    found = value(sent, name)
    return found if isinstance(found, str) else ""


def sent_number(sent: object, name: str, otherwise: int, least: int, most: int) -> int:
    """The whole number sent under a name; `otherwise` if none. Raises WrongPlaylist if out of bounds."""
    found = value(sent, name)
    if found is None:
        return otherwise
    if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
        raise WrongPlaylist("A number is out of range", f"Give a whole number from {least} to {most:,}.")
    return found


def sent_kind(sent: object, name: str = "kind") -> QuestionKind:
    """A kind of question. Raises WrongPlaylist."""
    found = value(sent, name)
    if found not in QUESTION_KINDS:
        raise WrongPlaylist("There is no such question", "Choose one from the list.")
    return found


def sent_question(sent: object, own: Iterable[str] = ()) -> Question:
    """A question {kind, finding, words}; `own` are a cohort's own names of findings. Raises WrongPlaylist."""
    asks = sent_kind(sent)
    if asks not in ABOUT_ONE_FINDING:
        return Question(asks, None, text(sent, "words"))
    return Question(asks, asked_finding(text(sent, "finding"), own), text(sent, "words"))


def changed_playlist(playlist: Playlist, sent: object) -> Playlist:
    """The editor's playlist: its texts, and its films in their new order, each named by its old position.

    Films that are not named are removed. Raises WrongPlaylist.
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
        raise WrongPlaylist(f"Film {number} is not in the playlist", "Load the page again, then make the change again.")
    film = playlist.films[at]
    own = [film.question.finding] if film.question.finding else []
    try:
        asks = sent_question(sent, own)
    except WrongPlaylist as wrong:
        raise WrongPlaylist(f"Film {number}: {wrong.title[:1].lower()}{wrong.title[1:]}", wrong.detail) from wrong
    return replace(film, question=asks, before=text(sent, "before"), note=text(sent, "note"))
