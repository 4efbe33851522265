"""The payloads for learners' devices. Only `revealed_payload` and `sheet` contain a film's truth."""

from __future__ import annotations

from typing import TypedDict

from explorer.school.classroom.kept import result_payload
from explorer.school.classroom.learners import Learner
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.session import Session
from explorer.school.classroom.teacher_screen import SessionStage
from explorer.school.judging.answer import answer_json
from explorer.school.judging.tally import TallyPayload
from explorer.school.playlists.question_words import question_words
from explorer.school.preparing.prepared import RevealPayload


class MePayload(TypedDict):
    """The learner's nickname, and what the class is about."""

    nickname: str
    title: str
    about: str
    films: int
    own_pace: bool


class StatePayload(TypedDict):
    """The state of the class: `answered` by film for this learner; `open` and `revealed` are films they may view.

    `again`, by film: whether this learner has answered a second time, after seeing a model; null: no model answers it.
    `committed` learners have answered the current film; a change in this number alone is not announced.
    """

    version: int
    stage: SessionStage
    film: int
    films: int
    own_pace: bool
    answered: list[bool]
    again: list[bool | None]
    open: list[int]
    revealed: list[int]
    learners: int
    committed: int
    closing: str


class LearnerFilmPayload(TypedDict):
    """A film and its question; `words` are the whole question, `answer` and `again` this learner's answers or null.

    `places` puts points into words: rows of digits, as in `models.anatomy.places`; null if not needed or not known.
    """

    film: int
    kind: str
    finding: str | None
    words: str
    before: str
    pictures: list[str]
    width: int
    height: int
    simulated: bool
    places: list[str] | None
    answer: dict[str, object] | None
    again: dict[str, object] | None


class SecondResultPayload(TypedDict):
    """A learner's second answer, given after seeing the model's, and its result."""

    answer: dict[str, object]
    judged: dict[str, object]


class LearnerRevealPayload(TypedDict):
    """The truth about a film, and the results of this learner (`again`: of the second answer) and of the class."""

    reveal: RevealPayload
    judged: dict[str, object] | None
    answer: dict[str, object] | None
    again: SecondResultPayload | None
    tally: TallyPayload


def me_payload(session: Session, learner: Learner) -> MePayload:
    """Return the payload about the learner."""
    playlist = session.prepared.playlist
    return {
        "nickname": learner.nickname,
        "title": playlist.title,
        "about": playlist.about,
        "films": len(session.films),
        "own_pace": session.own_pace,
    }


def state_payload(session: Session, learner: Learner) -> StatePayload:
    """Return the state of the class for one learner."""
    with session.lock:
        answered = [film in learner.answers for film in range(len(session.films))]
        opened = session.films_open_to(learner)
        revealed = session.films_revealed_to(learner)
        done = session.stage == "ended" or (session.own_pace and len(revealed) == len(session.films))
        return {
            "version": session.version(learner),
            # Learners who work at their own pace are not affected by the teacher's steps.
            "stage": "open" if session.own_pace and session.stage != "ended" else session.stage,
            "film": opened[-1] if session.own_pace else session.film,
            "films": len(session.films),
            "own_pace": session.own_pace,
            "answered": answered,
            "again": [
                None if shown is None else film in learner.again for film, shown in enumerate(session.model_answers)
            ],
            "open": list(opened),
            "revealed": revealed,
            "learners": len(session.learners),
            "committed": sum(session.film in each.answers for each in session.learners),
            "closing": session.prepared.playlist.closing if done else "",
        }


def learner_film_payload(session: Session, learner: Learner, number: int) -> LearnerFilmPayload:
    """Return a film that is open. Raises ClassRefusal if it is not."""
    shown = session.open_film(learner, number)
    question, given, again = shown.entry.question, learner.given(number), learner.given(number, second=True)
    return {
        "film": number,
        "kind": question.kind,
        "finding": question.finding,
        "words": question_words(question),
        "before": shown.entry.before,
        "pictures": [f"/picture/{number}/{place}" for place in range(len(shown.pictures))],
        "width": shown.width,
        "height": shown.height,
        "simulated": shown.simulated,
        "places": None if shown.places is None else list(shown.places.rows),
        "answer": None if given is None else answer_json(given),
        "again": None if again is None else answer_json(again),
    }


def learner_picture(session: Session, learner: Learner, number: int, place: int) -> bytes:
    """Return a picture of an open film. Raises ClassRefusal if it is not open."""
    pictures = session.open_film(learner, number).pictures
    if not 0 <= place < len(pictures):
        raise ClassRefusal("There is no such picture", "Reload the page.", 404)
    return pictures[place]


def revealed_payload(session: Session, learner: Learner, number: int) -> LearnerRevealPayload:
    """Return the truth about a film that has been revealed to this learner. Raises ClassRefusal."""
    with session.lock:
        if number not in session.films_revealed_to(learner):
            raise ClassRefusal("This film is not revealed yet", "Answer it, then wait for the reveal.", 403)
        mine, again = learner.answers.get(number), learner.again.get(number)
        return {
            "reveal": session.films[number].reveal,
            "judged": None if mine is None else result_payload(mine.judged),
            "answer": None if mine is None else answer_json(mine.answer),
            "again": None
            if again is None
            else {"answer": answer_json(again.answer), "judged": result_payload(again.judged)},
            "tally": session.tally(number, right=True),
        }
