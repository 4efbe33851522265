"""Hidden films: the script gets the film alone, under a sealed name; what it has comes with the reveal or answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from random import Random, SystemRandom
from typing import Literal, TypedDict, TypeVar

from explorer.reading.reader import timed_film
from explorer.school.class_file.sealed import Seal, WrongSeal, own_seal
from explorer.school.judging.answer import WrongAnswer, answer_in
from explorer.school.judging.judged import Judged, judged
from explorer.school.judging.tally import RightPayload, right_payload
from explorer.school.playlists.playlist import QUESTION_KINDS, Question, WrongPlaylist
from explorer.school.playlists.quiz import drawn, same_findings
from explorer.school.playlists.simulated_truth import simulated_truth
from explorer.simulator import WrongRequest, describe
from explorer.simulator.address import PhantomFilm, parse
from explorer.simulator.film_png import png
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.shared.request_values import number
from explorer.ui.simulate.film_requests import LAST_SEED, TRAINED, RequestPayload, address_of, film_in, requests_payload
from explorer.ui.viewer import payload
from models.radiograph import read_radiograph

Payload = TypeVar("Payload")
OWN_SEEDS = range(TRAINED.stop, LAST_SEED + 1)  # of no film of the cohort
MOST_ANSWERS = 100_000  # of a running tally


class SealedPayload(TypedDict):
    """The sealed name of a film."""

    stage: Literal["sealed"]
    seal: str


class HiddenPatientPayload(TypedDict):
    """What a request form would say: nothing of the film itself."""

    sex: str
    age: int
    view: str


class HiddenFilmPayload(TypedDict):
    """A film without its name, findings and masks."""

    stage: Literal["hidden"]
    seal: str
    patient: HiddenPatientPayload
    film: payload.FilmPayload


class OrderPayload(TypedDict):
    """What was hidden: an order as the script sends it."""

    center: str
    seed: int
    requests: list[RequestPayload]
    version: int


class RevealedPayload(TypedDict):
    """A film that may be seen."""

    stage: Literal["revealed"]
    order: OrderPayload


class JudgedPayload(TypedDict):
    """What an answer came to, the film that was hidden, and how many answers so far are right."""

    stage: Literal["judged"]
    right: bool | None
    outcomes: dict[str, str]
    sides: dict[str, bool]
    order: OrderPayload
    tally: RightPayload


class HiddenFilms:
    """What the script asks about films that it must not know. `seal` is asked for when the first is hidden."""

    def __init__(self, seal: Callable[[], Seal] = own_seal, random: Random | None = None) -> None:
        self._seal = seal
        self._random = random or SystemRandom()  # a fresh secret: nobody can say what will be drawn

    @cached_property
    def seal(self) -> Seal:
        return self._seal()

    def simulated_seal(self, order: object) -> SealedPayload | RefusedPayload:
        """The sealed name of the film of an order."""
        return _answered(lambda: {"stage": "sealed", "seal": self.seal.close(address_of(film_in(order)))})

    def simulated_hidden(self, sent: object) -> HiddenFilmPayload | RefusedPayload:
        """The film of a sealed name, and nothing that it has."""
        return _answered(lambda: self._film(self._opened(sent)))

    def simulated_hidden_other(self, sent: object) -> HiddenFilmPayload | RefusedPayload:
        """Another patient with the same findings, hidden as well."""

        def other() -> HiddenFilmPayload:
            film = parse(self._opened(sent))
            return self._film(same_findings(film.requests, film.center, OWN_SEEDS, self._random))

        return _answered(other)

    def simulated_reveal(self, sent: object) -> RevealedPayload | RefusedPayload:
        """What a sealed name stands for."""
        return _answered(lambda: {"stage": "revealed", "order": order_payload(parse(self._opened(sent)))})

    def quiz_film(self, sent: object) -> HiddenFilmPayload | RefusedPayload:
        """A film drawn at random for {question, normals}, hidden."""

        def next_film() -> HiddenFilmPayload:
            normals = number(_words(sent).get("normals"))
            return self._film(drawn(question_in(sent), -1 if normals is None else normals, OWN_SEEDS, self._random))

        return _answered(next_film)

    def quiz_answer(self, sent: object) -> JudgedPayload | RefusedPayload:
        """What {seal, question, answer} came to; `hits` of `n` earlier answers were right."""
        return _answered(lambda: self._judged(sent))

    def _judged(self, sent: object) -> JudgedPayload:
        film, question = parse(self._opened(sent)), question_in(sent)
        found = judged(question, answer_in(question, _words(sent).get("answer")), simulated_truth(film))
        return {
            "stage": "judged",
            "right": found.right,
            "outcomes": outcomes_that_matter(found),
            "sides": dict(found.sides),
            "order": order_payload(film),
            "tally": tally_with(_words(sent), found.right),
        }

    def _opened(self, sent: object) -> str:
        return self.seal.open(_words(sent).get("seal"))

    def _film(self, where: str) -> HiddenFilmPayload:
        film = parse(where)
        patient = describe(film.seed, film.center, film.drawing)
        return {
            "stage": "hidden",
            "seal": self.seal.close(where),
            "patient": {"sex": patient.sex, "age": patient.age, "view": patient.position},
            # The sum is of the file, in which the film's address stands.
            "film": {**payload.film_payload(timed_film(lambda: read_radiograph(png(where)))), "sha256": ""},
        }


def question_in(sent: object) -> Question:
    """The question {kind, finding} of an order of the script. Raises WrongPlaylist."""
    words = _words(_words(sent).get("question"))
    kind, finding = words.get("kind"), words.get("finding")
    if kind not in QUESTION_KINDS:
        raise WrongPlaylist("There is no such question", "Load the page again, then try it once more.")
    return Question(kind, finding if isinstance(finding, str) and finding else None)


def order_payload(film: PhantomFilm) -> OrderPayload:
    """A film as an order of the script."""
    return {
        "center": film.center,
        "seed": film.seed,
        "requests": requests_payload(film),
        "version": film.drawing,
    }


def outcomes_that_matter(found: Judged) -> dict[str, str]:
    """Outcomes by finding without those that were neither there nor named."""
    return {finding: str(each) for finding, each in found.outcomes.items() if each != "correct rejection"}


def tally_with(words: dict[str, object], right: bool | None) -> RightPayload:
    """The tally so far, as the script keeps it, with this answer."""
    hits, n = (each if type(each) is int else 0 for each in (words.get("hits"), words.get("n")))
    n = min(max(n, 0), MOST_ANSWERS) + (right is not None)
    hits = min(max(hits, 0) + bool(right), n)
    return right_payload(hits, n)


def _words(sent: object) -> dict[str, object]:
    return sent if isinstance(sent, dict) else {}


def _answered(work: Callable[[], Payload]) -> Payload | RefusedPayload:
    try:
        return work()
    except (WrongRequest, WrongSeal, WrongAnswer, WrongPlaylist) as refusal:
        return refused(refusal, "wrong")
