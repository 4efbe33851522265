"""The network that a recipe's training begins with, for the findings and labels of its films."""

from __future__ import annotations

from torch import Tensor, nn

from explorer.workshop.lab.films import LabFilms
from models.training.lab_recipe import LabRecipe
from models.training.network import LINEAR_HEAD, SeenLabels, new_network
from models.training.start import start_state


def first_state(recipe: LabRecipe) -> dict[str, Tensor]:
    """Return the tensors that a recipe's network starts with. Raises ValueError if they are missing or do not fit."""
    first = recipe.stages[0]
    try:
        return start_state(first.start, first.architecture)
    except FileNotFoundError as error:
        raise ValueError(str(error)) from error


def new_recipe_network(recipe: LabRecipe, films: LabFilms, state: dict[str, Tensor] | None = None) -> nn.Module:
    """Return a recipe's network; without a state its weights are random, to be replaced."""
    rows, told = films.rows_of(recipe), films.told(recipe)
    seen = SeenLabels(films.findings, told.labels[rows])
    traits = films.training.traits.shape[1]
    return new_network(recipe.stages[0], recipe.head, told.prevalence(rows), traits, state or {}, seen)


def has_new_head(recipe: LabRecipe, before: LabRecipe) -> bool:
    """Return whether a recipe continues the recipe `before` with another head, of which only the backbone is kept.

    Raises ValueError if its backbone is another one, or if one of the two heads is timm's linear layer, whose network
    has other names.
    """
    if before.of:
        raise ValueError(f"It continues {before.name}, which has no network of its own. Name one that was trained.")
    own, other = (each.stages[0].architecture for each in (recipe, before))
    if own != other:
        raise ValueError(f"It continues {before.name}, whose network is {other}. Write the same architecture.")
    if before.head == recipe.head:
        return False
    if LINEAR_HEAD in (before.head, recipe.head):
        raise ValueError(
            f"{before.name} has the head {before.head.name}. Continue a recipe that also has a head of its own."
        )
    return True
