"""The recipes of the NIH classifiers: initial weights and training settings."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from models.classifier.joined_network import JOINED_ARCHITECTURE
from models.training.recipe import IMAGENET, RecipePart, TrainingRecipe

NIH_RECIPES_FILE = Path(__file__).parent / "recipes.toml"
INVERSE_PENALTIES = (0.0003, 0.001, 0.003)  # candidates for probes; the folds choose one


@dataclass(frozen=True, slots=True)
class NihRecipe:
    """An NIH recipe. `start` is as in `models.training.start.start_state`; a probe fits only the last layer."""

    name: str
    start: str
    recipe: TrainingRecipe
    probe: bool = False

    @property
    def training_size(self) -> int:
        """Side of the training films in pixels: an eighth more than the input, as a margin for rotation and zoom."""
        return self.recipe.size if self.probe else self.recipe.size * 9 // 8

    @property
    def start_words(self) -> str:
        """The start, in words."""
        if self.start == IMAGENET:
            return "ImageNet weights"
        words = f"the weights of `{Path(self.start).stem}` (simulated films, and ImageNet before them)"
        is_joined = self.recipe.architecture == JOINED_ARCHITECTURE
        return f"{words} joined with those of `anatomy`, which outlines organs" if is_joined else words


def nih_recipes() -> dict[str, NihRecipe]:
    """Return every recipe by the name of its model."""
    found = {}
    for name, table in tomllib.loads(NIH_RECIPES_FILE.read_text(encoding="utf-8")).items():
        start, loss, probe = table.pop("start"), table.pop("loss", None), table.pop("probe", False)
        changed = table if loss is None else {**table, "loss": RecipePart(loss)}
        found[name] = NihRecipe(name, start, TrainingRecipe(**changed), probe)
    return found
