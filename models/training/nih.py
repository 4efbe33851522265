"""An NIH ChestX-ray14 folder as training arrays: letterboxed films, labels, patients, folders.

A folder holds `labels.csv` with `file`, `patient_id` and `findings` (joined by `|`, NIH words) and the films it names.
"""

from __future__ import annotations

import csv
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
import torch
from numpy.typing import NDArray

from models.letterbox import Letterbox
from models.radiograph import read_radiograph

# NIH words (Wang et al., CVPR 2017, table 1) in this project's spelling; the order is the order of the model's outputs.
FINDINGS: dict[str, str] = {
    "No Finding": "Normal",
    "Atelectasis": "Atelectasis",
    "Cardiomegaly": "Cardiomegaly",
    "Consolidation": "Consolidation",
    "Edema": "Edema",
    "Effusion": "Pleural Effusion",
    "Emphysema": "Emphysema",
    "Fibrosis": "Fibrosis",
    "Hernia": "Hernia",
    "Infiltration": "Infiltration",
    "Mass": "Mass",
    "Nodule": "Nodule",
    "Pleural_Thickening": "Pleural Thickening",
    "Pneumonia": "Pneumonia",
    "Pneumothorax": "Pneumothorax",
}


@dataclass(frozen=True, slots=True)
class Films:
    """Labelled films in memory, one row per film."""

    image_ids: tuple[str, ...]
    pixels: NDArray[np.uint8]  # (n, size, size), letterboxed, air 0
    inner: NDArray[np.int64]  # (n, 2) height and width of the film inside its square
    labels: NDArray[np.float32]  # (n, findings) 0 or 1
    patients: NDArray[np.str_]  # (n,)
    folders: NDArray[np.str_]  # (n,) the folder a film came from
    sharp: NDArray[np.bool_]  # (n,) stored with more pixels than the smallest films have
    traits: NDArray[np.float32]  # (n, 3) AP view, male sex, age / 100; NaN where unknown

    def __len__(self) -> int:
        return len(self.image_ids)


def read_films(root: Path, size: int) -> Films:
    """Read `root/labels.csv` and every film it names, letterboxed to `size` pixels."""
    with (root / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with ThreadPoolExecutor(4) as pool:
        read = list(pool.map(lambda row: _letterboxed(root / row["file"], size), rows))
    words = [set(row["findings"].split("|")) for row in rows]
    stored = np.array([longest for _, _, longest in read])
    return Films(
        image_ids=tuple(row["image_id"] for row in rows),
        pixels=np.stack([pixels for pixels, _, _ in read]),
        inner=np.array([inner for _, inner, _ in read]),
        labels=np.array([[word in present for word in FINDINGS] for present in words], dtype=np.float32),
        patients=np.array([row["patient_id"] for row in rows]),
        folders=np.array([str(PurePosixPath(row["file"]).parent) for row in rows]),
        sharp=stored >= 2 * size // 3,
        traits=np.array([_traits(row) for row in rows], dtype=np.float32),
    )


def _letterboxed(path: Path, size: int) -> tuple[NDArray[np.uint8], tuple[int, int], int]:
    film = read_radiograph(path).pixels
    box = Letterbox.of(film, size)
    boxed = box.fit(torch.tensor(film)) * 255
    return boxed.round().clamp(0, 255).byte().numpy(), box.inner, max(film.shape)


def _traits(row: dict[str, str]) -> tuple[float, float, float]:
    view = {"AP": 1.0, "PA": 0.0}.get(row.get("view", ""), np.nan)
    sex = {"M": 1.0, "F": 0.0}.get(row.get("sex", ""), np.nan)
    age = float(row["age"]) / 100 if row.get("age", "").isdigit() else np.nan
    return view, sex, age
