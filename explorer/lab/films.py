"""The films that recipes are compared on: those of the phantom, rendered once and kept in a run's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.cohort_sampling import SEEN, TEST, TRAINING, VALIDATION, SampledCase, Split, cases
from explorer.phantom.film_png import SIZE
from explorer.shipped.train_phantom import TRAINING_SIZE
from explorer.shipped.training.dataset import exact_labels, films, noted_labels
from explorer.shipped.training.pixels import pixels
from models.training.films import Films


@dataclass(frozen=True, slots=True, eq=False)
class LabFilms:
    """Films to train on, with the labels noted for them; validation and test films of other patients, exact labels.

    `test_cases` and `test_centers` (n,) are of the test films.
    """

    findings: tuple[str, ...]
    training: Films
    validation: Films
    test: Films
    test_cases: tuple[str, ...]
    test_centers: NDArray[np.str_]


def phantom_films(folder: Path, size: int, processes: int, few: int | None = None) -> LabFilms:
    """The cohort's films for a network of this size; what is missing is rendered into `folder`.

    With `few`, so many for training and half as many of the others: a trial of every step.
    """
    half = few and few // 2
    training, validation, test = _some(TRAINING, few), _some(VALIDATION, half), _some(TEST, half)
    wide = pixels(folder, TRAINING.name, training, size, processes, TRAINING_SIZE).wide
    known, held = (
        films(chosen, pixels(folder, split.name, chosen, size, processes, SIZE).coarse, exact_labels(chosen, SEEN))
        for split, chosen in ((VALIDATION, validation), (TEST, test))
    )
    return LabFilms(
        findings=SEEN,
        training=films(training, wide, noted_labels(training)),
        validation=known,
        test=held,
        test_cases=tuple(case.film.case for case in test),
        test_centers=np.array([case.film.center for case in test]),
    )


def _some(split: Split, most: int | None) -> Sequence[SampledCase]:
    """Evenly taken, so that both centers are there."""
    every = cases(split)
    return every if most is None else every[:: max(1, len(every) // most)][:most]
