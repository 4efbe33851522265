"""Asks one image-text model about films, one question at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from explorer.asking.answer import Asked, Times
from explorer.asking.answering import answered
from explorer.asking.model import Heat, TextModel
from explorer.asking.question import Question
from explorer.asking.question_analysis import Heard, Ready, hear
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import Reading
from explorer.runtime.cached import Recent
from explorer.runtime.fair_queue import FairQueue
from models.array_types import Float32
from models.cards.card import UnusableModel
from models.cards.vlm_card import VlmCard
from models.prompts.templates import PromptSet
from models.radiograph import Radiograph

Result = TypeVar("Result")
KEPT = 64  # questions: each holds its margins on the validation films, 1,650 x 20 floats


class Asker:
    """Asks the model of `load`, which is called when the model is first wanted, and again after it failed."""

    def __init__(self, load: Callable[[], TextModel]) -> None:
        self._load = load
        self._ready: Ready | None = None
        self._loads = threading.Lock()
        self._line = FairQueue()
        self._heard: Recent[Heard] = Recent(KEPT)

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
    ) -> Asked:
        """Answer a question about a film that was read; `name` stands in line for it.

        `anyway`: the visitor overruled the gate's refusal. `embedding` is that of an earlier answer about the film.
        `prevalence` in (0, 1): the share of films with the finding, None: as among the labeled films. `far`: the film
        is unlike the test films.
        Raises UnusableModel where the model is unavailable, QueueFull where too many wait.
        """
        ready = self._model()  # waits until it is loaded
        arrived = time.perf_counter()
        with self._line.turn(name):
            wait = (time.perf_counter() - arrived) * 1000
            seen, image = _timed(lambda: _embedded(ready, radiograph, reading) if embedding is None else embedding)
            heard, text = _timed(lambda: self._hear(ready, question))
            heat, explain = _timed(lambda: _heat(ready.model, radiograph, heard.prompts.together))
        times = Times(wait, image, text, explain)
        return answered(ready, heard, reading, anyway, seen, heat, times, prevalence, far=far)

    def hear(self, question: Question) -> Heard:
        """What a question comes to whatever the film; `directions[0]` ranks films. Raises as `ask` does."""
        ready = self._model()
        with self._line.turn(""):
            return self._hear(ready, question)

    @property
    def card(self) -> VlmCard:
        """The model's card, once it is loaded. Raises UnusableModel where the model is unavailable."""
        return self._model().card

    @property
    def loading(self) -> bool:
        """Whether the model is being loaded."""
        return self._ready is None and self._loads.locked()

    def ahead(self, name: str) -> int | None:
        """How many questions are answered before the one of this name; None when it is not in line."""
        return self._line.ahead(name)

    def _model(self) -> Ready:
        """The model; waits until it is loaded."""
        with self._loads:
            if self._ready is None:
                self._ready = Ready.of(self._load())
            return self._ready

    def _hear(self, ready: Ready, question: Question) -> Heard:
        return self._heard.get(question, lambda: hear(ready, question))


Askers = ByProvenance[Asker]


def _embedded(ready: Ready, radiograph: Radiograph, reading: Reading) -> Float32:
    """The film's unit embedding (d,): from what the classifier saw where the two share a tower."""
    shared = ready.card.tower == reading.card.tower
    embedded = ready.model.project(reading.features[None]) if shared else ready.model.embed_images([radiograph])
    seen: Float32 = embedded[0]
    return seen


def _heat(model: TextModel, radiograph: Radiograph, prompts: PromptSet) -> Heat | str:
    """Where the margin comes from, or why nobody can say: not every tower has a feature map."""
    try:
        return model.explain(radiograph, prompts)
    except UnusableModel as refusal:
        return f"{refusal.title}. {refusal.detail}"


def _timed(call: Callable[[], Result]) -> tuple[Result, float]:
    start = time.perf_counter()
    result = call()
    return result, (time.perf_counter() - start) * 1000
