"""Linear probes of networks pretrained on other films: out-of-fold logits on real films and the resulting AUROC.

`python -m models.training.shipping.nih.probe_starts` computes the logits,
`python -m explorer.workshop.lab.simulated_starts` the figures.
"""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file

from models.whole_file import atomic_write

_FOLDER = Path(__file__).parent / "starts"
_ABOUT, _LOGITS, _FIGURES = _FOLDER / "probes.toml", _FOLDER / "probes.safetensors", _FOLDER / "probes.csv"


@dataclass(frozen=True, slots=True)
class StartingNetwork:
    """A pretrained network: the number of simulated `films`, what it `learned` in words, and if it used `masks`."""

    name: str
    films: int
    masks: bool
    learned: str


@dataclass(frozen=True, slots=True, eq=False)
class ProbedStarts:
    """Out-of-fold logits (n, findings) of each network's probe, in the order of `image_ids` (n,)."""

    image_ids: tuple[str, ...]
    logits: dict[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class StartFigure:
    """A probe's macro AUROC and its difference from the ImageNet start, each with a 95 % interval."""

    start: str
    value: float
    low: float
    high: float
    ahead: float
    ahead_low: float
    ahead_high: float


def starting_networks() -> dict[str, StartingNetwork]:
    """Return the compared networks by name; the first is the reference."""
    tables = tomllib.loads(_ABOUT.read_text(encoding="utf-8"))
    return {name: StartingNetwork(name, **table) for name, table in tables.items()}


def write_probes(probed: ProbedStarts) -> None:
    """Write the logits into the package, atomically."""
    tensors = {name: logits.astype(np.float16) for name, logits in probed.logits.items()}
    with atomic_write(_LOGITS) as partial:
        save_file(tensors, partial, {"image_ids": json.dumps(probed.image_ids)})


def probed_starts() -> ProbedStarts:
    """Return the shipped logits, in the order of `starting_networks`."""
    with safe_open(_LOGITS, "np") as file:
        image_ids = tuple(json.loads(file.metadata()["image_ids"]))
        return ProbedStarts(image_ids, {name: file.get_tensor(name).astype(np.float32) for name in starting_networks()})


def write_figures(figures: Iterable[StartFigure]) -> None:
    """Write the figures into the package, atomically, with six decimals, so that rounding to three happens once."""
    with atomic_write(_FIGURES) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(StartFigure.__slots__), lineterminator="\n")
        writer.writeheader()
        for each in figures:
            cells = asdict(each)
            writer.writerow({name: cell if name == "start" else f"{cell:.6f}" for name, cell in cells.items()})


def start_figures() -> tuple[StartFigure, ...]:
    """Return the shipped figures, in the order of `starting_networks`."""
    with _FIGURES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple(StartFigure(row.pop("start"), **{name: float(cell) for name, cell in row.items()}) for row in rows)
