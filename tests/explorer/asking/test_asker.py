"""Questions asked one at a time of a model that is loaded with the first. No weights are needed."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from explorer.asking.asker import Asker
from explorer.asking.question import checked_question
from explorer.asking.validation import validation
from explorer.reading.percentiles import Percentile
from models.cards.card import UnusableModel
from tests.explorer.asking.asked import SEEN, asked, asker_of
from tests.explorer.asking.fake import FILMS, FakeVlm, fake_card, film, reading_of


@pytest.fixture
def model(tmp_path: Path) -> FakeVlm:
    return FakeVlm(fake_card(tmp_path))


def test_the_model_is_loaded_with_the_first_question_and_once(model: FakeVlm) -> None:
    loaded = threading.Event()

    def load() -> FakeVlm:
        assert not loaded.is_set()
        loaded.set()
        return model

    asker = Asker(load)
    assert not loaded.is_set() and not asker.loading
    with ThreadPoolExecutor(4) as pool:
        assert {card.name for card in pool.map(lambda _: asker.card, range(8))} == {"fake"}
    assert loaded.is_set() and not asker.loading


def test_while_the_model_is_loaded_that_is_said(model: FakeVlm) -> None:
    going, go = threading.Event(), threading.Event()

    def load() -> FakeVlm:
        going.set()
        assert go.wait(5)
        return model

    asker = Asker(load)
    with ThreadPoolExecutor(1) as pool:
        card = pool.submit(lambda: asker.card)
        assert going.wait(5) and asker.loading
        go.set()
        assert card.result(5).name == "fake" and not asker.loading


def test_a_model_that_cannot_be_had_is_said_until_it_is_there(model: FakeVlm) -> None:
    there = False

    def load() -> FakeVlm:
        if not there:
            raise UnusableModel("There is no model", "Bring its folder.")
        return model

    asker = Asker(load)
    for _ in range(2):
        with pytest.raises(UnusableModel, match="There is no model"):
            asker.ask(film(), reading_of(SEEN), checked_question("effusion"))
    there = True
    assert asker.ask(film(), reading_of(SEEN), checked_question("effusion")).verdict == "likely"


def test_one_pass_serves_both_where_the_tower_is_shared(model: FakeVlm) -> None:
    answer = asked(model, "effusion")
    assert model.images == 0
    assert np.allclose(answer.embedding, SEEN, atol=1e-6)


def test_another_tower_sees_the_film_once_for_all_questions(tmp_path: Path) -> None:
    model = FakeVlm(fake_card(tmp_path, tower=None))
    asker, reading = asker_of(model), reading_of(SEEN)
    first = asker.ask(film(), reading, checked_question("effusion"))
    asker.ask(film(), reading, checked_question("mass"), embedding=first.embedding)
    assert model.images == 1
    assert first.beside and not first.beside.same_tower


def test_the_same_question_is_understood_once(model: FakeVlm) -> None:
    asker, reading = asker_of(model), reading_of(SEEN)
    asker.ask(film(), reading, checked_question("effusion"))
    embedded = len(model.texts)
    asker.ask(film(), reading, checked_question("effusion"))
    assert len(model.texts) == embedded


def test_one_question_at_a_time(model: FakeVlm) -> None:
    asker, reading = asker_of(model), reading_of(SEEN)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: asker.ask(film(), reading, checked_question("effusion")), range(8)))
    assert model.most == 1 and len({each.margin for each in answers}) == 1


def test_directions_rank_films_by_the_margin_of_the_answer(model: FakeVlm) -> None:
    asker = asker_of(model)
    answer = asker.ask(film(), reading_of(SEEN), checked_question("effusion"))
    direction = asker.analyze(checked_question("effusion")).directions[0]
    assert direction @ answer.embedding == pytest.approx(answer.margin, abs=1e-6)


class Projected(FakeVlm):
    """A film's features are its embedding."""

    def project(self, features: np.ndarray) -> np.ndarray:
        return features


def test_a_film_has_the_margins_that_it_has_among_the_validation_films(tmp_path: Path) -> None:
    asker = asker_of(Projected(fake_card(tmp_path)))
    analysis = asker.analyze(checked_question("effusion"))
    films = validation(asker.card)
    assert films is not None and analysis.films is not None
    for row in range(0, FILMS, 9):
        answer = asker.ask(film(), reading_of(films.embeddings[row]), checked_question("effusion"))
        lower, equal = (analysis.films[:, 0] < answer.margin).sum(), (analysis.films[:, 0] == answer.margin).sum()
        assert answer.margin == analysis.films[row, 0] and equal >= 1
        assert answer.percentile == Percentile(100 * (lower + equal / 2) / FILMS, FILMS)
