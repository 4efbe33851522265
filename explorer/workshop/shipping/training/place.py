"""The folders of shipped files, and how registry files refer to them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from models.cards.card import PROJECT
from models.cards.registry import REGISTRY


@dataclass(frozen=True, slots=True)
class ShippingFolders:
    """Folders of registry files and weights. Cards name weights relative to the project folder."""

    registry: Path
    weights: Path

    def card(self, model: str) -> Path:
        return self.registry / f"{model}.toml"

    def known_as(self, model: str) -> str:
        """Return the model's name for `models.load`: its own, or its registry file's path outside the registry."""
        return model if self.registry == REGISTRY else str(self.card(model))


SHIPPED_FOLDERS = ShippingFolders(REGISTRY, PROJECT / "models" / "weights")


def trial_folders(folder: Path) -> ShippingFolders:
    """Return separate folders below `folder`, for a trial."""
    place = ShippingFolders(folder, folder / "models" / "weights")
    place.weights.mkdir(parents=True, exist_ok=True)
    return place
