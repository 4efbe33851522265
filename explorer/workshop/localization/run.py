"""Measures a model's maps on films with masks, part by part, so that an interrupted run can resume."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.core.progress import OnProgress
from explorer.metrics.localization import map_agreement, map_correlations
from explorer.simulator.request import NORMAL
from explorer.workshop.localization.films import COMPARISON_SIDE, LocatedFilm, MasksByFinding, resize_mask
from explorer.workshop.localization.mapped_model import MappedModel
from explorer.workshop.localization.mean_mask import MASK_SIDE
from explorer.workshop.localization.measured import MeasurementFolder, TablePart, TableRow
from models.cards.heat_method import HeatMethod
from models.radiograph import Radiograph, UnreadableRadiograph

FILMS_PER_PART = 50  # films per part: the most that an interruption loses


def measure_maps(
    films: Sequence[LocatedFilm],
    model: MappedModel,
    methods: Sequence[HeatMethod],
    folder: Path,
    progress: OnProgress = lambda done, of: None,
) -> tuple[MeasurementFolder, dict[str, str]]:
    """Measure what is missing below `folder`; return the location, and the films that failed, with reasons.

    The next run retries failed films. Raises ValueError for a layer or a size that the model does not have.
    """
    parts = [films[start : start + FILMS_PER_PART] for start in range(0, len(films), FILMS_PER_PART)]
    place = MeasurementFolder(
        folder, model.name, model.sha256, tuple(tuple(film.case for film in part) for part in parts)
    )
    targets = list(place.targets())
    tables = {method: list(zip(place.found(method), place.alike(method), strict=True)) for method in methods}
    failures: dict[str, str] = {}
    for number, part in enumerate(parts):
        failures |= _measure_part(
            part, model, targets[number], {method: files[number] for method, files in tables.items()}
        )
        progress(min((number + 1) * FILMS_PER_PART, len(films)), len(films))
    return place, failures


def _measure_part(
    films: Sequence[LocatedFilm],
    model: MappedModel,
    targets: TablePart,
    tables: Mapping[HeatMethod, tuple[TablePart, TablePart]],
) -> dict[str, str]:
    missing = [method for method, files in tables.items() if not all(file.is_current() for file in files)]
    if targets.is_current() and not missing:
        return {}
    target_rows: list[TableRow] = []
    rows: dict[HeatMethod, tuple[list[TableRow], list[TableRow]]] = {method: ([], []) for method in missing}
    failed: dict[str, str] = {}
    for film in films:
        try:
            radiograph = film.source.radiograph()
        except UnreadableRadiograph as error:
            failed[film.case] = f"{error.title}. {error.detail}"
            continue
        height, width = radiograph.pixels.shape
        scale = min(1.0, COMPARISON_SIDE / max(height, width))
        masks = film.masks((max(1, round(height * scale)), max(1, round(width * scale))))
        target_rows += [_target(film, finding, mask) for finding, mask in masks.items()]
        called = model.flags(radiograph) if missing else {}
        for method in missing:
            pointed, alike = _measure_film(film, radiograph, masks, called, model, method)
            rows[method][0].extend(pointed)
            rows[method][1].extend(alike)
    targets.write(target_rows, failed)
    for method in missing:
        for file, its_rows in zip(tables[method], rows[method], strict=True):
            file.write(its_rows, failed)
    return failed


def _measure_film(
    film: LocatedFilm,
    radiograph: Radiograph,
    masks: MasksByFinding,
    called: dict[str, bool],
    model: MappedModel,
    method: HeatMethod,
) -> tuple[list[TableRow], list[TableRow]]:
    """Return how well each localized finding's map matches its mask, and how similar two flagged findings' maps are."""
    shown = [finding for finding, above in called.items() if above and finding != NORMAL]
    masked = [finding for finding in masks if finding in called]
    asked = sorted({*shown, *masked})
    if not asked:
        return [], []
    maps = dict(zip(asked, model.heat(radiograph, asked, method).on_film(COMPARISON_SIDE), strict=True))
    pointed: list[TableRow] = []
    for finding in masked:
        at = map_agreement(maps[finding], masks[finding])
        pointed.append(
            {
                "case": film.case,
                "patient": film.patient,
                "center": film.center,
                "finding": finding,
                "called": called[finding],
                "pointing": at.pointing,
                "energy": at.energy,
                "overlap": at.overlap,
                "peak": float(maps[finding].max()),
            }
        )
    pairs = zip(*(np.array(shown)[places].tolist() for places in np.triu_indices(len(shown), 1)), strict=True)
    correlations = map_correlations(np.stack([maps[finding] for finding in shown])) if shown else np.empty(0)
    alike: list[TableRow] = [
        {"case": film.case, "first": first, "second": second, "correlation": None if np.isnan(r) else float(r)}
        for (first, second), r in zip(pairs, correlations, strict=True)
    ]
    return pointed, alike


def _target(film: LocatedFilm, finding: str, mask: NDArray[np.bool_]) -> TableRow:
    return {
        "case": film.case,
        "patient": film.patient,
        "center": film.center,
        "finding": finding,
        "mask": np.packbits(resize_mask(mask, (MASK_SIDE, MASK_SIDE))).tobytes(),
        "share": float(mask.mean()),
    }
