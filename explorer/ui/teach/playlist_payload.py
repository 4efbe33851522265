"""A playlist and its films, for the editor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from explorer.school.classroom.film_difficulty import (
    FilmDifficulty,
    FilmTask,
    difficulty_words,
    film_difficulties,
)
from explorer.school.playlists.film_facts import PlaylistFilmFacts, playlist_film_facts, unavailable_words
from explorer.school.playlists.found_film import FilmSources
from explorer.school.playlists.playlist import PlaylistFilm, QuestionKind
from explorer.school.playlists.playlist_files import PlaylistList, SavedPlaylist
from explorer.school.playlists.question_words import question_words
from explorer.ui.thumbnail_route import thumbnail_address


class PlaylistLinePayload(TypedDict):
    """A playlist in the list; `kinds` are its kinds of questions, most frequent first."""

    key: str
    title: str
    films: int
    kinds: list[QuestionKind]


class PlaylistsPayload(TypedDict):
    """All playlists of this machine; `unreadable` has a sentence for each unreadable file."""

    stage: Literal["playlists"]
    playlists: list[PlaylistLinePayload]
    unreadable: list[str]


class PlaylistFilmPayload(TypedDict):
    """A film in the editor.

    `thumb` is its thumbnail's address, null if none; `made`: the thumbnail is requested separately. `asks` is the
    question as a sentence; `pairs` are findings suited for a pair; `gone` says why it cannot be shown; `lacking` lists
    those of its `models` that the cohort does not have. `difficulty` says how earlier classes answered it. While labels
    are hidden, `name`, `labels`, `difficulty` and `pairs` are empty.
    """

    thumb: str | None
    made: bool
    name: str
    labels: str
    kind: QuestionKind
    finding: str
    words: str
    asks: str
    before: str
    note: str
    link: str
    pairs: list[str]
    gone: str
    models: list[str]
    lacking: str
    difficulty: str
    simulated: bool


class PlaylistPayload(TypedDict):
    """A playlist in the editor; `version` returns with a change, `said` reports the change, `gone` what is missing."""

    stage: Literal["playlist"]
    key: str
    version: str
    title: str
    about: str
    closing: str
    films: list[PlaylistFilmPayload]
    gone: str
    said: str
    hidden: bool


class PlaylistFilePayload(TypedDict):
    """A file to save: its name and its text."""

    stage: Literal["file"]
    name: str
    text: str


class PicturesPayload(TypedDict):
    """Thumbnails of simulated films as data URLs, by position in the playlist."""

    stage: Literal["pictures"]
    pictures: dict[str, str]


class SavedPlaylistPayload(TypedDict):
    """The playlist that was saved; `said` reports it in words."""

    stage: Literal["kept"]
    key: str
    title: str
    said: str
    films: NotRequired[int]


def playlists_payload(found: PlaylistList) -> PlaylistsPayload:
    """The list of all playlists."""
    return {
        "stage": "playlists",
        "playlists": [line_payload(each) for each in found.kept],
        "unreadable": list(found.unreadable),
    }


def line_payload(kept: SavedPlaylist) -> PlaylistLinePayload:
    """A line of the list."""
    films = kept.playlist.films
    kinds = [film.question.kind for film in films]
    order = sorted(set(kinds), key=lambda kind: (-kinds.count(kind), kind))
    return {"key": kept.key, "title": kept.playlist.title, "films": len(films), "kinds": order}


def playlist_payload(
    sources: FilmSources, kept: SavedPlaylist, said: str = "", *, hidden: bool = False
) -> PlaylistPayload:
    """A playlist in the editor, without revealing details if labels are `hidden`."""
    playlist = kept.playlist
    facts, known = playlist_film_facts(sources, playlist.films), film_difficulties()
    return {
        "stage": "playlist",
        "key": kept.key,
        "version": kept.version,
        "title": playlist.title,
        "about": playlist.about,
        "closing": playlist.closing,
        "films": [
            _film(film, each, "" if hidden else _difficulty(known, film), hidden)
            for film, each in zip(playlist.films, facts, strict=True)
        ],
        "gone": _gone(facts, hidden),
        "said": said,
        "hidden": hidden,
    }


def _gone(facts: Sequence[PlaylistFilmFacts], hidden: bool) -> str:
    count = sum(bool(each.unavailable) for each in facts)
    return f"{count} not on this machine." if hidden and count else unavailable_words(facts)


def _difficulty(known: Mapping[FilmTask, FilmDifficulty], film: PlaylistFilm) -> str:
    found = known.get(FilmTask(film.cohort, film.case, question_words(film.question)))
    return "" if found is None else difficulty_words(found)


def _film(film: PlaylistFilm, facts: PlaylistFilmFacts, difficulty: str, hidden: bool) -> PlaylistFilmPayload:
    line = facts.line
    return {
        "thumb": None if line is None or facts.unavailable else thumbnail_address(film.cohort, line.case),
        "made": not film.cohort,
        "name": "" if hidden else facts.name,
        "labels": "" if hidden else facts.labels,
        "kind": film.question.kind,
        "finding": film.question.finding or "",
        "words": film.question.words,
        "asks": question_words(film.question),
        "before": film.before,
        "note": film.note,
        "link": film.link,
        "pairs": [] if hidden else list(facts.pairs),
        "gone": "It is not on this machine." if hidden and facts.unavailable else facts.unavailable,
        "models": list(film.models),
        "lacking": facts.lacking,
        "difficulty": difficulty,
        "simulated": facts.simulated,
    }
