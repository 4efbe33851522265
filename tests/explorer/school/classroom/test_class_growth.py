"""The growth of classes over sessions: plainly, and corrected for the films that each was shown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.school.classroom.class_growth import (
    MIN_LEARNERS,
    ClassAnswers,
    class_growth,
    film_difficulties_between,
    share_on_same_films,
)
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.results import LearnerFilmAnswer
from tests.explorer.cli.command import run
from tests.explorer.school.classroom import studied_class
from tests.explorer.school.classroom.kept_classes import keep_class

FILMS = studied_class.films()
EASY_FIRST = np.linspace(-2, 2, len(FILMS))  # difficulties: each film harder than the one before


def answered(seed: int, learners: int, ability: float, films: Sequence[int]) -> Iterator[LearnerFilmAnswer]:
    """Answers of a class with this mean ability to these of the films, by place in the class's own list."""
    dice = np.random.default_rng(seed)
    for learner in range(learners):
        chances = expit(ability + 0.5 * dice.normal() - EASY_FIRST[list(films)])
        for place, chance in enumerate(chances):
            truth = bool(studied_class.truths()[films[place]])
            right = bool(dice.random() < chance)
            yield LearnerFilmAnswer(f"Zebedee {learner:02}", place, LearnerAnswer(2, present=truth == right))


def keep(folder: Path, day: int, learners: int, ability: float, films: Sequence[int]) -> None:
    made = answered(day, learners, ability, films)
    keep_class(folder, f"202611{day:02}-101500-0a1b", [FILMS[film] for film in films], made)


def counted(*correct: tuple[int, int]) -> ClassAnswers:
    """One learner for each answer: film 0, 1 and so on with (correct, wrong) answers."""
    film = np.concatenate([np.full(sum(each), place) for place, each in enumerate(correct)])
    right = np.concatenate([np.r_[np.ones(yes), np.zeros(no)] for yes, no in correct])
    return ClassAnswers(np.arange(len(film)), film, right)


def test_two_classes_and_two_films_by_hand() -> None:
    """Correct: 3/4 and 1/4, then 9/10 and 1/2. The log odds rise by ln 3 on both films, which are 2 ln 3 apart."""
    first, second = counted((1500, 500), (500, 1500)), counted((1800, 200), (1000, 1000))
    found = film_difficulties_between([first, second], 2)
    assert found == pytest.approx([-1.5 * np.log(3), 0.5 * np.log(3)], abs=0.01)
    assert share_on_same_films(first, np.ones(4000), found) == pytest.approx((0.75 + 0.25) / 2, abs=0.002)
    assert share_on_same_films(second, np.ones(4000), found) == pytest.approx((0.9 + 0.5) / 2, abs=0.002)


def test_a_class_that_answered_everything_correctly_stays_finite() -> None:
    perfect, other = counted((10, 0), (10, 0)), counted((5, 5), (8, 2))
    found = film_difficulties_between([perfect, other], 2)
    assert np.isfinite(found).all()
    assert 0.9 < share_on_same_films(perfect, np.ones(20), found) < 1


def test_growth_shows_though_later_classes_were_shown_harder_films(tmp_path: Path) -> None:
    keep(tmp_path, 20, 40, -1.0, range(16))  # the easier two thirds
    keep(tmp_path, 21, 40, 1.0, range(8, 24))  # the harder two thirds
    found = class_growth(tmp_path)
    first, last = found.sessions
    assert found.films == 8 and (first.shared, last.shared) == (8, 8) and first.answers == 40 * 16
    assert abs(last.correct.value - first.correct.value) < 0.15, "plainly, little seems to have changed"
    # Without learners' spread: the mean over films 8 to 15 of expit(1 - d) less that of expit(-1 - d).
    true = float(np.mean(expit(1 - EASY_FIRST[8:16]) - expit(-1 - EASY_FIRST[8:16])))
    assert found.change is not None and found.change.low < true < found.change.high
    assert found.change.low > 0.2


def test_classes_without_common_films_are_not_compared(tmp_path: Path) -> None:
    keep(tmp_path, 20, 10, 0.0, range(8))
    keep(tmp_path, 21, 10, 0.0, range(8, 16))
    found = class_growth(tmp_path)
    assert [each.same_films for each in found.sessions] == [None, None] and found.change is None and found.films == 0


def test_of_two_groups_that_no_film_links_the_larger_is_compared(tmp_path: Path) -> None:
    for day, films in ((20, range(6)), (21, range(6)), (22, range(6, 12)), (23, range(6, 18)), (24, range(12, 18))):
        keep(tmp_path, day, 8, 0.0, films)
    sessions = class_growth(tmp_path).sessions
    assert [each.same_films is not None for each in sessions] == [False, False, True, True, True]


def test_a_class_of_few_learners_is_not_shown_and_an_unreadable_one_is_counted(tmp_path: Path) -> None:
    keep(tmp_path, 20, MIN_LEARNERS - 1, 0.0, range(8))
    keep(tmp_path, 21, MIN_LEARNERS, 0.0, range(8))
    (tmp_path / "20261126-101500-0a1b.sqlite").write_bytes(b"no class")
    found = class_growth(tmp_path)
    assert [each.learners for each in found.sessions] == [MIN_LEARNERS] and found.left_out == 2
    assert class_growth(tmp_path / "none").sessions == ()


def test_the_command_has_no_name_of_a_learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    folder = tmp_path / "home" / "classes"
    folder.mkdir(parents=True)
    for day, ability in ((20, -0.5), (21, 0.5)):
        keep(folder, day, 12, ability, range(12))
    done = run("class", "growth", "--format", "csv")
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [int(row["learners"]) for row in rows] == [12, 12] and {row["shared_films"] for row in rows} == {"12"}
    assert float(rows[0]["same_films_low"]) < float(rows[0]["same_films"]) < float(rows[0]["same_films_high"])
    text = run("class", "growth").stdout
    assert "Change on the same films" in text and "Zebedee" not in text + done.stdout
