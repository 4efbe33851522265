"""What the Simulate tab's script is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict, TypeVar

from explorer.asking.question import WrongQuestion
from explorer.runtime.fair_queue import QueueFull
from explorer.simulator import WrongRequest
from explorer.simulator.address import PhantomFilm
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.simulate.elsewhere import ElsewherePayload, ElsewhereReadPayload, elsewhere_answer
from explorer.ui.simulate.film_requests import (
    PreviewPayload,
    SimulatedFilmPayload,
    film_answer,
    film_in,
    preview_answer,
    twin_of,
)
from explorer.ui.simulate.hidden_calls import HiddenFilms
from explorer.ui.simulate.lesson_calls import LessonCalls
from explorer.ui.simulate.payload import JudgementPayload
from explorer.ui.simulate.scores import Judges
from models.cards.card import UnusableModel

if TYPE_CHECKING:
    from explorer.store.store import Store

Payload = TypeVar("Payload")


class LoadingPayload(TypedDict):
    """Whether a model is still being loaded."""

    loading: bool


class SimulateHandlers:
    """Simulates films as they are asked for, has them read by the phantom models, and tells the lessons."""

    def __init__(self, judges: Judges, store: Store) -> None:
        self._judges = judges
        self.hidden = HiddenFilms()
        self.lessons = LessonCalls(store, self.hidden)

    def simulated_film(self, order: object) -> SimulatedFilmPayload | RefusedPayload:
        """The film of an order at full size, with its masks; a refusal in its place."""
        return _answered(order, film_answer)

    def simulated_twin(self, order: object) -> SimulatedFilmPayload | RefusedPayload:
        """The same patient without a finding."""
        return _answered(order, lambda film: film_answer(twin_of(film)))

    def simulated_preview(self, order: object) -> PreviewPayload | RefusedPayload:
        """The film at low size, while something moves."""
        return _answered(order, preview_answer)

    def simulated_classifier(self, order: object) -> JudgementPayload | RefusedPayload:
        """What the classifier says of the film and of its twin; waits until it is loaded."""
        return _answered(order, self._judges.classifier)

    def simulated_text_model(self, order: object) -> JudgementPayload | RefusedPayload:
        """What the image-text model says of the findings on both; waits until it is loaded."""
        return _answered(order, self._judges.text_model)

    def simulated_elsewhere(self, order: object) -> ElsewherePayload | RefusedPayload:
        """The same patient at the other center."""
        return _answered(order, elsewhere_answer)

    def simulated_elsewhere_read(self, order: object) -> ElsewhereReadPayload | RefusedPayload:
        """What the classifier says of that film; waits until it is loaded."""
        return _answered(order, self._judges.elsewhere)

    def simulated_progress(self, nothing: object) -> LoadingPayload:
        """Whether a model is still being loaded."""
        return {"loading": self._judges.loading}


def _answered(order: object, answer: Callable[[PhantomFilm], Payload]) -> Payload | RefusedPayload:
    try:
        return answer(film_in(order))
    except WrongRequest as refusal:
        return refused(refusal, "wrong")
    except (UnusableModel, QueueFull, WrongQuestion) as refusal:
        return refused(refusal, "unscored")
