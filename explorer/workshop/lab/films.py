"""The films that recipes are compared on: those of the phantom, rendered once and kept in a run's folder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.cohort_sampling import SEEN
from explorer.workshop.lab.phantom_dataset import exact_labels, films, masks, noted_labels
from explorer.workshop.lab.phantom_splits import SplitFilms, Splits, rendered_splits
from models.training.films import TrainingFilms
from models.training.lab_recipe import LabRecipe

PHANTOM = "phantom"


@dataclass(frozen=True, slots=True, eq=False)
class LabFilms:
    """Films of a cohort to train on, with the labels noted for them; validation and test films of other patients.

    Labels are 1, 0 or NaN where unknown; the centers (n,) are of the films of each.
    """

    cohort: str
    findings: tuple[str, ...]
    training: TrainingFilms
    validation: TrainingFilms
    test: TrainingFilms
    training_centers: NDArray[np.str_]
    validation_centers: NDArray[np.str_]
    test_centers: NDArray[np.str_]

    def rows_of(self, recipe: LabRecipe) -> NDArray[np.int64]:
        """The training films that the recipe asks for. Raises ValueError where there is none."""
        chosen = np.ones(len(self.training), dtype=bool)
        if recipe.centers:
            chosen &= np.isin(self.training_centers, recipe.centers)
        if recipe.views:
            views = np.select([self.training.traits[:, 0] == 1, self.training.traits[:, 0] == 0], ["AP", "PA"], "")
            chosen &= np.isin(views, recipe.views)
        for finding in recipe.without:
            chosen &= self.training.labels[:, self._column(finding)] == 0
        if not chosen.any():
            asked = ", ".join((*recipe.centers, *recipe.views, *(f"without {name}" for name in recipe.without)))
            raise ValueError(f"No training film is {asked}. Choose another recipe.")
        return np.flatnonzero(chosen)

    def told(self, recipe: LabRecipe) -> TrainingFilms:
        """The training films with the labels that the recipe asks for; the others are unknown."""
        if not recipe.told:
            return self.training
        labels = np.full_like(self.training.labels, np.nan)
        columns = [self._column(finding) for finding in recipe.told]
        labels[:, columns] = self.training.labels[:, columns]
        return replace(self.training, labels=labels)

    def _column(self, finding: str) -> int:
        if finding not in self.findings:
            raise ValueError(f"These films have no label {finding}. Choose another recipe.")
        return self.findings.index(finding)


def phantom_films(folder: Path, size: int, processes: int, few: int | None = None) -> LabFilms:
    """The cohort's films for a network of this size; what is missing is rendered into `folder`.

    With `few`, so many for training and half as many of the others: a trial of every step.
    """
    return lab_films(rendered_splits(folder, size, processes, few))


def lab_films(splits: Splits) -> LabFilms:
    """The rendered films with the labels that training gets, and the exact ones of the others."""
    known, held = (
        films(split.cases, split.pixels.coarse, exact_labels(split.cases, SEEN))
        for split in (splits.validation, splits.test)
    )
    training = splits.training
    noted = noted_labels(training.cases)
    return LabFilms(
        PHANTOM,
        SEEN,
        films(training.cases, training.pixels.wide, noted, masks(training.pixels, noted, SEEN)),
        known,
        held,
        *map(_centers, (training, splits.validation, splits.test)),
    )


def _centers(split: SplitFilms) -> NDArray[np.str_]:
    return np.array([case.film.center for case in split.cases])
