"""The films of the cohort `phantom` by split, rendered for a network input size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.simulator.cohort_sampling import (
    TEST_SPLIT,
    TRAINING_SPLIT,
    VALIDATION_SPLIT,
    SampledCase,
    Split,
    sample_cases,
)
from explorer.simulator.film_png import FILM_SIZE
from explorer.workshop.lab.phantom_pixels import render_pixels
from explorer.workshop.lab.phantom_shard import RenderedPixels

# Pixels per side. At the model's input size, a film rendered this small differs from a full-size one by less than 1 %
# of its contrast and takes less than half the time. Validation and test films are rendered at full size, as in the app.
TRAINING_SIZE = 320  # at least; twice the input size of a larger network


@dataclass(frozen=True, slots=True, eq=False)
class SplitFilms:
    """The cases and pixels of a split."""

    cases: Sequence[SampledCase]
    pixels: RenderedPixels


@dataclass(frozen=True, slots=True, eq=False)
class Splits:
    """All films of a run by split."""

    training: SplitFilms
    validation: SplitFilms
    test: SplitFilms

    def counts(self) -> dict[str, int]:
        """Return the number of films by split."""
        return {name: len(getattr(self, name).cases) for name in ("training", "validation", "test")}


def rendered_splits(run: Path, size: int, processes: int, few: int | None = None) -> Splits:
    """Return all films, or `few` training films and half as many others; missing ones are rendered into `run`."""

    def split(part: Split, most: int | None, rendered: int) -> SplitFilms:
        chosen = sample_cases(part) if most is None else _some(sample_cases(part), most)
        return SplitFilms(chosen, render_pixels(run, part.name, chosen, size, processes, rendered))

    half = few and few // 2
    return Splits(
        split(TRAINING_SPLIT, few, min(FILM_SIZE, max(TRAINING_SIZE, 2 * size))),
        split(VALIDATION_SPLIT, half, FILM_SIZE),
        split(TEST_SPLIT, half, FILM_SIZE),
    )


def _some(every: tuple[SampledCase, ...], most: int) -> tuple[SampledCase, ...]:
    """Sample evenly, so that both centers are included."""
    return every[:: max(1, len(every) // most)][:most]
