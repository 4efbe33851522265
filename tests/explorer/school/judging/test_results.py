from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.groups import sourced_group
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.judged import grade_answer
from explorer.school.judging.results import ALL_FINDINGS, FilmRate, LearnerFilmAnswer, class_results
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.prepared import PreparedFilm
from models.statistics import wilson
from tests.explorer.school.made import prepared_film

NAMES = ("Mass", "Pneumothorax", "Support Devices", "Normal", "Lung Cavity")
LEARNERS = ("ann", "ben", "cem")
THERE, ABSENT = (Outcome.HIT, Outcome.MISS), (Outcome.CORRECT_REJECTION, Outcome.FALSE_ALARM)


def random_class(seed: int) -> tuple[list[PreparedFilm], list[LearnerFilmAnswer]]:
    """Films with random labels, answered by some learners; two models that know some of the findings."""
    random = np.random.default_rng(seed)
    films = []
    for _ in range(12):
        labels = {name: str(random.choice(["present", "absent", "unknown"])) for name in NAMES}
        kind = str(random.choice(["findings", "present", "normal"]))
        outcomes = {
            model: {
                name: (THERE if labels[name] == "present" else ABSENT)[random.integers(2)]
                for name in NAMES[: 5 - place]
                if labels[name] != "unknown"
            }
            for place, model in enumerate(("net", "words"))
        }
        question = FilmQuestion(kind, "Mass" if kind == "present" else None)  # type: ignore[arg-type]
        films.append(prepared_film(question, Truth(labels, "by chance"), outcomes))  # type: ignore[arg-type]
    answers = [
        LearnerFilmAnswer(learner, place, _answer(film.entry.question, random))
        for learner, (place, film) in product(LEARNERS, enumerate(films))
        if random.random() < 0.7
    ]
    return films, [answers[place] for place in random.permutation(len(answers))]


def _answer(question: FilmQuestion, random: np.random.Generator) -> LearnerAnswer:
    flag = bool(random.integers(2))
    if question.kind == "findings":
        return LearnerAnswer(1, findings={name: "" for name in NAMES if random.random() < 0.4})
    return LearnerAnswer(1, normal=flag) if question.kind == "normal" else LearnerAnswer(1, present=flag)


def in_row(row: str, finding: str) -> bool:
    if row == ALL_FINDINGS:
        return finding != "Normal"
    group = sourced_group(finding)
    return finding == row or (group is not None and group.group == row)


@pytest.mark.parametrize("seed", range(5))
def test_every_count_is_a_loop_over_answers(seed: int) -> None:
    films, answers = random_class(seed)
    results = class_results(films, answers)
    assert [name for name, _ in results.readers] == ["the class", *LEARNERS, "net", "words"]
    asked = {
        (each.film, finding)
        for each in answers
        for finding in grade_answer(films[each.film].entry.question, each.answer, films[each.film].truth).outcomes
    }
    for row in results.rows:
        for (name, kind), read in zip(results.readers, row.read, strict=True):
            if kind == "model":
                pairs = [
                    (film, outcome)
                    for film, each in enumerate(films)
                    for finding, outcome in each.outcomes[name].items()
                    if in_row(row.name, finding) and (film, finding) in asked
                ]
            else:
                pairs = [
                    (each.film, outcome)
                    for each in answers
                    if name in ("the class", each.learner)
                    for finding, outcome in grade_answer(
                        films[each.film].entry.question, each.answer, films[each.film].truth
                    ).outcomes.items()
                    if in_row(row.name, finding)
                ]
            for rate, (good, bad) in ((read.sensitivity, THERE), (read.specificity, ABSENT)):
                counted = [(film, outcome) for film, outcome in pairs if outcome in (good, bad)]
                assert rate == FilmRate(
                    sum(outcome is good for _, outcome in counted), len(counted), len({film for film, _ in counted})
                )


def test_rows_run_from_all_over_groups_to_findings_frequent_first() -> None:
    films, answers = random_class(0)
    results = class_results(films, answers)
    names = [row.name for row in results.rows]
    groups = [name for name in FrequencyGroup if name in names]
    assert names[: 1 + len(groups)] == [ALL_FINDINGS, *groups]
    found = [row for row in results.rows if row.finding]
    ranks = [len(FrequencyGroup) if row.group is None else list(FrequencyGroup).index(row.group) for row in found]
    assert ranks == sorted(ranks) and {row.name for row in found} == set(NAMES)


def test_neither_order_of_answers_nor_of_learners_matters() -> None:
    films, answers = random_class(1)
    assert class_results(films, answers) == class_results(films, answers[::-1])


def test_right_answers_by_film_and_what_to_look_at_again() -> None:
    ill, well = Truth({"Mass": "present"}, ""), Truth({"Mass": "absent"}, "")
    films = [prepared_film(FilmQuestion("present", "Mass"), truth) for truth in (ill, well, ill)]
    yes, no = LearnerAnswer(2, present=True), LearnerAnswer(2, present=False)
    answers = [LearnerFilmAnswer("ann", 0, yes), LearnerFilmAnswer("ann", 1, yes), LearnerFilmAnswer("ann", 2, no)]
    answers += [LearnerFilmAnswer("ben", 0, yes), LearnerFilmAnswer("ben", 1, no), LearnerFilmAnswer("ben", 2, no)]
    results = class_results(films, answers)
    assert [(each.right.hits, each.right.n) for each in results.films] == [(2, 2), (1, 2), (0, 2)]
    assert results.again == (2, 1)
    assert results.right == (FilmRate(3, 6, 3), FilmRate(1, 3, 3), FilmRate(2, 3, 3))


def test_the_interval_counts_films_not_answers() -> None:
    assert FilmRate(30, 40, 4).interval == wilson(3, 4)
    assert FilmRate(0, 0, 0).interval is None and FilmRate(0, 0, 0).value is None
    low, high = FilmRate(40, 40, 4).interval or (0, 0)
    assert low < 0.6 and high == pytest.approx(1)


def test_a_class_without_answers_has_rows_without_numbers() -> None:
    films, _ = random_class(2)
    results = class_results(films, [])
    assert all(read.sensitivity.n == read.specificity.n == 0 for row in results.rows for read in row.read)
    assert results.again == () and results.right[0] == FilmRate(0, 0, 0)
