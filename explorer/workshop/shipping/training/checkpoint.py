"""A training of the lab that is to be shipped."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from models.training.lab_recipe import LabRecipe
from models.training.recipe import TrainingRecipe


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The file of a network, the recipe and seed it was trained by, the epoch of the last stage that was taken."""

    weights: Path
    recipe: LabRecipe
    epoch: int
    seed: int

    @property
    def stage(self) -> TrainingRecipe:
        """What the network was built and trained by in the end."""
        return self.recipe.stages[-1]
