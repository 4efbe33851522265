"""A playlist and its films as the editor gets them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from explorer.school.playlists.film_facts import FilmFacts, film_facts, gone_words
from explorer.school.playlists.found_film import Sources
from explorer.school.playlists.playlist import PlaylistFilm, QuestionKind
from explorer.school.playlists.playlist_files import KeptPlaylist, PlaylistList
from explorer.school.playlists.question_words import question_words
from explorer.ui.routes import thumbnail_address


class PlaylistLinePayload(TypedDict):
    """A playlist in the list of all; `kinds` are those of its questions, the most frequent first."""

    key: str
    title: str
    films: int
    kinds: list[QuestionKind]


class PlaylistsPayload(TypedDict):
    """Every playlist of this machine; `unreadable` has a sentence for each file that holds none."""

    stage: Literal["playlists"]
    playlists: list[PlaylistLinePayload]
    unreadable: list[str]


class PlaylistFilmPayload(TypedDict):
    """A film in the editor.

    `thumb` is its small picture's address, null where there is none; `made`: its picture is asked for. `asks` is the
    question as a sentence; `pairs` are the findings that a pair can ask about; `gone` says why it cannot be shown,
    `lacking` which of the `models` that it names its cohort lacks.
    `name`, `labels` and `pairs` are empty while labels are hidden.
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
    simulated: bool


class PlaylistPayload(TypedDict):
    """A playlist in the editor; `version` goes back with a change, `said` is what was done, `gone` what is lacking."""

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
    """Small pictures of simulated films as data URLs, by their place in the playlist."""

    stage: Literal["pictures"]
    pictures: dict[str, str]


class KeptPayload(TypedDict):
    """What was kept, and where; `said` in words."""

    stage: Literal["kept"]
    key: str
    title: str
    said: str
    films: NotRequired[int]


def playlists_payload(found: PlaylistList) -> PlaylistsPayload:
    """The list of all."""
    return {
        "stage": "playlists",
        "playlists": [line_payload(each) for each in found.kept],
        "unreadable": list(found.unreadable),
    }


def line_payload(kept: KeptPlaylist) -> PlaylistLinePayload:
    """A line of it."""
    films = kept.playlist.films
    kinds = [film.question.kind for film in films]
    order = sorted(set(kinds), key=lambda kind: (-kinds.count(kind), kind))
    return {"key": kept.key, "title": kept.playlist.title, "films": len(films), "kinds": order}


def playlist_payload(sources: Sources, kept: KeptPlaylist, said: str = "", *, hidden: bool = False) -> PlaylistPayload:
    """A playlist in the editor, without what tells of its films where labels are `hidden`."""
    playlist = kept.playlist
    facts = film_facts(sources, playlist.films)
    return {
        "stage": "playlist",
        "key": kept.key,
        "version": kept.version,
        "title": playlist.title,
        "about": playlist.about,
        "closing": playlist.closing,
        "films": [_film(film, each, hidden) for film, each in zip(playlist.films, facts, strict=True)],
        "gone": _gone(facts, hidden),
        "said": said,
        "hidden": hidden,
    }


def _gone(facts: Sequence[FilmFacts], hidden: bool) -> str:
    count = sum(bool(each.gone) for each in facts)
    return f"{count} not on this machine." if hidden and count else gone_words(facts)


def _film(film: PlaylistFilm, facts: FilmFacts, hidden: bool) -> PlaylistFilmPayload:
    line = facts.line
    return {
        "thumb": None if line is None or facts.gone else thumbnail_address(film.cohort, line.case),
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
        "gone": "It is not on this machine." if hidden and facts.gone else facts.gone,
        "models": list(film.models),
        "lacking": facts.lacking,
        "simulated": facts.simulated,
    }
