"""Parses what the editor sent: texts, numbers, questions, reordered films; anything else is refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from explorer.school.playlists.playlist import (
    ABOUT_ONE_FINDING,
    QUESTION_KINDS,
    FilmQuestion,
    Playlist,
    PlaylistFilm,
    QuestionKind,
    WrongPlaylist,
)
from explorer.school.playlists.typed_finding import resolve_typed_finding
from explorer.ui.shared.request_values import string_field, value_in


def sent_number(sent: object, name: str, otherwise: int, least: int, most: int) -> int:
    """The whole number sent under a name; `otherwise` if none. Raises WrongPlaylist if out of bounds."""
    found = value_in(sent, name)
    if found is None:
        return otherwise
    if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
        raise WrongPlaylist("A number is out of range", f"Give a whole number from {least} to {most:,}.")
    return found


def sent_kind(sent: object, name: str = "kind") -> QuestionKind:
    """A kind of question. Raises WrongPlaylist."""
    found = value_in(sent, name)
    if found not in QUESTION_KINDS:
        raise WrongPlaylist("There is no such question", "Choose one from the list.")
    return found


def sent_question(sent: object, own: Iterable[str] = ()) -> FilmQuestion:
    """A question {kind, finding, words}; `own` are a cohort's own names of findings. Raises WrongPlaylist."""
    kind = sent_kind(sent)
    if kind not in ABOUT_ONE_FINDING:
        return FilmQuestion(kind, None, string_field(sent, "words"))
    return FilmQuestion(kind, resolve_typed_finding(string_field(sent, "finding"), own), string_field(sent, "words"))


def changed_playlist(playlist: Playlist, sent: object) -> Playlist:
    """The editor's playlist: its texts, and its films in their new order, each named by its old position.

    Films that are not named are removed. Raises WrongPlaylist.
    """
    films = value_in(sent, "films")
    return replace(
        playlist,
        title=string_field(sent, "title"),
        about=string_field(sent, "about"),
        closing=string_field(sent, "closing"),
        films=tuple(
            _film(playlist, each, number) for number, each in enumerate(films if isinstance(films, list) else (), 1)
        ),
    )


def _film(playlist: Playlist, sent: object, number: int) -> PlaylistFilm:
    at = value_in(sent, "at")
    if type(at) is not int or not 0 <= at < len(playlist.films):
        raise WrongPlaylist(f"Film {number} is not in the playlist", "Load the page again, then make the change again.")
    film = playlist.films[at]
    own = [film.question.finding] if film.question.finding else []
    try:
        question = sent_question(sent, own)
    except WrongPlaylist as wrong:
        raise WrongPlaylist(f"Film {number}: {wrong.title[:1].lower()}{wrong.title[1:]}", wrong.detail) from wrong
    return replace(film, question=question, before=string_field(sent, "before"), note=string_field(sent, "note"))
