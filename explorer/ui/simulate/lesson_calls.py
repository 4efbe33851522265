"""The calls of the lesson bar: a lesson with hidden films, and each step's reveal after its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.school.judging.answer import read_answer
from explorer.school.judging.judged import AnswerResult, grade_answer
from explorer.school.judging.tally import RightPayload
from explorer.school.lessons.catalog import LESSONS, lesson_playlist
from explorer.school.lessons.counted import lesson_facts
from explorer.school.lessons.step import Lesson, LessonStep
from explorer.school.playlists.playlist import Playlist, QuestionKind
from explorer.school.playlists.playlist_files import PlaylistFiles, SavedPlaylist
from explorer.school.playlists.playlist_json import checked_playlist
from explorer.school.playlists.simulated_truth import simulated_truth
from explorer.school.preparing.model_scores import named_scores
from explorer.school.preparing.prepared import NamedScorePayload
from explorer.settings import CLASSIFIERS, VLMS
from explorer.simulator import WrongRequest
from explorer.simulator.address import parse_film_address
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.simulate.hidden_calls import HiddenFilms, OrderPayload, notable_outcomes, order_payload, updated_tally
from explorer.ui.simulate.lesson_links import NumberPayload, number_payload, shown_link
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


class NoLesson(Refusal):
    """The lesson or the step does not exist."""


class QuestionPayload(TypedDict):
    """The question about a film."""

    kind: QuestionKind
    finding: str | None


class LessonStepPayload(TypedDict):
    """A step before its answer; nothing in it reveals the film, which has a sealed name."""

    before: str
    words: str
    question: QuestionPayload
    link: str


class LessonPayload(TypedDict):
    """A lesson; `about` precedes its first step, `closing` follows the last."""

    stage: Literal["lesson"]
    title: str
    about: str
    closing: str
    minutes: int
    steps: list[LessonStepPayload]


class LessonRevealPayload(TypedDict):
    """The reveal of a step; `right` is null if no answer was given; `tally` counts given answers only.

    `shown` is the film's address after the reveal, `number` locates the number in `note`, `models` are the scores of
    the models that the step names.
    """

    stage: Literal["judged"]
    right: bool | None
    answered: bool
    outcomes: dict[str, str]
    sides: dict[str, bool]
    order: OrderPayload
    note: str
    shown: str
    number: NumberPayload
    models: list[NamedScorePayload]
    tally: RightPayload


class LessonCopiedPayload(TypedDict):
    """The playlist that a lesson was copied to."""

    stage: Literal["kept"]
    key: str
    title: str


class LessonCalls:
    """Serves the lessons with the simulated cohort's present numbers."""

    def __init__(self, store: Store, hidden: HiddenFilms, files: PlaylistFiles | None = None) -> None:
        self._store = store
        self._hidden = hidden
        self._files = files or PlaylistFiles()

    def lesson(self, number: object) -> LessonPayload | RefusedPayload:
        """A lesson by its number, from 1, with its films hidden."""
        try:
            lesson, steps = self._made(number)
            return {
                "stage": "lesson",
                "title": lesson.title,
                "about": lesson.about,
                "closing": lesson.closing,
                "minutes": lesson.minutes,
                "steps": [self._step(step) for step in steps],
            }
        except Refusal as refusal:
            return refusal_payload(refusal, "wrong")

    def lesson_answer(self, sent: object) -> LessonRevealPayload | RefusedPayload:
        """The outcome of an answer to {lesson, step} and the step's reveal; a null `answer` only reveals."""
        words = sent if isinstance(sent, dict) else {}
        try:
            _, steps = self._made(words.get("lesson"))
            place = words.get("step")
            if type(place) is not int or not 0 <= place < len(steps):
                raise NoLesson("There is no such step", "Open the lesson again.")
            return self._judged(steps[place], words)
        except (Refusal, WrongRequest) as refusal:
            return refusal_payload(refusal, "wrong")

    def lesson_copied(self, number: object) -> LessonCopiedPayload | RefusedPayload:
        """Copy the lesson, as worded now, to a playlist of the visitor's own."""
        try:
            return _kept(self._files.add(self._playlist(number)))
        except Refusal as refusal:
            return refusal_payload(refusal, "wrong")

    def lesson_for_class(self, number: object) -> LessonCopiedPayload | RefusedPayload:
        """A copy of the lesson to hold a class with; reuses an unchanged copy if there is one."""
        try:
            playlist = checked_playlist(self._playlist(number))
            known = (each for each in self._files.listed().kept if each.playlist == playlist)
            return _kept(next(known, None) or self._files.add(playlist))
        except Refusal as refusal:
            return refusal_payload(refusal, "wrong")

    def _playlist(self, number: object) -> Playlist:
        lesson, steps = self._made(number)

        def stands(step: LessonStep) -> tuple[str, str]:
            payload = number_payload(step, step_address(self._store, step))
            return payload["link"], payload["mark"]

        return lesson_playlist(lesson, steps, stands)

    def _judged(self, step: LessonStep, words: dict[str, object]) -> LessonRevealPayload:
        where, given = step_address(self._store, step), words.get("answer") is not None
        film, found = parse_film_address(where), AnswerResult(None)
        if given:
            found = grade_answer(
                step.film.question, read_answer(step.film.question, words["answer"]), simulated_truth(film)
            )
        return {
            "stage": "judged",
            "right": found.right,
            "answered": given,
            "outcomes": notable_outcomes(found),
            "sides": dict(found.sides),
            "order": order_payload(film),
            "note": step.film.note,
            "shown": shown_link(step, where),
            "number": number_payload(step, where),
            "models": named_scores(self._store, step.film),
            "tally": updated_tally(words, found.right),
        }

    def _made(self, number: object) -> tuple[Lesson, tuple[LessonStep, ...]]:
        if type(number) is not int or not 1 <= number <= len(LESSONS):
            raise NoLesson("There is no such lesson", f"There are {len(LESSONS)}: choose one in Simulate.")
        lesson = LESSONS[number - 1]
        steps = lesson.make_steps(lesson_facts(self._store, CLASSIFIERS.simulated, VLMS.simulated))
        if not steps:
            raise NoLesson(
                "This lesson has no films here",
                "It needs the simulated cohort and its models' scores: `python -m explorer demo` makes them.",
            )
        return lesson, steps

    def _step(self, step: LessonStep) -> LessonStepPayload:
        asked = step.film.question
        return {
            "before": step.film.before,
            "words": asked.words or f"Is there {asked.finding}?",
            "question": {"kind": asked.kind, "finding": asked.finding},
            "link": f"#simulate?sealed={self._hidden.seal.close(step_address(self._store, step))}",
        }


def _kept(kept: SavedPlaylist) -> LessonCopiedPayload:
    return {"stage": "kept", "key": kept.key, "title": kept.playlist.title}


def step_address(store: Store, step: LessonStep) -> str:
    """The simulator's address of a step's film. Raises NoLesson if the cohort no longer has it."""
    if not step.film.cohort:
        return step.film.case
    lines = store.cases(step.film.cohort, [step.film.case])
    if not lines or lines[0].file is None:
        raise NoLesson("The film of this step is no longer in the cohort", "Open the lesson again.")
    return lines[0].file
