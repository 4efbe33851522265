"""Classes kept on disk as the class server keeps them, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from explorer.school.classroom.answers import AnswerDatabase
from explorer.school.classroom.kept import answer_row, class_rows, ended_row, learner_row
from explorer.school.judging.judged import grade_answer
from explorer.school.judging.model_answer import model_answer
from explorer.school.judging.results import LearnerFilmAnswer
from explorer.school.playlists.playlist import Playlist
from explorer.school.preparing.prepared import PreparedFilm, PreparedPlaylist


def keep_class(
    folder: Path,
    name: str,
    films: Sequence[PreparedFilm],
    answers: Iterable[LearnerFilmAnswer],
    second: Sequence[LearnerFilmAnswer] = (),
) -> Path:
    """The database of a class that has ended, with these answers; learners are numbered in their order.

    `second`: answers after seeing the model's, which are then of every film.
    """
    prepared = PreparedPlaylist(Playlist("Tails", tuple(film.entry for film in films)), tuple(films), {})
    file = folder / f"{name}.sqlite"
    kept = AnswerDatabase(
        file, class_rows(name, prepared, False, [model_answer(film) if second else None for film in films])
    )
    made = list(answers)
    numbers = {learner: number for number, learner in enumerate(dict.fromkeys(each.learner for each in made), 1)}
    for learner, number in numbers.items():
        kept.add(learner_row(number, learner)).result()
    for each in made:
        film = films[each.film]
        found = grade_answer(film.entry.question, each.answer, film.truth)
        kept.add(answer_row(numbers[each.learner], each.film, each.answer, found)).result()
    for each in second:
        film = films[each.film]
        found = grade_answer(film.entry.question, each.answer, film.truth)
        kept.add(answer_row(numbers[each.learner], each.film, each.answer, found, second=True)).result()
    kept.add(ended_row()).result()
    kept.close()
    return file
