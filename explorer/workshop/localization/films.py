"""Films whose findings have known sites: the simulator's masks, or boxes drawn by readers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from explorer.cohorts.film_source import FilmSource, SimulatedFilm
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.simulator.request import GLOBAL

MasksByFinding = Mapping[str, NDArray[np.bool_]]
BoxShares = tuple[float, float, float, float]  # left, top, width, height, as shares of the film's sides
COMPARISON_SIDE = 224  # pixels of a film's longer side for the comparison of map and mask


@dataclass(frozen=True, slots=True)
class LocatedFilm:
    """A film with localized findings; `masks` returns, for a size (h, w) in pixels, the mask (h, w) of each finding."""

    case: str
    patient: str
    center: str
    source: FilmSource
    masks: Callable[[tuple[int, int]], MasksByFinding]


def located_films(folder: Folder, images: Images) -> list[LocatedFilm]:
    """Return the films of a cohort that have masks or boxes, by case. Raises NoCohort if none are available."""
    exact = read_manifest(folder.manifest).masks == "simulator"
    boxes = {} if exact else _boxes(folder)
    rows = read_table(folder.cases, ["case", "patient", "center", "root", "file"]).to_pylist()
    wanted = [row for row in rows if exact or row["case"] in boxes]
    films = []
    for row in sorted(wanted, key=lambda row: str(row["case"])):
        source = images.film(row["root"], row["file"])
        if source is None:
            continue
        masks = exact_masks(source) if isinstance(source, SimulatedFilm) else box_masks(boxes[row["case"]])
        films.append(LocatedFilm(row["case"], row["patient"] or row["case"], row["center"], source, masks))
    if not films:
        raise NoCohort(
            f"The sites of the findings in {folder.name} are unknown",
            "Maps are compared with masks or boxes of films on this machine: add a table of boxes with "
            f"`python -m explorer ingest boxes BOXES.csv --cohort {folder.name}`, or give --images.",
        )
    return films


def exact_masks(film: SimulatedFilm) -> Callable[[tuple[int, int]], MasksByFinding]:
    """Return the simulator's masks, without global findings, which distort or dim the whole chest and have no site."""

    def masks(size: tuple[int, int]) -> MasksByFinding:
        drawn = {finding: mask for finding, mask in film.masks().items() if finding not in GLOBAL and mask.any()}
        return {finding: resize_mask(mask, size) for finding, mask in drawn.items()}

    return masks


def box_masks(boxes: Sequence[tuple[str, BoxShares]]) -> Callable[[tuple[int, int]], MasksByFinding]:
    """Return masks that fill all boxes of a finding."""

    def masks(size: tuple[int, int]) -> MasksByFinding:
        (height, width), drawn = size, dict[str, NDArray[np.bool_]]()
        down, across = (np.arange(height) + 0.5) / height, (np.arange(width) + 0.5) / width
        for finding, (left, top, wide, high) in boxes:
            rows, columns = (down >= top) & (down < top + high), (across >= left) & (across < left + wide)
            drawn[finding] = drawn.get(finding, np.zeros(size, np.bool_)) | (rows[:, None] & columns)
        return {finding: mask for finding, mask in drawn.items() if mask.any()}

    return masks


def resize_mask(mask: NDArray[np.bool_], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Resize a mask: a pixel counts if at least half covered; for a tiny mask, the most covered pixels count."""
    filled = functional.interpolate(torch.from_numpy(mask[None, None].astype(np.float32)), size, mode="area")[0, 0]
    least = min(0.5, float(filled.max()))
    return (filled >= least).numpy()


def _boxes(folder: Folder) -> Mapping[str, list[tuple[str, BoxShares]]]:
    found: defaultdict[str, list[tuple[str, BoxShares]]] = defaultdict(list)
    if folder.boxes.exists():
        for row in read_table(folder.boxes).to_pylist():
            found[row["case"]].append((row["finding"], (row["x"], row["y"], row["width"], row["height"])))
    return found
