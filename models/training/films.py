"""Labeled films in memory, from any dataset."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class FindingMasks:
    """Sites of findings: `film` (m,) and `finding` (m,) are row and column numbers, `shares` (m, g, g) the sites.

    A share, from 0 to 255, is how much of a cell of the film's square the finding covers. `located` (k,) marks the
    findings that have a site at all; the masks say nothing about other findings.
    """

    film: NDArray[np.int64]
    finding: NDArray[np.int64]
    shares: NDArray[np.uint8]
    located: NDArray[np.bool_]

    def of(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the shares (n, k, g, g) of some films, from 0 to 1."""
        found = np.zeros((len(rows), len(self.located), *self.shares.shape[1:]), dtype=np.float32)
        first, last = np.searchsorted(self.film, rows), np.searchsorted(self.film, rows, side="right")
        for place, (start, stop) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            found[place, self.finding[start:stop]] = self.shares[start:stop] / np.float32(255)
        return found


@dataclass(frozen=True, slots=True)
class TrainingFilms:
    """Labeled films, one row per film."""

    image_ids: tuple[str, ...]
    paths: tuple[Path, ...]  # empty if the films are not files
    pixels: NDArray[np.uint8]  # (n, size, size), letterboxed, air 0
    labels: NDArray[np.float32]  # (n, findings) 0 or 1, NaN where unknown
    patients: NDArray[np.str_]  # (n,)
    folders: NDArray[np.str_]  # (n,) the folder that a film came from
    sharp: NDArray[np.bool_]  # (n,) whether it was stored with more pixels than the smallest films
    traits: NDArray[np.float32]  # (n, 3) AP view, male sex, age / 100; NaN where unknown
    masks: FindingMasks | None = None  # masks in the order of the films
    uncertain: NDArray[np.bool_] | None = None  # (n, findings) whether a report hedges the finding; None if unknown
    studies: NDArray[np.str_] | None = None  # (n,) names of the films' studies; None: each film is one of its own
    lateral: NDArray[np.bool_] | None = None  # (n,) whether a film is lateral; None: none is

    def first(self, count: int) -> TrainingFilms:
        """Return the first films without their masks."""
        arrays = ("pixels", "labels", "patients", "folders", "sharp", "traits", "uncertain", "studies", "lateral")
        parts: dict[str, Any] = {
            name: None if (each := getattr(self, name)) is None else each[:count] for name in arrays
        }
        return replace(self, image_ids=self.image_ids[:count], paths=self.paths[:count], masks=None, **parts)

    def prevalence(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the share (findings,) of the films in `rows` that have each finding, among those with a known label.

        If a finding is unknown on all films, its share is 0.
        """
        labels = self.labels[rows]
        known = (~np.isnan(labels)).sum(0)
        shares: NDArray[np.float32] = (np.nansum(labels, axis=0) / np.maximum(known, 1)).astype(np.float32)
        return shares

    def __len__(self) -> int:
        return len(self.image_ids)
