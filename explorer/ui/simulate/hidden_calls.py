"""Hidden films: the script gets the film under a sealed name; its findings follow with the reveal or the answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from random import Random, SystemRandom
from typing import Literal, TypedDict, TypeVar

from explorer.reading.reader import timed_film
from explorer.school.class_file.sealed import Seal, WrongSeal, machine_seal
from explorer.school.judging.answer import WrongAnswer, read_answer
from explorer.school.judging.judged import AnswerResult, grade_answer
from explorer.school.judging.tally import RightPayload, right_payload
from explorer.school.playlists.playlist import QUESTION_KINDS, FilmQuestion, WrongPlaylist
from explorer.school.playlists.quiz import draw_quiz_film, draw_same_findings
from explorer.school.playlists.simulated_truth import simulated_truth
from explorer.school.preparing.ordered_scores import TRAINING_SEEDS
from explorer.simulator import WrongRequest, describe
from explorer.simulator.address import PhantomFilm, parse_film_address
from explorer.simulator.film_png import simulated_png
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import number_or_none
from explorer.ui.simulate.film_requests import (
    LAST_SEED,
    RequestPayload,
    film_address,
    ordered_film,
    requests_payload,
)
from explorer.ui.viewer import payload
from models.radiograph import read_radiograph

Payload = TypeVar("Payload")
OWN_SEEDS = range(TRAINING_SEEDS.stop, LAST_SEED + 1)  # seeds that the cohort does not use
MAX_TALLY = 100_000  # limit of a running tally


class SealedFilmPayload(TypedDict):
    """The sealed name of a film."""

    stage: Literal["sealed"]
    seal: str


class HiddenPatientPayload(TypedDict):
    """The patient as a request form would describe them; nothing about the film."""

    sex: str
    age: int
    view: str


class HiddenSimulationPayload(TypedDict):
    """A film without its name, findings and masks."""

    stage: Literal["hidden"]
    seal: str
    patient: HiddenPatientPayload
    film: payload.FilmPayload


class OrderPayload(TypedDict):
    """The order of a film that was hidden, in the script's form."""

    center: str
    seed: int
    requests: list[RequestPayload]
    version: int


class RevealedOrderPayload(TypedDict):
    """A film that may be seen now."""

    stage: Literal["revealed"]
    order: OrderPayload


class QuizResultPayload(TypedDict):
    """The outcome of an answer, the film that was hidden, and the tally of right answers."""

    stage: Literal["judged"]
    right: bool | None
    outcomes: dict[str, str]
    sides: dict[str, bool]
    order: OrderPayload
    tally: RightPayload


class HiddenFilms:
    """The script's calls about films whose findings it must not know. `seal` is called for the first hidden film."""

    def __init__(self, seal: Callable[[], Seal] = machine_seal, random: Random | None = None) -> None:
        self._seal = seal
        self._random = random or SystemRandom()  # unpredictable draws

    @cached_property
    def seal(self) -> Seal:
        return self._seal()

    def simulated_seal(self, order: object) -> SealedFilmPayload | RefusedPayload:
        """The sealed name of an order's film."""
        return _answered(lambda: {"stage": "sealed", "seal": self.seal.close(film_address(ordered_film(order)))})

    def simulated_hidden(self, sent: object) -> HiddenSimulationPayload | RefusedPayload:
        """The film of a sealed name, without its findings."""
        return _answered(lambda: self._film(self._opened(sent)))

    def simulated_hidden_other(self, sent: object) -> HiddenSimulationPayload | RefusedPayload:
        """Another patient with the same findings, also hidden."""

        def other() -> HiddenSimulationPayload:
            film = parse_film_address(self._opened(sent))
            return self._film(draw_same_findings(film.requests, film.center, OWN_SEEDS, self._random))

        return _answered(other)

    def simulated_reveal(self, sent: object) -> RevealedOrderPayload | RefusedPayload:
        """The order behind a sealed name."""
        return _answered(lambda: {"stage": "revealed", "order": order_payload(parse_film_address(self._opened(sent)))})

    def quiz_film(self, sent: object) -> HiddenSimulationPayload | RefusedPayload:
        """A hidden film drawn at random for {question, normals}."""

        def next_film() -> HiddenSimulationPayload:
            normals = number_or_none(_words(sent).get("normals"))
            return self._film(
                draw_quiz_film(quiz_question(sent), -1 if normals is None else normals, OWN_SEEDS, self._random)
            )

        return _answered(next_film)

    def quiz_answer(self, sent: object) -> QuizResultPayload | RefusedPayload:
        """The outcome of {seal, question, answer}; `hits` of `n` earlier answers were right."""
        return _answered(lambda: self._judged(sent))

    def _judged(self, sent: object) -> QuizResultPayload:
        film, question = parse_film_address(self._opened(sent)), quiz_question(sent)
        found = grade_answer(question, read_answer(question, _words(sent).get("answer")), simulated_truth(film))
        return {
            "stage": "judged",
            "right": found.right,
            "outcomes": notable_outcomes(found),
            "sides": dict(found.sides),
            "order": order_payload(film),
            "tally": updated_tally(_words(sent), found.right),
        }

    def _opened(self, sent: object) -> str:
        return self.seal.open(_words(sent).get("seal"))

    def _film(self, where: str) -> HiddenSimulationPayload:
        film = parse_film_address(where)
        patient = describe(film.seed, film.center, film.drawing)
        return {
            "stage": "hidden",
            "seal": self.seal.close(where),
            "patient": {"sex": patient.sex, "age": patient.age, "view": patient.position},
            # The file's checksum would reveal its address, so it is left out.
            "film": {**payload.film_payload(timed_film(lambda: read_radiograph(simulated_png(where)))), "sha256": ""},
        }


def quiz_question(sent: object) -> FilmQuestion:
    """The question {kind, finding} of the script's argument. Raises WrongPlaylist."""
    words = _words(_words(sent).get("question"))
    kind, finding = words.get("kind"), words.get("finding")
    if kind not in QUESTION_KINDS:
        raise WrongPlaylist("There is no such question", "Load the page again, then try it once more.")
    return FilmQuestion(kind, finding if isinstance(finding, str) and finding else None)


def order_payload(film: PhantomFilm) -> OrderPayload:
    """A film as an order of the script."""
    return {
        "center": film.center,
        "seed": film.seed,
        "requests": requests_payload(film),
        "version": film.drawing,
    }


def notable_outcomes(found: AnswerResult) -> dict[str, str]:
    """Outcomes by finding, without correct rejections."""
    return {finding: str(each) for finding, each in found.outcomes.items() if each != "correct rejection"}


def updated_tally(words: dict[str, object], right: bool | None) -> RightPayload:
    """The script's tally so far, plus this answer."""
    hits, n = (each if type(each) is int else 0 for each in (words.get("hits"), words.get("n")))
    n = min(max(n, 0), MAX_TALLY) + (right is not None)
    hits = min(max(hits, 0) + bool(right), n)
    return right_payload(hits, n)


def _words(sent: object) -> dict[str, object]:
    return sent if isinstance(sent, dict) else {}


def _answered(work: Callable[[], Payload]) -> Payload | RefusedPayload:
    try:
        return work()
    except (WrongRequest, WrongSeal, WrongAnswer, WrongPlaylist) as refusal:
        return refusal_payload(refusal, "wrong")
