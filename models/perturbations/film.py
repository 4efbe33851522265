"""Changes a film by one level of a perturbation, always in the same way for the same film."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation
from models.perturbations.registry import PERTURBATIONS, STRENGTHS, matched_dials
from models.perturbations.resample import resized
from models.radiograph import Radiograph

Scale = Literal["matched", "medmnist-c"]
SCALES: tuple[Scale, ...] = get_args(Scale)
# Films are changed at this many pixels along the longer side, so that noise and blur mean the same for each.
SIDES: dict[Scale, int] = {"matched": 512, "medmnist-c": 224}
# Names of the scores of films that are only reduced to that size, with which the others are compared.
UNCHANGED: dict[Scale, str] = {"matched": "unchanged", "medmnist-c": "unchanged-c"}


@dataclass(frozen=True, slots=True)
class Level:
    """A kind at one strength, 1 to 5, of a scale; strength 0 for a kind that is only on or off."""

    kind: Perturbation
    strength: int
    dial: float
    scale: Scale = "matched"

    @property
    def name(self) -> str:
        """The name of its scores, such as rotation-3."""
        if not self.strength:
            return self.kind.name
        return f"{self.kind.name}-{self.strength}" if self.scale == "matched" else f"{self.kind.name}-c{self.strength}"


def levels(kinds: Sequence[str] = tuple(PERTURBATIONS), scale: Scale = "matched") -> tuple[Level, ...]:
    """Return every level of these kinds; with the scale "medmnist-c", only of those that it has."""
    found: list[Level] = []
    for kind in map(PERTURBATIONS.__getitem__, kinds):
        if scale == "matched" and not kind.has_dial:
            found.append(Level(kind, 0, 0.0))
            continue
        dials = matched_dials()[kind.name] if scale == "matched" else kind.severities
        found += [Level(kind, strength, dial, scale) for strength, dial in zip(STRENGTHS, dials, strict=False)]
    return tuple(found)


def working_film(radiograph: Radiograph, scale: Scale = "matched") -> Radiograph:
    """Return the film reduced to the size at which it is changed; a smaller film as it is."""
    height, width = radiograph.pixels.shape
    share = SIDES[scale] / max(height, width)
    if share >= 1:
        return radiograph
    reduced = resized(radiograph.pixels, max(1, round(height * share)), max(1, round(width * share)))
    return replace(radiograph, pixels=np.clip(reduced, 0, 1))


def perturbed(radiograph: Radiograph, level: Level, name: str) -> Radiograph:
    """Return a working film after a change. What is random depends only on `name`, such as the case, and the kind.

    So a film is rotated to the same side at every strength, on every machine.
    """
    seed = hashlib.blake2b(f"{level.kind.name}/{name}".encode(), digest_size=8).digest()
    random = np.random.default_rng(int.from_bytes(seed, "big"))
    changed = level.kind.change(radiograph.pixels, level.dial, random)
    pixels: Float32 = np.ascontiguousarray(np.clip(changed, 0, 1), np.float32)
    return replace(radiograph, pixels=pixels)
