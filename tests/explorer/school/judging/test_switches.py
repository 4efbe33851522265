"""What seeing a model changed, counted by hand; and which of its calls learners see."""

from __future__ import annotations

from dataclasses import replace

from explorer.school.judging.model_answer import model_answer, model_answer_payload
from explorer.school.judging.results import FilmRate
from explorer.school.judging.switches import Decision, rate_words, switch_grid, switch_rows
from explorer.school.playlists.playlist import FilmQuestion, QuestionKind
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.prepared import ModelCall, PreparedFilm
from models.statistics import wilson
from tests.explorer.school.made import prepared_film

# Four decisions on films with the finding, two on one without. The model finds it on films 0 and 1, misses it on 2, and
# is wrong on 3, where nothing is.
DECISIONS = [
    Decision(0, 1, True, before=False, after=True, model=True),  # helped
    Decision(0, 2, True, before=True, after=True, model=True),
    Decision(1, 1, True, before=False, after=False, model=True),
    Decision(2, 1, True, before=True, after=False, model=False),  # harmed
    Decision(3, 1, False, before=False, after=True, model=True),  # harmed
    Decision(3, 3, False, before=False, after=False, model=True),
]


def test_help_and_harm_are_counted_of_those_who_could_switch() -> None:
    rows = {each.name: each for each in switch_rows(DECISIONS)}
    assert rows["all"].before == FilmRate(4, 6, 4) and rows["all"].after == FilmRate(3, 6, 4)
    assert rows["all"].to_right == FilmRate(1, 2, 2) and rows["all"].to_wrong == FilmRate(2, 4, 3)
    assert rows["model right"].to_right == FilmRate(1, 2, 2) and rows["model right"].to_wrong == FilmRate(0, 1, 1)
    assert rows["model wrong"].to_right == FilmRate(0, 0, 0) and rows["model wrong"].to_wrong == FilmRate(2, 3, 2)
    assert rows["a guess before"].to_wrong == FilmRate(2, 2, 2) and rows["certain before"].to_wrong.hits == 0
    assert [len(row) for row in switch_grid(DECISIONS).rows] == [5] * 6


def test_a_rate_has_its_n_and_an_interval_over_films() -> None:
    low, high = wilson(1.0, 2)
    assert rate_words(FilmRate(2, 4, 2)) == f"2 of 4, 50 % [{100 * low:.0f}\u2013{100 * high:.0f}]"
    assert rate_words(FilmRate(0, 0, 0)) == "0 of 0"


CALLS = {
    "no-threshold": {"Mass": ModelCall(0.9, None)},
    "net": {"Mass": ModelCall(0.2, False), "Nodule": ModelCall(0.7, True), "Hernia": ModelCall(0.8, True)},
}


def asked(kind: QuestionKind, finding: str | None = None) -> PreparedFilm:
    return replace(prepared_film(FilmQuestion(kind, finding), Truth({"Mass": "present"}, "")), calls=CALLS)


def test_learners_see_what_the_model_flags_or_was_asked_and_nothing_of_the_truth() -> None:
    found = model_answer(asked("present", "Mass"))
    assert found is not None
    assert model_answer_payload(found) == {
        "model": "net",
        "findings": [{"finding": "Mass", "score": 0.2, "called": False}],
    }
    found = model_answer(asked("findings"))
    assert found is not None and found.shown == ("Hernia", "Nodule")
    assert model_answer(asked("pair", "Mass")) is model_answer(asked("point", "Kyphosis")) is None
    assert model_answer(replace(asked("normal"), calls={})) is None
