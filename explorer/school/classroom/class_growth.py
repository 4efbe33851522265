"""How a machine's classes answer from session to session, without learners' names: plainly, and on the same films.

Later classes may be shown easier films. So each class also has an ability and each film a difficulty: a Rasch model
with the class as the person, on films that two classes or more answered.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import scipy.special

from explorer.core.arrays import Floats
from explorer.core.figures import Estimate
from explorer.school.classroom.class_files import classes_folder
from explorer.school.classroom.film_difficulty import FilmTask, first_answers
from explorer.school.classroom.kept_classes import KeptClass, kept_classes

MIN_LEARNERS = 5  # of a class: the figures of fewer could be traced to one of them
MIN_SHARED_FILMS = 5  # with other classes, before a class is compared on the same films
_RESAMPLES = 1000
_SEED = 20261128
_PRIOR_PRECISION = 1 / 9  # of film difficulties, logits: a film that all answered correctly stays finite
_ROUNDS, _TOLERANCE = 500, 1e-9
_WIDEST = 8.0  # logits: a class that answered everything correctly has no larger ability


@dataclass(frozen=True, slots=True)
class ClassSession:
    """A class: its first answers and the share correct; `same_films`: that share on the films classes share.

    Both have 95 % intervals, from resampled learners; `same_films` is None where `shared` films are too few.
    """

    held: KeptClass
    learners: int
    answers: int
    correct: Estimate
    shared: int
    same_films: Estimate | None


@dataclass(frozen=True, slots=True)
class ClassGrowth:
    """The classes in the order in which they began; `change`: last less first on the same films, None without two."""

    sessions: tuple[ClassSession, ...]
    films: int  # that two classes or more answered
    change: Estimate | None
    left_out: int  # classes with too few learners, or that cannot be read


@dataclass(slots=True, eq=False)
class ClassAnswers:
    """A class's first answers (n,): learner, shared film (-1: no other class has it), whether it is right."""

    learner: npt.NDArray[np.intp]
    film: npt.NDArray[np.intp]
    right: Floats

    def counted(self, learners: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return how often each learner, and so each answer (n,), counts in a resample of learners."""
        times = np.bincount(learners, minlength=int(self.learner.max()) + 1).astype(np.float64)
        return times, times[self.learner]


def class_growth(folder: Path | None = None) -> ClassGrowth:
    """Return the classes of this machine by session, oldest first; classes with fewer than 5 learners are left out."""
    place = folder or classes_folder()
    every = kept_classes(place)
    found: list[tuple[KeptClass, list[tuple[int, FilmTask, bool]]]] = []
    for held in every:
        if isinstance(held, KeptClass):
            answers = [(learner[1], task, right) for learner, task, right in first_answers(place, held.id)]
            if len({learner for learner, _, _ in answers}) >= MIN_LEARNERS:
                found.append((held, answers))
    classes_of: defaultdict[FilmTask, set[int]] = defaultdict(set)
    for number, (_, answers) in enumerate(found):
        for _, task, _ in answers:
            classes_of[task].add(number)
    shared = {task: place for place, task in enumerate(task for task, those in classes_of.items() if len(those) > 1)}
    arrays = [_arrays(answers, shared) for _, answers in found]
    return _growth([held for held, _ in found], arrays, len(shared), len(every) - len(found))


def _arrays(answers: list[tuple[int, FilmTask, bool]], shared: dict[FilmTask, int]) -> ClassAnswers:
    learners = {learner: number for number, learner in enumerate(dict.fromkeys(each for each, _, _ in answers))}
    return ClassAnswers(
        np.array([learners[each] for each, _, _ in answers], dtype=np.intp),
        np.array([shared.get(task, -1) for _, task, _ in answers], dtype=np.intp),
        np.array([right for _, _, right in answers], dtype=np.float64),
    )


def _growth(held: list[KeptClass], arrays: list[ClassAnswers], films: int, left_out: int) -> ClassGrowth:
    overlaps = [len(np.unique(each.film[each.film >= 0])) for each in arrays]
    compared = _linked([number for number, overlap in enumerate(overlaps) if overlap >= MIN_SHARED_FILMS], arrays)
    difficulty = (
        film_difficulties_between([arrays[number] for number in compared], films) if len(compared) > 1 else None
    )
    dice = np.random.default_rng(_SEED)
    sessions, drawn = [], {}
    for number, each in enumerate(arrays):
        learners = int(each.learner.max()) + 1
        resamples = [each.counted(dice.integers(learners, size=learners))[1] for _ in range(_RESAMPLES)]
        plain = [float((each.right * times).sum() / times.sum()) for times in resamples]
        same = None
        if difficulty is not None and number in compared:
            values = [share_on_same_films(each, times, difficulty) for times in [np.ones(len(each.right)), *resamples]]
            same, drawn[number] = _estimate(values[0], values[1:]), values
        sessions.append(
            ClassSession(
                held[number],
                learners,
                len(each.right),
                _estimate(float(each.right.mean()), plain),
                overlaps[number],
                same,
            )
        )
    change = None
    if len(drawn) > 1:
        first, last = (drawn[number] for number in (min(drawn), max(drawn)))
        differences = [b - a for a, b in zip(first, last, strict=True)]
        change = _estimate(differences[0], differences[1:])
    return ClassGrowth(tuple(sessions), films, change, left_out)


def _linked(numbers: list[int], arrays: list[ClassAnswers]) -> list[int]:
    """Return the largest group of classes that films link, directly or through others: only these can be compared."""
    groups: list[tuple[set[int], set[int]]] = []  # classes, films
    for number in numbers:
        classes, films = {number}, {each for each in arrays[number].film.tolist() if each >= 0}
        apart = []
        for group in groups:
            if group[1] & films:
                classes, films = classes | group[0], films | group[1]
            else:
                apart.append(group)
        groups = [*apart, (classes, films)]
    return sorted(max(groups, key=lambda group: (len(group[0]), -min(group[0])))[0]) if groups else []


def film_difficulties_between(classes: list[ClassAnswers], films: int) -> Floats:
    """Return difficulties (films,) in logits; NaN: no class answered.

    Logistic regression with an ability for each class and a difficulty for each film, which has a weak normal prior, by
    Newton steps for one and the other in turn. Abilities have mean 0.
    """
    parts = [(each.film[each.film >= 0], each.right[each.film >= 0]) for each in classes]
    film, right = (np.concatenate([part[place] for part in parts]) for place in (0, 1))
    group = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    ability, difficulty = np.zeros(len(parts)), np.zeros(films)
    for _ in range(_ROUNDS):
        before = np.concatenate([ability, difficulty])
        for values, index, sign, precision in ((difficulty, film, -1.0, _PRIOR_PRECISION), (ability, group, 1.0, 1e-6)):
            chance = scipy.special.expit(ability[group] - difficulty[film])
            slope = np.bincount(index, sign * (right - chance), len(values)) - precision * values
            curvature = np.bincount(index, chance * (1 - chance), len(values)) + precision
            values += np.clip(slope / curvature, -1, 1)
        ability -= ability.mean()
        if np.abs(np.concatenate([ability, difficulty]) - before).max() < _TOLERANCE:
            break
    difficulty[np.bincount(film, minlength=films) == 0] = np.nan
    return difficulty


def share_on_same_films(answers: ClassAnswers, times: Floats, difficulty: Floats) -> float:
    """Return the share that the class would answer correctly of all shared films; each answer counts `times`."""
    here = (answers.film >= 0) & ~np.isnan(difficulty[answers.film])
    film, right, weight = answers.film[here], answers.right[here], times[here]
    if not weight.sum():
        return float("nan")
    low, high = -_WIDEST, _WIDEST  # the ability by bisection: correct answers rise with it
    for _ in range(40):
        middle = (low + high) / 2
        expected = (weight * scipy.special.expit(middle - difficulty[film])).sum()
        low, high = (middle, high) if expected < (weight * right).sum() else (low, middle)
    return float(np.nanmean(scipy.special.expit((low + high) / 2 - difficulty)))


def _estimate(value: float, resampled: list[float]) -> Estimate:
    low, high = np.nanquantile(resampled, [0.025, 0.975])
    return Estimate(value, float(low), float(high))
