"""The shipped twin asked about a real film: what the numbers must agree with."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from explorer.asking.answer import FilmAnswer
from explorer.asking.asker import Asker
from explorer.asking.question import checked_question
from explorer.asking.spread import prompt_spread
from explorer.asking.suggestions import EXAMPLE_QUESTIONS
from explorer.asking.text_metrics import youden_margin
from explorer.asking.validation import validation
from explorer.asking.verdict import DISTRUSTED, judge_answer
from explorer.reading.model_loader import BackgroundModel
from explorer.reading.reader import Reader, Reading, open_film
from explorer.reading.samples import sample_bytes
from models.radiograph import Radiograph
from tests.support.wording import Wording, line_with

TEXT = "pleural effusion"


@functools.cache
def asker_of(name: str) -> Asker:
    """The one of a model: what it makes of all captions is made once."""
    from models.load import vlm

    return Asker(lambda: vlm(name, "cpu"))


@pytest.fixture(scope="module")
def asker() -> Asker:
    return asker_of("nih-mini-vlm")


@pytest.fixture(scope="module")
def read() -> tuple[Radiograph, Reading]:
    from models.load import classifier

    model = BackgroundModel("nih-mini", lambda: classifier("nih-mini", "cpu"))
    model.start()
    radiograph = open_film(sample_bytes("masses")).radiograph
    return radiograph, Reader(model).read(radiograph)


@pytest.fixture(scope="module")
def answer(asker: Asker, read: tuple[Radiograph, Reading]) -> FilmAnswer:
    return asker.ask(*read, checked_question(TEXT))


@pytest.mark.slow
def test_what_the_classifier_saw_gives_the_embedding_of_the_film(
    answer: FilmAnswer, read: tuple[Radiograph, Reading]
) -> None:
    from models.load import vlm

    own = vlm("nih-mini-vlm", "cpu").embed_images([read[0]])[0]
    assert np.allclose(answer.embedding, own, atol=1e-5)


def test_the_answer_is_the_models_own_score(asker: Asker, answer: FilmAnswer) -> None:
    from models.load import vlm
    from models.prompts.templates import prompt_set

    said = vlm("nih-mini-vlm", "cpu").score(answer.embedding[None], [prompt_set(TEXT, asker.card.templates)])
    assert answer.margin == pytest.approx(float(said.margin[0, 0]), abs=1e-6)
    assert answer.score == pytest.approx(float(said.score[0, 0]), abs=1e-5)
    alone = [each.score for each in answer.spread.prompts if not each.paraphrase]
    assert alone == pytest.approx(said.spread[0, 0].tolist(), abs=1e-4)


def test_the_text_is_good_enough_on_films_the_models_had_not_seen(answer: FilmAnswer, wording: Wording) -> None:
    measured = answer.measured
    assert measured and measured.finding == "Pleural Effusion" and measured.n == 1650 and measured.positives == 235
    assert measured.auroc and measured.auroc.value >= 0.65 and measured.auroc.low > 0.6
    wording(line_with(measured.cohort, "1,650 films", "NIH ChestX-ray14"))


@pytest.mark.slow
def test_the_threshold_of_a_findings_name_is_that_of_the_card(asker: Asker) -> None:
    """Explore thresholds the stored margins with the card's; Ask fits each text's own."""
    points, films = asker.card.operating_points, validation(asker.card)
    assert points and films
    for finding in points:
        labels, direction = films.labels_of(finding), asker.analyze(checked_question(finding)).directions[0]
        assert labels is not None
        margin = youden_margin(labels, (films.embeddings @ direction).astype(np.float64))
        assert margin == pytest.approx(points[finding].threshold, abs=2e-5), finding


def test_classifier_and_answer_are_compared_in_points_of_a_hundred(answer: FilmAnswer) -> None:
    beside = answer.beside
    assert beside and beside.percentile and answer.percentile and beside.model == "nih-mini"
    assert beside.difference == pytest.approx(answer.percentile.value - beside.percentile.value)


@pytest.mark.slow
def test_unstable_answers_are_some_and_are_right_less_often(asker: Asker) -> None:
    """The rule of `explorer.asking.spread` on the validation films themselves, labels of "pleural effusion"."""
    analysis = asker.analyze(checked_question(TEXT))
    films = validation(asker.card)
    assert films and analysis.films is not None
    labels = films.labels_of("Pleural Effusion")
    assert labels is not None
    spreads = [
        prompt_spread(analysis.prompts, margins, 1.0, analysis.cutoff.margin, analysis.films)
        for margins in analysis.films
    ]
    unstable = np.array([each.unstable for each in spreads])
    right = (analysis.films[:, 0] >= analysis.cutoff.margin) == labels
    assert 0.05 < unstable.mean() < 0.4
    assert balanced(right, labels, ~unstable) > balanced(right, labels, unstable) + 0.03
    assert {judge_answer(analysis, "", each).verdict for each in spreads} == {"possible", "not flagged", "cannot judge"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nih-mini-vlm", "phantom-vlm"])
@pytest.mark.parametrize("text", EXAMPLE_QUESTIONS)
def test_the_questions_to_begin_with_work_with_both_models(name: str, text: str) -> None:
    analysis = asker_of(name).analyze(checked_question(text))
    assert analysis.taken_for and analysis.in_captions and analysis.cutoff.fitted
    assert analysis.measured and analysis.measured.auroc and analysis.measured.auroc.low > 0.5
    assert not {each.kind for each in analysis.warnings} & {*DISTRUSTED, "known weakness"}
    assert analysis.films is not None
    spreads = [
        prompt_spread(analysis.prompts, each, 1.0, analysis.cutoff.margin, analysis.films)
        for each in analysis.films[::5]
    ]
    assert np.mean([each.unstable for each in spreads]) <= 0.3


def balanced(right: np.ndarray, labels: np.ndarray, chosen: np.ndarray) -> float:
    return float((right[chosen & labels].mean() + right[chosen & ~labels].mean()) / 2)
