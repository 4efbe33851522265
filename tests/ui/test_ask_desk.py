"""What the server says to the calls of Ask's script when it is not asked as the script asks. No model is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.asking.asker import Asker
from explorer.asking.model import TextModel
from explorer.cohorts.images import Images
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import Film, Reader, ReadingModel
from explorer.reading.samples import sample_bytes
from explorer.store.store import Store
from explorer.ui.ask.handlers import AskHandlers
from explorer.ui.read.handlers import Films, Opened, ReadHandlers
from explorer.ui.read.joiner import Joiner
from explorer.ui.uploads import Uploads
from models.cards.card import UnusableModel
from models.radiograph import read_radiograph


class NoModel:
    """An unavailable classifier."""

    loading = False

    def __call__(self) -> ReadingModel:
        raise UnusableModel("There is no classifier", "Choose another one.")


def no_text_model() -> TextModel:
    raise UnusableModel("There is no image-text model", "Choose another one with --vlm.")


@pytest.fixture
def films() -> Films:
    return Films()


@pytest.fixture
def desk(films: Films, tmp_path: Path) -> AskHandlers:
    reading = ReadHandlers(ByProvenance.one(Reader(NoModel())), films, Uploads(tmp_path), Joiner(Store(), Images()))
    return AskHandlers(ByProvenance.one(Asker(no_text_model)), reading)


@pytest.fixture
def token(films: Films) -> str:
    film = Film(read_radiograph(sample_bytes("masses")), 0.0)
    return films.put(Opened(film), visitor="somebody", nbytes=1)


@pytest.mark.parametrize("order", [None, 5, "token", [], {}, {"token": 5}, {"token": "gone", "text": "mass"}])
def test_there_is_no_answer_without_a_film(desk: AskHandlers, order: object) -> None:
    assert desk.ask(order) is None
    assert desk.export_asked(order) is None


@pytest.mark.parametrize(
    "order",
    [
        {},
        {"text": 5},
        {"text": " \n "},
        {"text": "two\nlines"},
        {"text": "a" * 500},
        {"text": "mass", "templates": "nothing"},
        {"text": "mass", "templates": "{} | no {}\n" * 500},
    ],
)
def test_a_wrong_question_is_refused_before_any_model_is_wanted(
    desk: AskHandlers, token: str, order: dict[str, str]
) -> None:
    answer = desk.ask({"token": token, **order})
    assert answer is not None and answer["stage"] == "unscored"
    assert answer["title"] and answer["detail"] and "classifier" not in answer["title"]


def test_a_model_that_cannot_be_had_is_said(desk: AskHandlers, token: str) -> None:
    answer = desk.ask({"token": token, "text": "mass"})
    assert answer is not None and answer["title"] == "There is no classifier"
    assert desk.ask_about(None)["title"] == "There is no image-text model"
    assert desk.export_asked(token) is None


def test_nobody_is_ahead_of_a_film_that_nobody_asks_about(desk: AskHandlers, token: str) -> None:
    assert desk.ask_progress(token) == {"loading": False, "ahead": None}
