"""How difficult each film and question is, by the Rasch model over the answers of all classes kept on this machine.

Learners are told apart within their class and are nobody across classes. First answers count, before a model was seen.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from explorer.core.figures import interval_text, percent_texts
from explorer.school.classroom.class_files import class_paths, classes_folder
from explorer.school.classroom.kept_classes import class_database, class_ids
from explorer.school.classroom.refusal import ClassRefusal

DifficultyBand = Literal["easy", "medium", "hard"]
DIFFICULTY_BANDS: tuple[DifficultyBand, ...] = get_args(DifficultyBand)
EASY_FROM, HARD_BELOW = 0.8, 0.5  # of learners of average ability are right
MIN_ANSWERS = 5  # to a film, before its difficulty is shown
MAX_FILMS = 1_000  # in one fit, those with most answers
_ANSWERS = 'SELECT learner, cohort, "case", question, judged FROM answers JOIN films USING (film)'


class FilmTask(NamedTuple):
    """A film with a question, as learners saw it; `cohort` is empty for a simulated film's address."""

    cohort: str
    case: str
    question: str


@dataclass(frozen=True, slots=True)
class FilmDifficulty:
    """A film's difficulty in logits with its standard error, from `right` of `n` answers.

    `solved` is the probability that a learner of average ability is right, with its 95 % interval.
    """

    difficulty: float
    error: float
    right: int
    n: int
    solved: float
    low: float
    high: float

    @property
    def band(self) -> DifficultyBand:
        """Easy, medium or hard, by the probability that an average learner is right."""
        return "easy" if self.solved >= EASY_FROM else "hard" if self.solved < HARD_BELOW else "medium"


def film_difficulties(folder: Path | None = None) -> Mapping[FilmTask, FilmDifficulty]:
    """Return the difficulty of each film with enough answers; unreadable classes are left out."""
    place = folder or classes_folder()
    return _fitted(place, tuple(_state(place, name) for name in class_ids(place)))


def difficulty_words(found: FilmDifficulty) -> str:
    """Return the difficulty in a sentence: `medium: an average learner is right in 62 % [48\N{EN DASH}75], n 23`."""
    solved, low, high = percent_texts(found.solved, found.low, found.high)
    return f"{found.band}: an average learner is right in {solved} % {interval_text(low, high)}, n {found.n:,}"


def _state(place: Path, name: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return what changes whenever a class has new answers."""
    stats = []
    for path in class_paths(place, name):
        try:
            found = path.stat()
        except FileNotFoundError:  # the class has just ended, or was deleted
            continue
        stats.append((found.st_mtime_ns, found.st_size))
    return name, tuple(stats)


@lru_cache(maxsize=4)
def _fitted(
    place: Path, states: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
) -> Mapping[FilmTask, FilmDifficulty]:
    answers = [each for name, _ in states for each in first_answers(place, name)]
    counts = Counter(task for _, task, _ in answers)
    tasks = [task for task, n in counts.most_common(MAX_FILMS) if n >= MIN_ANSWERS]
    places = {task: place for place, task in enumerate(tasks)}
    used = [(learner, places[task], right) for learner, task, right in answers if task in places]
    learners = {learner: number for number, learner in enumerate(dict.fromkeys(each for each, _, _ in used))}
    if len(learners) < 2:
        return {}
    from explorer.metrics.rasch import fit_rasch  # brings SciPy, which a start does without

    fitted = fit_rasch(
        [learners[each] for each, _, _ in used], [item for _, item, _ in used], [right for _, _, right in used]
    )
    hits = Counter(item for _, item, right in used if right)
    low, high = fitted.solved_interval()
    figures = zip(fitted.difficulty.tolist(), fitted.error.tolist(), fitted.solved.tolist(), low, high, strict=True)
    return {
        task: FilmDifficulty(difficulty, error, hits[item], counts[task], solved, float(least), float(most))
        for item, (task, (difficulty, error, solved, least, most)) in enumerate(zip(tasks, figures, strict=True))
    }


def first_answers(place: Path, name: str) -> Iterator[tuple[tuple[str, int], FilmTask, bool]]:
    """Yield the answers of a class that can be judged: learner, film, whether it is right."""
    try:
        with class_database(name, place) as database:
            rows = database.execute(_ANSWERS).fetchall()
    except ClassRefusal:
        return
    seen: set[tuple[int, FilmTask]] = set()
    for learner, cohort, case, question, judged in rows:
        task, right = FilmTask(cohort, case, question), json.loads(judged)["right"]
        if right is not None and (learner, task) not in seen:
            seen.add((learner, task))
            yield (name, learner), task, right
