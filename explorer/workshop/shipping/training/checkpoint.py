"""A lab training that is to be shipped."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from models.training.lab_recipe import LabRecipe
from models.training.recipe import TrainingRecipe


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The file of a network, its recipe and seed, and the chosen epoch of the last stage."""

    weights: Path
    recipe: LabRecipe
    epoch: int
    seed: int

    @property
    def stage(self) -> TrainingRecipe:
        """The settings of the last stage, which built and trained the network."""
        return self.recipe.stages[-1]
