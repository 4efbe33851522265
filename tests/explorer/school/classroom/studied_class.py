"""A class whose learners answer with a known skill, kept on disk, for tests of reader studies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from explorer.core.arrays import Floats
from explorer.school.judging.answer import Certainty, LearnerAnswer
from explorer.school.judging.results import LearnerFilmAnswer
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.prepared import ModelCall, PreparedFilm
from tests.explorer.school.classroom.kept_classes import keep_class
from tests.explorer.school.made import prepared_film

NAME = "20261125-101500-0a1b"
FINDING = "Mass"
MODEL = "net"
LEARNERS, FILMS = 5, 24
CUTS = (-1.0, -0.5, 0.0, 0.5, 1.0)


def truths() -> list[int]:
    return [film % 2 for film in range(FILMS)]


def ratings() -> Floats:
    """Ratings 1 to 6 (learners, films): normal, a mean of 0.6 with the finding and of -0.6 without."""
    draw = np.random.default_rng(3)
    seen = draw.normal(np.where(np.array(truths()) == 1, 0.6, -0.6), 1, (LEARNERS, FILMS))
    return np.asarray(1 + np.digitize(seen, CUTS), dtype=np.float64)


def scores() -> Floats:
    """The model's scores (films,)."""
    draw = np.random.default_rng(5)
    return np.round(1 / (1 + np.exp(-draw.normal(np.where(np.array(truths()) == 1, 1.0, -1.0), 1))), 3)


def films(model: bool = True) -> list[PreparedFilm]:
    return [_film(place, truths()[place], score, model) for place, score in enumerate(scores().tolist())]


def _film(place: int, truth: int, score: float, model: bool) -> PreparedFilm:
    made = prepared_film(FilmQuestion("present", FINDING), Truth({FINDING: "present" if truth else "absent"}, ""))
    calls = {MODEL: {FINDING: ModelCall(score, score >= 0.5)}} if model else {}
    return replace(made, entry=replace(made.entry, case=f"A-{place:06}"), calls=calls)


def answer_of(rating: float) -> LearnerAnswer:
    called = rating > 3
    sure: Certainty = int(rating - 3 if called else 4 - rating)  # type: ignore[assignment]
    return LearnerAnswer(sure, present=called)


def answers(skipped: Sequence[tuple[int, int]] = ()) -> Iterator[LearnerFilmAnswer]:
    """Everyone's answers, but for those (learner, film) skipped; nicknames are in the alphabet's order."""
    for learner, row in enumerate(ratings()):
        for film, rating in enumerate(row.tolist()):
            if (learner, film) not in skipped:
                yield LearnerFilmAnswer(f"{'abcdefg'[learner]}-Zebedee", film, answer_of(rating))


def ratings_with_model() -> Floats:
    """Ratings after seeing the model: whoever was not certain goes one step with it (learners, films)."""
    before = ratings()
    moved = np.clip(before + np.where(scores() >= 0.5, 1, -1), 1, 6)
    return np.where((before == 1) | (before == 6), before, moved)


def keep_with_model(folder: Path) -> str:
    """Keep the class with second answers; returns its id."""
    folder.mkdir(parents=True, exist_ok=True)
    second = [
        LearnerFilmAnswer(each.learner, each.film, answer_of(rating))
        for each, rating in zip(answers(), ratings_with_model().ravel().tolist(), strict=True)
    ]
    keep_class(folder, NAME, films(), answers(), second)
    return NAME


def keep(folder: Path, skipped: Sequence[tuple[int, int]] = (), *, model: bool = True) -> str:
    """Keep the class; returns its id."""
    folder.mkdir(parents=True, exist_ok=True)
    keep_class(folder, NAME, films(model), answers(skipped))
    return NAME
