"""Stores a lab training's results in one file with everything that a comparison needs; no films or weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32
from models.whole_file import atomic_write

SCORES_FILE = "said.npz"
SHIPPED_RUNS = Path(__file__).parent / "results"  # scores of the shipped trainings


@dataclass(frozen=True, slots=True, eq=False)
class FilmLogits:
    """Films' logits (n, findings) with their cases, patients and centers (n,), and their labels, NaN where unknown."""

    cases: NDArray[np.str_]
    patients: NDArray[np.str_]
    centers: NDArray[np.str_]
    labels: Float32
    logits: Float32

    def at(self, centers: Sequence[str]) -> FilmLogits:
        """Return the logits of films from these centers, or of all films if no center is named."""
        rows = np.isin(self.centers, list(centers)) if centers else np.ones(len(self.centers), dtype=bool)
        return FilmLogits(*(getattr(self, name)[rows] for name in FilmLogits.__slots__))


@dataclass(frozen=True, slots=True)
class TrainingCost:
    """The cost of a training over all its stages, excluding the recipe it continues, and of its network.

    `seconds`, and `milliseconds` per film in batches of 32, are processor time, independent of other load.
    """

    seconds: float
    parameters: int
    milliseconds: float


@dataclass(frozen=True, slots=True, eq=False)
class TrainedRecipe:
    """A recipe trained with a seed on `films` of `cohort` from `centers`; `size` is its input in pixels.

    On a `device` other than "cpu", the cost counts only what the processor did meanwhile.

    `curve` is the mean AP on validation films after each epoch of the last stage, `epoch` the chosen one.
    """

    cohort: str
    recipe: str
    seed: int
    findings: tuple[str, ...]
    validation: FilmLogits
    test: FilmLogits
    curve: tuple[float, ...]
    epoch: int
    films: int
    centers: tuple[str, ...]
    size: int
    sha256: str
    cost: TrainingCost
    device: str = "cpu"

    @property
    def name(self) -> str:
        return f"{self.recipe}-{self.seed}"

    def write(self, folder: Path) -> None:
        """Write the results into `folder`, atomically."""
        words = (
            "cohort",
            "recipe",
            "seed",
            "findings",
            "curve",
            "epoch",
            "films",
            "centers",
            "size",
            "sha256",
            "device",
        )
        cost = {name: getattr(self.cost, name) for name in TrainingCost.__slots__}
        about = {word: getattr(self, word) for word in words} | {"cost": cost}
        arrays: dict[str, Any] = {}  # keys must not clash with numpy's parameter allow_pickle
        for split in ("validation", "test"):
            logits = getattr(self, split)
            arrays |= {f"{split}_{name}": getattr(logits, name) for name in FilmLogits.__slots__}
        with atomic_write(folder / SCORES_FILE) as partial, partial.open("wb") as file:
            np.savez_compressed(file, about=json.dumps(about), **arrays)


def read_trained(folder: Path) -> TrainedRecipe:
    """Read the results that `TrainedRecipe.write` wrote."""
    with np.load(folder / SCORES_FILE) as file:
        about = json.loads(str(file["about"]))
        for word in ("findings", "curve", "centers"):
            about[word] = tuple(about[word])
        about["cost"] = TrainingCost(**about["cost"])
        for split in ("validation", "test"):
            about[split] = FilmLogits(*(file[f"{split}_{name}"] for name in FilmLogits.__slots__))
        return TrainedRecipe(**about)
