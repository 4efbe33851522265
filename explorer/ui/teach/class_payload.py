"""The payloads of a running class, besides the board of `explorer.school.classroom`."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import Literal, TypedDict

from explorer.school.class_file.class_file import build_class_file, class_file_name
from explorer.school.classroom.session import Session
from explorer.school.judging.answer_words import truth_words
from explorer.school.judging.result_table_payload import ResultTablePayload, result_table_payload
from explorer.school.judging.results import LearnerFilmAnswer, class_results
from explorer.school.judging.tally import RightPayload
from explorer.school.playlists.playlist import QuestionKind
from explorer.school.playlists.playlist_files import SavedPlaylist
from explorer.school.playlists.question_words import question_words
from explorer.school.preparing.prepared import PreparedFilm, PreparedPlaylist, RevealPayload

MAX_TRUTH_FINDINGS = 4  # findings of a film that a room can read at a glance


class PlaylistChoicePayload(TypedDict):
    """A playlist that a class can begin with; `films` is their number."""

    key: str
    title: str
    films: int


class PlaylistChoicesPayload(TypedDict):
    """The playlists on this machine."""

    stage: Literal["playlists"]
    playlists: list[PlaylistChoicePayload]


class PreparingPayload(TypedDict):
    """`done` of `films` films are prepared."""

    stage: Literal["preparing"]
    done: int
    films: int


class ClassBegunPayload(TypedDict):
    """The class has begun; `left_out` has a sentence for each film that could not be prepared."""

    stage: Literal["begun"]
    left_out: list[str]


class OneFilePayload(TypedDict):
    """A class in one file: its name, and its bytes in base64; `left_out` has a sentence for each film not included."""

    stage: Literal["file"]
    name: str
    content: str
    left_out: list[str]


class DonePayload(TypedDict):
    """The action is done; the board shows its effect."""

    stage: Literal["done"]


class ClassFilmPayload(TypedDict):
    """A film of the class; `pictures` are data URLs, in the order shown.

    Before the reveal, `reveal` is null and the others are empty: `truth`, the truth in a few words, and `link` and
    `mark`, which locate the note's number on the page.
    """

    stage: Literal["film"]
    film: int
    kind: QuestionKind
    finding: str | None
    question: str
    before: str
    pictures: list[str]
    width: int
    height: int
    simulated: bool
    reveal: RevealPayload | None
    truth: str
    link: str
    mark: str


class FilmCountPayload(TypedDict):
    """How many learners answered a film, and how many correctly, null until that may be shown."""

    film: int
    question: str
    answered: int
    right: RightPayload | None


class ClassResultsPayload(TypedDict):
    """The results of a class film by film, and, once it has ended, by finding and reader (`table`).

    `export` is the command that saves its answers.
    """

    stage: Literal["results"]
    title: str
    closing: str
    learners: int
    films: list[FilmCountPayload]
    table: ResultTablePayload | None
    export: str


def choices_payload(kept: Sequence[SavedPlaylist]) -> PlaylistChoicesPayload:
    """The non-empty playlists, in the given order."""
    return {
        "stage": "playlists",
        "playlists": [
            {"key": each.key, "title": each.playlist.title, "films": len(each.playlist.films)}
            for each in kept
            if each.playlist.films
        ],
    }


def one_file_payload(ready: PreparedPlaylist) -> OneFilePayload:
    """The class file of a prepared playlist. Raises NoFilms."""
    content = base64.b64encode(build_class_file(ready)).decode("ascii")
    return {
        "stage": "file",
        "name": class_file_name(ready.playlist),
        "content": content,
        "left_out": list(ready.left_out),
    }


def class_film_payload(film: PreparedFilm, number: int, *, revealed: bool) -> ClassFilmPayload:
    """The film of this number, with its truth if revealed."""
    question = film.entry.question
    return {
        "stage": "film",
        "film": number,
        "kind": question.kind,
        "finding": question.finding,
        "question": question_words(question),
        "before": film.entry.before,
        "pictures": ["data:image/webp;base64," + base64.b64encode(each).decode("ascii") for each in film.pictures],
        "width": film.width,
        "height": film.height,
        "simulated": film.simulated,
        "reveal": film.reveal if revealed else None,
        "truth": truth_words(question, film.truth, film.entry.target, MAX_TRUTH_FINDINGS) if revealed else "",
        "link": film.entry.link if revealed else "",
        "mark": film.entry.mark if revealed else "",
    }


def results_payload(session: Session, name: str) -> ClassResultsPayload:
    """The results of the class `name`; films that were not revealed count only once it has ended."""
    ended = session.stage == "ended"
    return {
        "stage": "results",
        "title": session.prepared.playlist.title,
        "closing": session.prepared.playlist.closing if ended else "",
        "learners": len(session.learners),
        "films": [_counted(session, number, ended=ended) for number in range(len(session.films))],
        "table": result_table_payload(class_results(session.films, _answers(session))) if ended else None,
        "export": f"python -m explorer class export {name} --out answers.csv",
    }


def _answers(session: Session) -> Iterator[LearnerFilmAnswer]:
    with session.lock:
        given = [(each.nickname, dict(each.answers)) for each in session.all_learners]
    for nickname, answers in given:
        for film, each in answers.items():
            yield LearnerFilmAnswer(nickname, film, each.answer)


def _counted(session: Session, number: int, *, ended: bool) -> FilmCountPayload:
    counted = session.tally(number, right=ended or session.is_revealed(number))
    return {
        "film": number,
        "question": question_words(session.films[number].entry.question),
        "answered": counted["n"],
        "right": counted["right"],
    }
