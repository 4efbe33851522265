"""The recipes of the classifiers of NIH films: what each starts from, and how it is trained."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from models.training.recipe import IMAGENET, Part, Recipe

RECIPES = Path(__file__).parent / "recipes.toml"
INVERSE_PENALTIES = (0.0003, 0.001, 0.003)  # of probes: the folds choose


@dataclass(frozen=True, slots=True)
class NihRecipe:
    """`start` as in `models.training.start.start_state`; of a linear probe the last layer alone is fitted."""

    name: str
    start: str
    recipe: Recipe
    probe: bool = False

    @property
    def training_size(self) -> int:
        """Pixels of the films that it learns from: a margin of an eighth lets turns and zooms show what lies beyond."""
        return self.recipe.size if self.probe else self.recipe.size * 9 // 8

    @property
    def start_words(self) -> str:
        """The start in a sentence."""
        if self.start == IMAGENET:
            return "ImageNet weights"
        return f"the weights of `{Path(self.start).stem}` (simulated films, and ImageNet before them)"


def nih_recipes() -> dict[str, NihRecipe]:
    """Every recipe by the name of its model."""
    found = {}
    for name, table in tomllib.loads(RECIPES.read_text(encoding="utf-8")).items():
        start, loss, probe = table.pop("start"), table.pop("loss", None), table.pop("probe", False)
        changed = table if loss is None else {**table, "loss": Part(loss)}
        found[name] = NihRecipe(name, start, Recipe(**changed), probe)
    return found
