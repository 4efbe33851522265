"""What the server says to the calls of Ask's script when it is not asked as the script asks. No model is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.asking.asker import Asker
from explorer.asking.model import TextModel
from explorer.cohorts.images import Images
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import DecodedFilm, Reader, ReadingModel
from explorer.reading.samples import sample_bytes
from explorer.store.store import Store
from explorer.ui.ask.handlers import AskHandlers
from explorer.ui.read.handlers import OpenedFilm, OpenedFilms, ReadHandlers
from explorer.ui.read.joiner import Joiner
from explorer.ui.shared.uploads import Uploads
from models.cards.card import UnusableModel
from models.radiograph import read_radiograph
from tests.support.answers import answer_of
from tests.support.wording import Wording


class NoModel:
    """An unavailable classifier."""

    loading = False

    def __call__(self) -> ReadingModel:
        raise UnusableModel("There is no classifier", "Choose another one.")


def no_text_model() -> TextModel:
    raise UnusableModel("There is no image-text model", "Choose another one with --vlm.")


@pytest.fixture
def films() -> OpenedFilms:
    return OpenedFilms()


@pytest.fixture
def desk(films: OpenedFilms, tmp_path: Path) -> AskHandlers:
    reading = ReadHandlers(ByProvenance.one(Reader(NoModel())), films, Uploads(tmp_path), Joiner(Store(), Images()))
    return AskHandlers(ByProvenance.one(Asker(no_text_model)), reading)


@pytest.fixture
def token(films: OpenedFilms) -> str:
    film = DecodedFilm(read_radiograph(sample_bytes("masses")), 0.0)
    return films.put(OpenedFilm(film), visitor="somebody", nbytes=1)


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


def test_a_model_that_cannot_be_had_is_said(desk: AskHandlers, token: str, wording: Wording) -> None:
    answer = desk.ask({"token": token, "text": "mass"})
    assert answer is not None and answer["title"] == "There is no classifier"
    wording(desk.ask_about(None)["title"])
    assert desk.export_asked(token) is None


def test_nobody_is_ahead_of_a_film_that_nobody_asks_about(desk: AskHandlers, token: str) -> None:
    assert desk.ask_progress(token) == {"loading": False, "ahead": None}


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ({"text": ""}, "There is no finding to look for"),
        ({"text": "mass", "prevalence": "often"}, "The prevalence is not a number"),
        ({"text": "mass", "prevalence": "0"}, "0 % is not a prevalence to ask at"),
        ({"text": "mass", "prevalence": {}}, "The prevalence is not a number"),
    ],
)
def test_a_wrong_prevalence_is_refused(desk: AskHandlers, token: str, order: dict[str, object], words: str) -> None:
    answer = desk.ask_at({"token": token, **order})
    assert answer is not None and answer["stage"] == "wrong" and answer["title"] == words and answer["detail"]


@pytest.mark.parametrize("order", [None, 5, {}, {"token": "gone", "text": "mass", "prevalence": "5"}])
def test_no_answer_is_judged_again_without_a_film(desk: AskHandlers, order: object) -> None:
    assert desk.ask_at(order) is None


def test_only_what_was_asked_is_judged_again_and_so_it_is_kept(
    desk: AskHandlers, films: OpenedFilms, token: str, wording: Wording
) -> None:
    opened = films.get(token)
    assert opened is not None
    opened.answers.extend(map(answer_of, ("mass", "effusion", "nodule")))
    never = desk.ask_at({"token": token, "text": "hernia", "prevalence": "5"})
    assert never is not None and never["stage"] == "wrong"
    wording(never["title"])
    before = desk.ask_at({"token": token, "text": "effusion", "prevalence": ""})
    judged = desk.ask_at({"token": token, "text": " effusion ", "prevalence": "60 %"})
    assert before is not None and before["stage"] == "judged" and before["verdict"] == "possible"
    assert judged is not None and judged["stage"] == "judged" and judged["verdict"] == "likely"
    assert judged["predicted"] and judged["predicted"]["prevalence"] == 0.6 and judged["predicted"]["typed"]
    assert [each.verdict for each in opened.answers] == ["possible", "likely", "possible"]
    assert desk.ask_at({"token": token, "text": "effusion", "prevalence": None}) == before
