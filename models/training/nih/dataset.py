"""Loads an NIH ChestX-ray14 folder as training arrays: letterboxed films, labels, patients, folders."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from models.classifier.letterbox import Letterbox
from models.radiograph import read_radiograph
from models.training.films import TrainingFilms
from models.training.nih.table import NihFilm, read_nih_table

# NIH's terms (Wang et al., CVPR 2017, table 1) in this project's spelling, in the order of the model's outputs.
NIH_FINDINGS: dict[str, str] = {
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


def read_nih_films(root: Path, size: int) -> TrainingFilms:
    """Read every film of an NIH folder (see `read_nih_table`), letterboxed to `size` pixels."""
    films = read_nih_table(root)
    with ThreadPoolExecutor(4) as pool:
        read = list(pool.map(lambda film: _letterboxed(film.path, size), films))
    stored = np.array([longest for _, longest in read])
    return TrainingFilms(
        image_ids=tuple(film.image_id for film in films),
        paths=tuple(film.path for film in films),
        pixels=np.stack([pixels for pixels, _ in read]),
        labels=np.array([[word in film.words for word in NIH_FINDINGS] for film in films], dtype=np.float32),
        patients=np.array([film.patient for film in films]),
        folders=np.array([film.folder for film in films]),
        sharp=stored >= 2 * size // 3,
        traits=np.array([_traits(film) for film in films], dtype=np.float32),
    )


def _letterboxed(path: Path, size: int) -> tuple[NDArray[np.uint8], int]:
    film = read_radiograph(path).pixels
    boxed = Letterbox.of(film, size).fit(torch.tensor(film)) * 255
    return boxed.round().clamp(0, 255).byte().numpy(), max(film.shape)


def _traits(film: NihFilm) -> tuple[float, float, float]:
    view = {"AP": 1.0, "PA": 0.0}.get(film.view, np.nan)
    sex = {"M": 1.0, "F": 0.0}.get(film.sex, np.nan)
    age = float(film.age) / 100 if film.age.isdigit() else np.nan
    return view, sex, age
