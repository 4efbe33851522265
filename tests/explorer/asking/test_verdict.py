"""What an answer is worth at the prevalence that a visitor types."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.asking.answer import FilmAnswer, NearFinding
from explorer.asking.asker import Asker
from explorer.asking.question import checked_question
from explorer.asking.verdict import at_prevalence
from explorer.reading.flag_verdict import verdict_by
from models.cards.card import CardPoint
from tests.explorer.asking.fake import FakeVlm, fake_card, film, reading_of, text_vector
from tests.support.wording import Wording, line_with

SEEN = text_vector("effusion")


@pytest.fixture
def model(tmp_path: Path) -> FakeVlm:
    return FakeVlm(fake_card(tmp_path))


def asked(model: FakeVlm, text: str, seen: np.ndarray = SEEN, prevalence: float | None = None) -> FilmAnswer:
    return Asker(lambda: model).ask(film(), reading_of(seen), checked_question(text), prevalence=prevalence)


@pytest.mark.parametrize(("flagged", "prevalence"), [(True, 0.01), (True, 0.9), (False, 0.9)])
def test_a_typed_prevalence_changes_the_worth_of_an_answer_and_nothing_else(
    model: FakeVlm, flagged: bool, prevalence: float
) -> None:
    seen = SEEN if flagged else -SEEN
    answer, typed = asked(model, "effusion", seen), asked(model, "effusion", seen, prevalence=prevalence)
    again = at_prevalence(answer, prevalence)
    for each in (typed, again):
        assert each.predicted and each.predicted.typed and each.predicted.prevalence == prevalence
        assert (each.verdict == "not flagged") == (not flagged)
        assert each.said == each.predicted.words and f"Prevalence {100 * prevalence:.3g} %, as you typed." in each.why
        assert (each.score, each.spread, each.measured) == (answer.score, answer.spread, answer.measured)
    assert answer.predicted and (again.said, again.why) == (typed.said, typed.why) != (answer.said, answer.why)
    assert at_prevalence(again, None).predicted == answer.predicted
    assert (again.predicted.share > answer.predicted.share) == (prevalence > answer.predicted.prevalence)  # type: ignore[union-attr]


def test_what_cannot_be_judged_is_not_at_any_prevalence(model: FakeVlm) -> None:
    answer = asked(model, "mass", prevalence=0.9)
    assert (answer.verdict, answer.said, answer.predicted) == ("cannot judge", "", None)
    assert at_prevalence(answer, 0.5) is answer


def test_a_flag_has_the_verdict_that_read_would_give_it(model: FakeVlm) -> None:
    answer, seen = asked(model, "effusion"), []
    for percent in range(1, 100):
        typed = at_prevalence(answer, percent / 100)
        found = typed.predicted
        assert (
            found is not None and found.films == found.sensitivity.hits + found.specificity.n - found.specificity.hits
        )
        assert typed.verdict == verdict_by(found.films, found.share, found.low)
        seen.append(typed.verdict)
    assert list(dict.fromkeys(seen)) == ["seldom correct", "possible", "likely"]


def test_too_few_flagged_films_make_no_verdict_and_no_share(tmp_path: Path, wording: Wording) -> None:
    points = {"Mass": CardPoint(0.2, "chosen elsewhere", 0.6, 0.99, 5, 300)}
    model = FakeVlm(fake_card(tmp_path, validation=None, operating_points=points))
    answer = asked(model, "mass", text_vector("mass"))
    assert answer.predicted is not None and answer.predicted.films == 6
    assert answer.verdict == "too few films"
    wording(answer.said, "6 test", "10")


def test_a_film_unlike_the_test_films_is_flagged_without_a_verdict_at_any_prevalence(model: FakeVlm) -> None:
    far = Asker(lambda: model).ask(film(), reading_of(SEEN), checked_question("effusion"), far=True)
    assert asked(model, "effusion").verdict == "likely"
    assert far.far and (far.verdict, at_prevalence(far, 0.9).verdict) == ("flagged", "flagged")


def test_normal_has_no_verdict_as_in_read(model: FakeVlm, wording: Wording) -> None:
    normal = replace(asked(model, "effusion"), taken_for=NearFinding("Normal", 1.0))
    answer = at_prevalence(normal, 0.9)
    assert answer.verdict == "flagged"
    wording(line_with(answer.why.split(". "), "rules out"))
