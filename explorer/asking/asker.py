"""Asks an image-text model about films, one question at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from explorer.asking.answer import AnswerTimes, FilmAnswer
from explorer.asking.answering import answer_question
from explorer.asking.model import Heat, TextModel
from explorer.asking.question import Question
from explorer.asking.question_analysis import AnalyzedQuestion, PreparedModel, analyze_question
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import Reading
from explorer.runtime.cached import RecentAnswers
from explorer.runtime.fair_queue import FairQueue
from models.array_types import Float32
from models.cards.card import UnusableModel
from models.cards.vlm_card import VlmCard
from models.prompts.templates import PromptSet
from models.radiograph import Radiograph

StepResult = TypeVar("StepResult")
MAX_CACHED_QUESTIONS = 64  # questions, each with its margins on the validation films, 1,650 x 20 floats


class Asker:
    """Asks a model, which `load` provides on first use; after a failure, `load` is tried again."""

    def __init__(self, load: Callable[[], TextModel]) -> None:
        self._load = load
        self._ready: PreparedModel | None = None
        self._loads = threading.Lock()
        self._line = FairQueue()
        self._analyses: RecentAnswers[AnalyzedQuestion] = RecentAnswers(MAX_CACHED_QUESTIONS)

    def ask(
        self,
        radiograph: Radiograph,
        reading: Reading,
        question: Question,
        name: str = "",
        *,
        anyway: bool = False,
        embedding: Float32 | None = None,
        prevalence: float | None = None,
        far: bool = False,
    ) -> FilmAnswer:
        """Answer a question about a film that was read; `name` identifies it in the queue.

        `anyway`: the visitor overrode the gate's refusal. `embedding` comes from an earlier answer about the film.
        `prevalence` in (0, 1) is the share of films with the finding (None: that of the labeled films). `far`: the film
        is unlike the test films. Raises UnusableModel if the model is unavailable, QueueFull if too many questions are
        waiting.
        """
        ready = self._model()  # waits until it is loaded
        arrived = time.perf_counter()
        with self._line.turn(name):
            wait = (time.perf_counter() - arrived) * 1000
            seen, image = _timed(lambda: _embedded(ready, radiograph, reading) if embedding is None else embedding)
            analysis, text = _timed(lambda: self._analyze(ready, question))
            heat, explain = _timed(lambda: _heat(ready.model, radiograph, analysis.prompts.together))
        times = AnswerTimes(wait, image, text, explain)
        return answer_question(ready, analysis, reading, anyway, seen, heat, times, prevalence, far=far)

    def analyze(self, question: Question) -> AnalyzedQuestion:
        """Analyze a question independently of any film; `directions[0]` ranks films. Raises the errors of `ask`."""
        ready = self._model()
        with self._line.turn(""):
            return self._analyze(ready, question)

    @property
    def card(self) -> VlmCard:
        """The model's card; loads the model first. Raises UnusableModel if it is unavailable."""
        return self._model().card

    @property
    def loading(self) -> bool:
        """Whether the model is loading."""
        return self._ready is None and self._loads.locked()

    def ahead(self, name: str) -> int | None:
        """Return how many questions are ahead of this one in the queue; None if it is not queued."""
        return self._line.ahead(name)

    def _model(self) -> PreparedModel:
        """Wait for the model and return it."""
        with self._loads:
            if self._ready is None:
                self._ready = PreparedModel.of(self._load())
            return self._ready

    def _analyze(self, ready: PreparedModel, question: Question) -> AnalyzedQuestion:
        return self._analyses.get(question, lambda: analyze_question(ready, question))


Askers = ByProvenance[Asker]


def _embedded(ready: PreparedModel, radiograph: Radiograph, reading: Reading) -> Float32:
    """Return the film's unit embedding (d,), from the classifier's features if the two share a tower."""
    shared = ready.card.tower == reading.card.tower
    embedded = ready.model.project(reading.features[None]) if shared else ready.model.embed_images([radiograph])
    seen: Float32 = embedded[0]
    return seen


def _heat(model: TextModel, radiograph: Radiograph, prompts: PromptSet) -> Heat | str:
    """Return the margin's heat map, or why there is none, since not every tower has a feature map."""
    try:
        return model.explain(radiograph, prompts)
    except UnusableModel as refusal:
        return f"{refusal.title}. {refusal.detail}"


def _timed(call: Callable[[], StepResult]) -> tuple[StepResult, float]:
    start = time.perf_counter()
    result = call()
    return result, (time.perf_counter() - start) * 1000
