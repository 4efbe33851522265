"""Linear probes of networks that learned from other films: their out-of-fold logits on real films, and what they reach.

`python -m models.training.shipping.nih.probe_starts` makes the logits,
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

from models.whole_file import replaced

_FOLDER = Path(__file__).parent / "starts"
_ABOUT, _LOGITS, _FIGURES = _FOLDER / "probes.toml", _FOLDER / "probes.safetensors", _FOLDER / "probes.csv"


@dataclass(frozen=True, slots=True)
class Start:
    """A network to start from: of so many simulated `films` it `learned` as a phrase says, with `masks` or without."""

    name: str
    films: int
    masks: bool
    learned: str


@dataclass(frozen=True, slots=True, eq=False)
class ProbedStarts:
    """Out-of-fold logits (n, findings) of a probe of each start, in the order of `image_ids` (n,)."""

    image_ids: tuple[str, ...]
    logits: dict[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class StartFigure:
    """The macro AUROC of a start's probe with its 95 % interval, and how far it is ahead of ImageNet's."""

    start: str
    value: float
    low: float
    high: float
    ahead: float
    ahead_low: float
    ahead_high: float


def starts() -> dict[str, Start]:
    """Those that are compared, by name; the first is compared with."""
    tables = tomllib.loads(_ABOUT.read_text(encoding="utf-8"))
    return {name: Start(name, **table) for name, table in tables.items()}


def write_probes(probed: ProbedStarts) -> None:
    """Into the project, whole or not at all."""
    tensors = {name: logits.astype(np.float16) for name, logits in probed.logits.items()}
    with replaced(_LOGITS) as partial:
        save_file(tensors, partial, {"image_ids": json.dumps(probed.image_ids)})


def probed_starts() -> ProbedStarts:
    """The shipped logits, in the order of `starts`."""
    with safe_open(_LOGITS, "np") as file:
        image_ids = tuple(json.loads(file.metadata()["image_ids"]))
        return ProbedStarts(image_ids, {name: file.get_tensor(name).astype(np.float32) for name in starts()})


def write_figures(figures: Iterable[StartFigure]) -> None:
    """Into the project, whole or not at all; with six decimal places, so that rounding to three happens once."""
    with replaced(_FIGURES) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(StartFigure.__slots__), lineterminator="\n")
        writer.writeheader()
        for each in figures:
            cells = asdict(each)
            writer.writerow({name: cell if name == "start" else f"{cell:.6f}" for name, cell in cells.items()})


def start_figures() -> tuple[StartFigure, ...]:
    """The shipped figures, in the order of `starts`."""
    with _FIGURES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple(StartFigure(row.pop("start"), **{name: float(cell) for name, cell in row.items()}) for row in rows)
