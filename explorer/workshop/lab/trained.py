"""What a training of the lab came to, in one file that tells all that a comparison needs: no film, no weights."""

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

SAID = "said.npz"
SHIPPED_RUNS = Path(__file__).parent / "results"  # what the trainings that ship scored


@dataclass(frozen=True, slots=True, eq=False)
class FilmLogits:
    """Logits (n, findings) of films by their cases, patients and centers (n,), beside labels, NaN where unknown."""

    cases: NDArray[np.str_]
    patients: NDArray[np.str_]
    centers: NDArray[np.str_]
    labels: Float32
    logits: Float32

    def at(self, centers: Sequence[str]) -> FilmLogits:
        """Those of films of these centers, of all where none is named."""
        rows = np.isin(self.centers, list(centers)) if centers else np.ones(len(self.centers), dtype=bool)
        return FilmLogits(*(getattr(self, name)[rows] for name in FilmLogits.__slots__))


@dataclass(frozen=True, slots=True)
class Cost:
    """Of a training, all its stages but not what it went on from, and of its network.

    `seconds` and the `milliseconds` a film takes, in batches of 32, are those of the processor, whatever ran beside it.
    """

    seconds: float
    parameters: int
    milliseconds: float


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A recipe with a seed. `films` of `cohort` are those it was trained on, of `centers`; `size` its input in pixels.

    `curve` is the mean AP on validation films after each epoch of the last stage, `epoch` the one that was taken.
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
    cost: Cost

    @property
    def name(self) -> str:
        return f"{self.recipe}-{self.seed}"

    def write(self, folder: Path) -> None:
        """Into `folder`, whole or not at all."""
        words = ("cohort", "recipe", "seed", "findings", "curve", "epoch", "films", "centers", "size", "sha256")
        cost = {name: getattr(self.cost, name) for name in Cost.__slots__}
        about = {word: getattr(self, word) for word in words} | {"cost": cost}
        arrays: dict[str, Any] = {}  # numpy's own parameter allow_pickle is none of them
        for split in ("validation", "test"):
            said = getattr(self, split)
            arrays |= {f"{split}_{name}": getattr(said, name) for name in FilmLogits.__slots__}
        with atomic_write(folder / SAID) as partial, partial.open("wb") as file:
            np.savez_compressed(file, about=json.dumps(about), **arrays)


def read_trained(folder: Path) -> Trained:
    """What `write` left there."""
    with np.load(folder / SAID) as file:
        about = json.loads(str(file["about"]))
        for word in ("findings", "curve", "centers"):
            about[word] = tuple(about[word])
        about["cost"] = Cost(**about["cost"])
        for split in ("validation", "test"):
            about[split] = FilmLogits(*(file[f"{split}_{name}"] for name in FilmLogits.__slots__))
        return Trained(**about)
