"""The films that recipes are compared on: those of the phantom, rendered once and kept in a run's folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.cohort_sampling import SEEN
from explorer.shipped.train_phantom import TRAINING_SIZE, render
from explorer.shipped.training.dataset import exact_labels, films, noted_labels
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
    splits = render(folder, few, processes, TRAINING_SIZE, size)
    known, held = (
        films(split.cases, split.pixels.coarse, exact_labels(split.cases, SEEN))
        for split in (splits.validation, splits.test)
    )
    training = splits.training
    return LabFilms(
        findings=SEEN,
        training=films(training.cases, training.pixels.wide, noted_labels(training.cases)),
        validation=known,
        test=held,
        test_cases=held.image_ids,
        test_centers=np.array([case.film.center for case in splits.test.cases]),
    )
