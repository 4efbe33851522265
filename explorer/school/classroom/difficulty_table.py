"""The difficulty of films as a table, the hardest first."""

from __future__ import annotations

from pathlib import Path

from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate, estimate_text, number_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.school.classroom.film_difficulty import (
    MIN_ANSWERS,
    FilmDifficulty,
    FilmTask,
    film_difficulties,
)

HEADER = ("film", "question", "right", "average learners right", "difficulty", "error", "")


def difficulty_table(folder: Path | None = None) -> ResultTable:
    """Return the table of every film with enough answers."""
    found = sorted(film_difficulties(folder).items(), key=lambda each: (-each[1].difficulty, each[0]))
    grid = TextGrid("Difficulty of films", HEADER, tuple(_words(*each) for each in found))
    notes = (
        "Rasch model, marginal maximum likelihood (Bock and Aitkin 1981). 95 % intervals. First answers of all classes "
        f"on this machine; films with fewer than {MIN_ANSWERS} answers are left out.",
    )
    rows = tuple(_cells(*each) for each in found)
    return ResultTable(f"{quantity(len(found), 'film')} answered by classes", notes, (grid,), rows)


def _cells(task: FilmTask, found: FilmDifficulty) -> Cells:
    return {
        "cohort": task.cohort,
        "case": task.case,
        "question": task.question,
        "n": found.n,
        "right": found.right,
        "solved": found.solved,
        "solved_low": found.low,
        "solved_high": found.high,
        "difficulty": found.difficulty,
        "standard_error": found.error,
        "band": found.band,
    }


def _words(task: FilmTask, found: FilmDifficulty) -> tuple[str, ...]:
    film = f"{task.cohort}/{task.case}" if task.cohort else task.case
    solved = estimate_text(Estimate(found.solved, found.low, found.high), digits=2)
    counted = f"{found.right:,} of {found.n:,}"
    return film, task.question, counted, solved, number_text(found.difficulty), number_text(found.error), found.band
