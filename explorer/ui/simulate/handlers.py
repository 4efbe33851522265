"""The handlers of the Simulate tab's script."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict, TypeVar

from explorer.asking.question import WrongQuestion
from explorer.runtime.fair_queue import QueueFull
from explorer.simulator import WrongRequest
from explorer.simulator.address import PhantomFilm
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import value_in
from explorer.ui.simulate.beside import BesidePayload, BesideScoresPayload, beside_answer
from explorer.ui.simulate.film_requests import (
    PreviewPayload,
    SimulatedFilmPayload,
    ordered_film,
    preview_answer,
    simulated_film_answer,
    twin_film,
)
from explorer.ui.simulate.hidden_calls import HiddenFilms
from explorer.ui.simulate.lesson_calls import LessonCalls
from explorer.ui.simulate.payload import JudgementPayload
from explorer.ui.simulate.scores import PhantomModels
from explorer.ui.simulate.severity_sweep import SeveritySweepPayload
from models.cards.card import UnusableModel

if TYPE_CHECKING:
    from explorer.store.store import Store

Payload = TypeVar("Payload")


class LoadingPayload(TypedDict):
    """Whether a model is still loading."""

    loading: bool


class SimulateHandlers:
    """Simulates films to order, has the phantom models read them, and serves the lessons."""

    def __init__(self, judges: PhantomModels, store: Store) -> None:
        self._judges = judges
        self.hidden = HiddenFilms()
        self.lessons = LessonCalls(store, self.hidden)

    def simulated_film(self, order: object) -> SimulatedFilmPayload | RefusedPayload:
        """The film of an order at full size with its masks, or a refusal."""
        return _answered(order, simulated_film_answer)

    def simulated_twin(self, order: object) -> SimulatedFilmPayload | RefusedPayload:
        """The film of the same patient without any finding."""
        return _answered(order, lambda film: simulated_film_answer(twin_film(film)))

    def simulated_preview(self, order: object) -> PreviewPayload | RefusedPayload:
        """A small preview of the film while a slider moves."""
        return _answered(order, preview_answer)

    def simulated_classifier(self, order: object) -> JudgementPayload | RefusedPayload:
        """The classifier's scores of the film and its twin; waits until the model is loaded."""
        return _answered(order, self._judges.classifier)

    def simulated_text_model(self, order: object) -> JudgementPayload | RefusedPayload:
        """The image-text model's scores of the findings on both films; waits until the model is loaded."""
        return _answered(order, self._judges.text_model)

    def simulated_beside(self, sent: object) -> BesidePayload | RefusedPayload:
        """The film of the same patient imaged in another way: {order, how}."""
        return _answered(value_in(sent, "order"), lambda film: beside_answer(film, str(value_in(sent, "how"))))

    def simulated_beside_read(self, sent: object) -> BesideScoresPayload | RefusedPayload:
        """The classifier's scores of that film; waits until the model is loaded."""
        return _answered(value_in(sent, "order"), lambda film: self._judges.beside(film, str(value_in(sent, "how"))))

    def simulated_sweep(self, sent: object) -> SeveritySweepPayload | RefusedPayload:
        """Both models' scores of the finding {order, finding}, from subtle to obvious; waits until they are loaded."""
        return _answered(value_in(sent, "order"), lambda film: self._judges.sweep(film, str(value_in(sent, "finding"))))

    def simulated_progress(self, _: object) -> LoadingPayload:
        """Whether a model is still loading."""
        return {"loading": self._judges.loading}


def _answered(order: object, answer: Callable[[PhantomFilm], Payload]) -> Payload | RefusedPayload:
    try:
        return answer(ordered_film(order))
    except WrongRequest as refusal:
        return refusal_payload(refusal, "wrong")
    except (UnusableModel, QueueFull, WrongQuestion) as refusal:
        return refusal_payload(refusal, "unscored")
