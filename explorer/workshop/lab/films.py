"""The films on which recipes are compared: the phantom cohort, rendered once and stored in a run's folder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.cohort_sampling import SEEN_FINDINGS
from explorer.workshop.lab.phantom_dataset import (
    exact_labels,
    finding_masks,
    hedged_labels,
    noted_labels,
    training_films,
)
from explorer.workshop.lab.phantom_splits import SplitFilms, Splits, rendered_splits
from explorer.workshop.lab.recipe_labels import keep_shares, settle_uncertain
from models.array_types import Float32
from models.training.films import TrainingFilms
from models.training.lab_recipe import LabRecipe
from models.training.network_at_size import shrink
from models.training.stratified_folds import stratified_folds

PHANTOM_COHORT = "phantom"


@dataclass(frozen=True, slots=True, eq=False)
class LabFilms:
    """Training films of a cohort with their noted labels, and validation and test films of other patients.

    Labels are 1, 0, or NaN if unknown; each array of centers (n,) belongs to the films that precede it.
    """

    cohort: str
    findings: tuple[str, ...]
    training: TrainingFilms
    validation: TrainingFilms
    test: TrainingFilms
    training_centers: NDArray[np.str_]
    validation_centers: NDArray[np.str_]
    test_centers: NDArray[np.str_]
    exact: Float32 | None = None  # (n, findings) what is on the training films; None if only noted labels are known

    def rows_of(self, recipe: LabRecipe) -> NDArray[np.int64]:
        """Return the rows of the training films that the recipe uses. Raises ValueError if there are none."""
        chosen = np.ones(len(self.training), dtype=bool)
        if recipe.centers:
            chosen &= self.at_centers(recipe.centers, recipe.shipped)
        if recipe.views:
            views = np.select([self.training.traits[:, 0] == 1, self.training.traits[:, 0] == 0], ["AP", "PA"], "")
            chosen &= np.isin(views, recipe.views)
        for finding in recipe.without:
            chosen &= self.training.labels[:, self._column(finding)] == 0
        if recipe.folds:
            chosen &= stratified_folds(self.training.labels, self.training.patients, recipe.folds) != recipe.fold - 1
        if not chosen.any():
            asked = ", ".join((*recipe.centers, *recipe.views, *(f"without {name}" for name in recipe.without)))
            raise ValueError(f"No training film is {asked}. Choose another recipe.")
        return np.flatnonzero(chosen)

    def at_centers(self, names: tuple[str, ...], shipped: bool) -> NDArray[np.bool_]:
        """Return which training films (n,) are from these centers.

        Shipped recipes name the simulator's centers. If these films have neither A nor B, but several centers, A stands
        for the one with most training films, and B for all others.
        """
        centers, films = np.unique(self.training_centers, return_counts=True)
        if not shipped or len(centers) < 2 or {"A", "B"} & set(centers.tolist()):
            return np.isin(self.training_centers, names)
        return np.isin(np.where(self.training_centers == centers[films.argmax()], "A", "B"), names)

    def at_size(self, size: int) -> LabFilms:
        """Return the films for a network input of this size, which must not exceed theirs."""
        if size == self.size:
            return self
        sizes = {"training": size * 9 // 8, "validation": size, "test": size}
        parts = {name: getattr(self, name) for name in sizes}
        return replace(
            self, **{name: replace(part, pixels=shrink(part.pixels, sizes[name])) for name, part in parts.items()}
        )

    @property
    def size(self) -> int:
        """The network input size, in pixels, that the films were read for."""
        return int(self.test.pixels.shape[-1])

    def told(self, recipe: LabRecipe) -> TrainingFilms:
        """Return the training films with only the labels that the recipe may use; the others become unknown.

        Uncertain labels are settled by the recipe's policy. Raises ValueError if no label or no uncertain one is left,
        or if exact labels are asked for and unknown.
        """
        labels = settle_uncertain(self.training.labels, self.training.uncertain, recipe.uncertain)
        if recipe.labels:
            labels = self._exact()
        if recipe.told:
            columns = [self._column(finding) for finding in recipe.told]
            left = np.full_like(labels, np.nan)
            left[:, columns] = labels[:, columns]
            labels = left
        if recipe.told_shares:
            prevalence = self.training.prevalence(np.arange(len(self.training)))
            labels = keep_shares(labels, prevalence, recipe.told_shares)
        return self.training if labels is self.training.labels else replace(self.training, labels=labels)

    def _exact(self) -> Float32:
        if self.exact is None:
            raise ValueError('Only simulated films have exact labels. Remove labels = "exact" from the recipe.')
        return self.exact

    def _column(self, finding: str) -> int:
        if finding not in self.findings:
            raise ValueError(f"These films have no labels for {finding}. Choose another recipe.")
        return self.findings.index(finding)


def phantom_films(folder: Path, size: int, processes: int, few: int | None = None) -> LabFilms:
    """Return the cohort's films for this network input size; missing ones are rendered into `folder`.

    For a quick trial of every step, `few` limits the number of training films, and half of `few` the number of others.
    """
    return lab_films(rendered_splits(folder, size, processes, few))


def lab_films(splits: Splits) -> LabFilms:
    """Return the rendered films, with noted labels for training and exact labels for the others."""
    known, held = (
        training_films(split.cases, split.pixels.coarse, exact_labels(split.cases, SEEN_FINDINGS))
        for split in (splits.validation, splits.test)
    )
    training = splits.training
    noted = noted_labels(training.cases)
    return LabFilms(
        PHANTOM_COHORT,
        SEEN_FINDINGS,
        replace(
            training_films(
                training.cases, training.pixels.wide, noted, finding_masks(training.pixels, noted, SEEN_FINDINGS)
            ),
            uncertain=hedged_labels(training.cases),
        ),
        known,
        held,
        *map(_centers, (training, splits.validation, splits.test)),
        exact=exact_labels(training.cases, SEEN_FINDINGS),
    )


def _centers(split: SplitFilms) -> NDArray[np.str_]:
    return np.array([case.film.center for case in split.cases])
