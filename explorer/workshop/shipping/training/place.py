"""Where what is shipped goes, and what a registry file calls it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from models.cards.card import PROJECT
from models.cards.registry import REGISTRY


@dataclass(frozen=True, slots=True)
class Place:
    """Folders of registry files and of weights. Cards name weights as from the project's folder."""

    registry: Path
    weights: Path

    def card(self, model: str) -> Path:
        return self.registry / f"{model}.toml"

    def known_as(self, model: str) -> str:
        """What `models.load` calls the model: its name, or its registry file where that is not among the others."""
        return model if self.registry == REGISTRY else str(self.card(model))


SHIPPED = Place(REGISTRY, PROJECT / "models" / "weights")


def beside(folder: Path) -> Place:
    """A place of its own below a folder, for a trial."""
    place = Place(folder, folder / "models" / "weights")
    place.weights.mkdir(parents=True, exist_ok=True)
    return place
