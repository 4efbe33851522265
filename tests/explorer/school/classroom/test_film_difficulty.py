"""Film difficulty over the classes of a machine: known difficulties come back, and bands choose films."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.core.arrays import Floats
from explorer.school.classroom.film_difficulty import (
    MIN_ANSWERS,
    FilmDifficulty,
    FilmTask,
    difficulty_words,
    film_difficulties,
)
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.results import LearnerFilmAnswer
from explorer.school.playlists.question_words import question_words
from tests.explorer.cli.command import run
from tests.explorer.school.classroom import studied_class
from tests.explorer.school.classroom.kept_classes import keep_class

FILMS = studied_class.films()
DIFFICULTY = np.random.default_rng(1).normal(-0.3, 1.3, len(FILMS))


def answered(dice: np.random.Generator, learners: int, difficulty: Floats) -> Iterator[LearnerFilmAnswer]:
    """Answers that are right as often as ability and difficulty say."""
    for learner in range(learners):
        chances = expit(dice.normal() - difficulty)
        for film, chance in enumerate(chances):
            truth = bool(studied_class.truths()[film])
            right = bool(dice.random() < chance)
            yield LearnerFilmAnswer(f"learner {learner:02}", film, LearnerAnswer(2, present=truth == right))


def task(film: int) -> FilmTask:
    entry = FILMS[film].entry
    return FilmTask(entry.cohort, entry.case, question_words(entry.question))


@pytest.fixture
def classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two classes of 30 learners under TAILSCOPE_HOME."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    folder = tmp_path / "home" / "classes"
    folder.mkdir(parents=True)
    for number in range(2):
        made = answered(np.random.default_rng(number), 30, DIFFICULTY)
        keep_class(folder, f"2026112{number}-101500-0a1b", FILMS, made)
    return folder


def test_difficulties_of_two_classes_come_back(classes: Path) -> None:
    found = film_difficulties()
    assert len(found) == len(FILMS) and {each.n for each in found.values()} == {60}
    estimated = np.array([found[task(film)].difficulty for film in range(len(FILMS))])
    assert np.corrcoef(estimated, DIFFICULTY)[0, 1] > 0.9
    hardest, easiest = found[task(int(DIFFICULTY.argmax()))], found[task(int(DIFFICULTY.argmin()))]
    assert (hardest.band, easiest.band) == ("hard", "easy")
    assert all(each.low < each.solved < each.high for each in found.values())


def test_a_new_class_counts_at_once_and_an_unreadable_one_does_not(classes: Path) -> None:
    before = film_difficulties()
    keep_class(classes, "20261125-101500-0a1b", FILMS[:2], list(answered(np.random.default_rng(9), 10, DIFFICULTY[:2])))
    (classes / "20261126-101500-0a1b.sqlite").write_bytes(b"no class")
    after = film_difficulties()
    assert [after[task(film)].n - before[task(film)].n for film in (0, 1, 2)] == [10, 10, 0]


def test_films_with_few_answers_have_no_difficulty(tmp_path: Path) -> None:
    made = list(answered(np.random.default_rng(0), MIN_ANSWERS - 1, DIFFICULTY))
    keep_class(tmp_path, studied_class.NAME, FILMS, made)
    assert film_difficulties(tmp_path) == {} == film_difficulties(tmp_path / "none")


def test_the_words_have_the_rate_its_interval_and_n() -> None:
    words = difficulty_words(FilmDifficulty(-0.5, 0.3, 14, 23, 0.62, 0.48, 0.75))
    assert words == "medium: an average learner is right in 62 % [48\u201375], n 23"


def test_the_command_lists_the_hardest_first(classes: Path) -> None:
    done = run("class", "difficulty", "--format", "csv")
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    difficulties = [float(row["difficulty"]) for row in rows]
    assert len(rows) == len(FILMS) and difficulties == sorted(difficulties, reverse=True)
    assert rows[0]["band"] == "hard" and int(rows[0]["n"]) == 60
    assert "Rasch" in run("class", "difficulty").stdout
