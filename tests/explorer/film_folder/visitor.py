"""A visitor with a folder, read by a model without weights that says something else of every film."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.unlisted import Unlisted
from explorer.film_folder.limits import LIMITS, Limits
from explorer.film_folder.visitor_folder import VisitorFolder
from explorer.reading.model_loader import BackgroundModel
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import Reader, Reading
from models.radiograph import Radiograph
from tests.explorer.reading.test_reader import FiveFindings

PATIENCE = 60.0  # seconds
SIDE = 160


class OwnScores(FiveFindings):
    """Scores that are drawn from the film's bytes."""

    def read(self, radiograph: Radiograph) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        drawn = scores_of(radiograph.sha256)
        return drawn, drawn[:4]


def scores_of(sha256: str) -> NDArray[np.float32]:
    return np.random.default_rng(int(sha256[:12], 16)).random(5).astype(np.float32)


def film(seed: int) -> bytes:
    """A smooth PNG that simple checks of the gate let pass, another for each seed."""
    from tests.explorer.ingest.brought import png

    grid = np.linspace(0, 1, SIDE)
    waves = np.random.default_rng(seed).random(3)
    pixels = 0.5 + 0.4 * np.sin(6 * grid[:, None] * waves[0] + waves[1]) * np.cos(7 * grid[None] * waves[2])
    return png((255 * pixels).astype(np.uint8))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def readers(model: FiveFindings | None = None) -> ByProvenance[Reader]:
    background = BackgroundModel("five", lambda: model or OwnScores())
    background.start()
    return ByProvenance.one(Reader(background))


def folder_of(
    place: Path,
    files: Mapping[str, bytes],
    limits: Limits = LIMITS,
    model: FiveFindings | None = None,
    unlisted: Unlisted | None = None,
    is_far: Callable[[Reading], bool] = lambda reading: False,
) -> VisitorFolder:
    """All files added, and read."""
    place.mkdir(exist_ok=True)
    folder = VisitorFolder(place, readers(model), len(files), limits, unlisted=unlisted, is_far=is_far)
    for name, data in files.items():
        folder.incoming.add(data, name)
    folder.incoming.complete()
    assert folder.wait(PATIENCE)
    return folder


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()
