"""What an answer is worth at the prevalence that a visitor types."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.asking.answer import Asked
from explorer.asking.asker import Asker
from explorer.asking.question import question
from explorer.asking.verdict import at_prevalence
from tests.explorer.asking.fake import FakeVlm, fake_card, film, reading_of, text_vector

SEEN = text_vector("effusion")


@pytest.fixture
def model(tmp_path: Path) -> FakeVlm:
    return FakeVlm(fake_card(tmp_path))


def asked(model: FakeVlm, text: str, seen: np.ndarray = SEEN, prevalence: float | None = None) -> Asked:
    return Asker(lambda: model).ask(film(), reading_of(seen), question(text), prevalence=prevalence)


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


def test_it_is_called_likely_only_where_the_whole_interval_is_half_or_more(model: FakeVlm) -> None:
    answer, seen = asked(model, "effusion"), set()
    for percent in range(1, 100):
        typed = at_prevalence(answer, percent / 100)
        assert typed.predicted and typed.verdict == ("likely present" if typed.predicted.low >= 0.5 else "flagged")
        seen.add((typed.verdict, typed.predicted.share >= 0.5))
    assert seen == {("flagged", False), ("flagged", True), ("likely present", True)}
