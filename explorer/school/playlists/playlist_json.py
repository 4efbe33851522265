"""Converts playlists to and from JSON; input is validated completely, so that saved playlists can always be shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from explorer.cohorts.layout import is_name
from explorer.cohorts.typed import WrongKind, typed
from explorer.core.finding_names import InvalidName, finding_name
from explorer.core.plain_text import plain_text
from explorer.school.playlists.playlist import (
    ABOUT_ONE_FINDING,
    MAX_FILMS,
    MAX_MODELS,
    FilmQuestion,
    Playlist,
    PlaylistFilm,
    WrongPlaylist,
)
from explorer.simulator import WrongRequest
from explorer.simulator.address import parse_film_address

PLAYLIST_FORMAT = 1
MAX_PLAYLIST_TITLE_CHARS = 120  # characters
MAX_QUESTION_CHARS = 300  # maximum length of a question or a mark
MAX_TEACHER_TEXT_CHARS = 2000  # maximum length of texts before and after, and of links
MAX_CASE_CHARS = 500  # maximum length of a case name or a simulated film's address
_WANTED = "Use a file exported here, or write one as described in docs/playlists.md."


def playlist_json(playlist: Playlist) -> dict[str, Any]:
    """Return the playlist as JSON, for `read_playlist` to read."""
    words = asdict(playlist)
    return {"format": PLAYLIST_FORMAT, **words, "films": [_film_json(film) for film in words["films"]]}


def playlist_text(playlist: Playlist) -> str:
    """Return the playlist as the text of a JSON file."""
    return json.dumps(playlist_json(playlist), ensure_ascii=False, indent=1) + "\n"


def parse_playlist(text: str | bytes) -> Playlist:
    """Return the playlist in a file. Raises WrongPlaylist."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongPlaylist("That file is not JSON", _WANTED) from error
    return read_playlist(table)


def read_playlist(table: object) -> Playlist:
    """Return the playlist of a JSON object. Raises WrongPlaylist."""
    words = dict(table) if isinstance(table, Mapping) else {}
    if (found := words.pop("format", None)) != PLAYLIST_FORMAT or isinstance(found, bool):
        why = "That file is not a playlist" if found is None else "That playlist is from another version of Tailscope"
        raise WrongPlaylist(why, f"Its `format` is not {PLAYLIST_FORMAT}. {_WANTED}")
    try:
        return checked_playlist(typed(Playlist, words))
    except WrongKind as error:
        raise WrongPlaylist("That file is not a playlist", f"In it {error}. {_WANTED}") from error


def _film_json(film: dict[str, Any]) -> dict[str, Any]:
    """Omit empty values of newer fields, so that older versions can read the file."""
    named = {"models": list(film["models"]), "target": film["target"], "picked_by": film["picked_by"]}
    plain = {name: value for name, value in film.items() if name not in named}
    return plain | {name: value for name, value in named.items() if value}


def checked_playlist(playlist: Playlist) -> Playlist:
    """Return the playlist with cleaned texts. Raises WrongPlaylist if it is invalid."""
    title = " ".join(plain_text(playlist.title).split())
    if not title:
        raise WrongPlaylist("A playlist needs a title", "Type a word or two.")
    if len(playlist.films) > MAX_FILMS:
        raise WrongPlaylist(
            f"A playlist has up to {MAX_FILMS} films", f"This one has {len(playlist.films):,}: split it."
        )
    return replace(
        playlist,
        title=_short(title, "the title", MAX_PLAYLIST_TITLE_CHARS),
        about=_text(playlist.about, "the text before the films"),
        closing=_text(playlist.closing, "the text after the films"),
        films=tuple(_film(film, f"film {number}") for number, film in enumerate(playlist.films, 1)),
    )


def _film(film: PlaylistFilm, which: str) -> PlaylistFilm:
    if not film.case or len(film.case) > MAX_CASE_CHARS or (film.cohort and not is_name(film.cohort)):
        raise WrongPlaylist(
            f"{which.capitalize()} has no name",
            "It needs a `cohort` and its `case`, or, without a cohort, the address of a simulated film as `case`.",
        )
    if film.link and not film.link.startswith("#"):
        raise WrongPlaylist(
            f"The link of {which} leaves the page", "Use only the part of the page's address from # on."
        )
    _check_models(film, which)
    if film.picked_by and not is_name(film.picked_by):
        raise WrongPlaylist(f"The model that picked {which} has no name", "Omit `picked_by`.")
    question = _question(film.question, which)
    if not film.cohort:
        _check_simulated(film.case, question, which)
    elif question.kind == "pair":
        raise WrongPlaylist(
            f"The question of {which} needs a simulated film",
            "Only those have a twin: choose another question, or remove the film.",
        )
    return replace(
        film,
        question=question,
        before=_text(film.before, f"the text before {which}"),
        note=_text(film.note, f"the note of {which}"),
        link=_short(film.link, f"the link of {which}", MAX_TEACHER_TEXT_CHARS),
        mark=_short(film.mark, f"the mark of {which}", MAX_QUESTION_CHARS),
        target=_target(film.target, which),
    )


def _target(target: str, which: str) -> str:
    try:
        return finding_name(target) if target else ""
    except InvalidName as error:
        raise WrongPlaylist(f"The target of {which} is not a finding", "Name a finding, or omit `target`.") from error


def _check_models(film: PlaylistFilm, which: str) -> None:
    if film.models and not film.cohort:
        raise WrongPlaylist(
            f"{which.capitalize()} has no cohort but names models",
            "Only a cohort's films have stored scores: omit `models`.",
        )
    if len(film.models) > MAX_MODELS or len(set(film.models)) < len(film.models):
        raise WrongPlaylist(
            f"{which.capitalize()} names too many models",
            f"Name up to {MAX_MODELS} of those that scored it, each once.",
        )
    if not all(map(is_name, film.models)):
        raise WrongPlaylist(
            f"{which.capitalize()} has a model without a name",
            "Use names that Explore lists for the cohort, such as phantom.",
        )


def _question(question: FilmQuestion, which: str) -> FilmQuestion:
    words = _short(" ".join(plain_text(question.words).split()), f"the question of {which}", MAX_QUESTION_CHARS)
    if question.kind not in ABOUT_ONE_FINDING:
        if question.finding is not None:
            raise WrongPlaylist(
                f"The question of {which} takes no finding", f"Omit {question.finding[:MAX_QUESTION_CHARS]}."
            )
        return replace(question, words=words)
    try:
        return replace(question, finding=finding_name(question.finding or ""), words=words)
    except InvalidName as error:
        raise WrongPlaylist(
            f"The question of {which} names no finding", "Name the finding it is about, for example Pneumothorax."
        ) from error


def _check_simulated(address: str, question: FilmQuestion, which: str) -> None:
    try:
        film = parse_film_address(address)
    except WrongRequest as error:
        raise WrongPlaylist(
            f"{which.capitalize()} is not a simulated film", f"{error.title}. {error.detail}"
        ) from error
    if question.kind == "pair" and question.finding not in [each.finding for each in film.requests]:
        raise WrongPlaylist(
            f"Neither film of the pair in {which} has {question.finding}",
            "Ask about a finding that the simulated film has.",
        )


def _text(text: str, what: str) -> str:
    return _short(plain_text(text, keep="\n").strip(), what, MAX_TEACHER_TEXT_CHARS)


def _short(text: str, what: str, most: int) -> str:
    if len(text) > most:
        raise WrongPlaylist(
            f"{what[0].upper()}{what[1:]} is too long", f"It has {len(text):,} characters, but the limit is {most:,}."
        )
    return text
