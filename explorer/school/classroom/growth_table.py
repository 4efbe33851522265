"""The growth of classes over sessions as a table, the oldest first."""

from __future__ import annotations

from pathlib import Path

from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate, difference_text, estimate_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.school.classroom.class_growth import (
    MIN_LEARNERS,
    MIN_SHARED_FILMS,
    ClassGrowth,
    ClassSession,
    class_growth,
)

HEADER = ("begun (UTC)", "title", "learners", "answers", "correct", "shared films", "on the same films")
NO_FIGURE = "-"


def growth_table(folder: Path | None = None) -> ResultTable:
    """Return a row for each class with enough learners, and the change from the first to the last."""
    found = class_growth(folder)
    grid = TextGrid("Classes by session", HEADER, tuple(_words(each) for each in found.sessions))
    rows = tuple(_cells(each) for each in found.sessions)
    return ResultTable(f"{quantity(len(found.sessions), 'class', 'classes')} by session", _notes(found), (grid,), rows)


def _notes(found: ClassGrowth) -> tuple[str, ...]:
    change = found.change
    changed = (
        "No change is shown: two classes that share films are needed."
        if change is None
        else f"Change on the same films, last less first: {difference_text(change.value, change.low, change.high)}."
    )
    left_out = (
        f"{quantity(found.left_out, 'class', 'classes')} left out: fewer than {MIN_LEARNERS} learners, or unreadable."
    )
    return (
        changed,
        f"On the same films: the share correct if each class had answered all {quantity(found.films, 'film')} that two "
        f"classes or more answered, by a Rasch model with one ability a class; from {MIN_SHARED_FILMS} films on. 95 % "
        "intervals from resampled learners. First answers count. No nickname is read, and nothing is stored.",
        *([left_out] if found.left_out else ()),
    )


def _cells(each: ClassSession) -> Cells:
    same = each.same_films
    return {
        "class": each.held.id,
        "begun": each.held.begun,
        "learners": each.learners,
        "answers": each.answers,
        "correct": each.correct.value,
        "correct_low": each.correct.low,
        "correct_high": each.correct.high,
        "shared_films": each.shared,
        "same_films": None if same is None else same.value,
        "same_films_low": None if same is None else same.low,
        "same_films_high": None if same is None else same.high,
    }


def _words(each: ClassSession) -> tuple[str, ...]:
    counts = (f"{each.learners:,}", f"{each.answers:,}", _text(each.correct), f"{each.shared:,}")
    return each.held.begun, each.held.title, *counts, _text(each.same_films)


def _text(estimate: Estimate | None) -> str:
    return NO_FIGURE if estimate is None else estimate_text(estimate, digits=2)
