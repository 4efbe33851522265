"""The recipes of the classifiers of NIH films: what each starts from, and how it is trained."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from models.training.recipe import IMAGENET, Part, Recipe

RECIPES = Path(__file__).parent / "recipes.toml"


@dataclass(frozen=True, slots=True)
class NihRecipe:
    """`start` as in `models.training.start.start_state`."""

    name: str
    start: str
    recipe: Recipe

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
        start, loss = table.pop("start"), table.pop("loss", None)
        changed = table if loss is None else {**table, "loss": Part(loss)}
        found[name] = NihRecipe(name, start, Recipe(**changed))
    return found
