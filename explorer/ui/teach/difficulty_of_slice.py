"""Which films of a slice earlier classes found easy, medium or hard, so that a playlist can be drawn from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.core.figures import percent_text
from explorer.school.classroom.film_difficulty import (
    DIFFICULTY_BANDS,
    EASY_FROM,
    HARD_BELOW,
    FilmTask,
    film_difficulties,
)
from explorer.school.playlists.drawing import question_about, slice_pairs
from explorer.school.playlists.playlist import FilmQuestion, QuestionKind, WrongPlaylist
from explorer.school.playlists.question_words import question_words
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

ANY = "any"


def of_difficulty(cohort: str, band: object) -> Callable[[str, FilmQuestion], bool]:
    """Return whether a film of the cohort, with its question, has the difficulty `band`. Raises WrongPlaylist."""
    if band in (None, "", ANY):
        return lambda case, question: True
    if band not in DIFFICULTY_BANDS:
        raise WrongPlaylist("There is no such difficulty", f"Choose any, {', '.join(DIFFICULTY_BANDS)}.")
    known = film_difficulties()
    if not any(task.cohort == cohort for task in known):
        raise WrongPlaylist(
            f"No class has answered films of {cohort}", "Choose any difficulty. It is known once classes have answered."
        )

    def keep(case: str, question: FilmQuestion) -> bool:
        found = known.get(FilmTask(cohort, case, question_words(question)))
        return found is not None and found.band == band

    return keep


def counted_by_difficulty(store: Store, chosen: Slice, kind: QuestionKind) -> dict[str, int]:
    """Return how many films of a slice are easy, medium and hard with this question; empty if none is known."""
    known = {task: each.band for task, each in film_difficulties().items() if task.cohort == chosen.cohort}
    if not known:
        return {}
    try:
        pairs = slice_pairs(store, chosen)
    except Refusal:  # too many to count; drawing says so
        return {}
    films: dict[str, set[str]] = {band: set() for band in DIFFICULTY_BANDS}
    for pair in pairs:
        question = question_words(question_about(kind, pair.finding))
        if (band := known.get(FilmTask(chosen.cohort, pair.case, question))) is not None:
            films[band].add(pair.case)
    return {band: len(cases) for band, cases in films.items()}


def difficulty_hint() -> str:
    """Return what the difficulties are, for the page."""
    easy, hard = percent_text(EASY_FROM), percent_text(HARD_BELOW)
    return f"From earlier classes: how many average learners are right. Easy from {easy}, hard below {hard}."
