"""Adds simulated films of rare findings to the training films."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from explorer.core.figures import percent_text
from explorer.simulator.cohort_sampling import SEEN_FINDINGS, SampledCase, Split, sample_cases
from explorer.workshop.lab.films import LabFilms
from explorer.workshop.lab.phantom_dataset import exact_labels, finding_masks, training_films
from explorer.workshop.lab.phantom_pixels import render_pixels
from explorer.workshop.lab.phantom_shard import RenderedPixels
from explorer.workshop.lab.phantom_splits import TRAINING_SIZE
from models.array_types import Float32
from models.training.films import FindingMasks, TrainingFilms

TAIL_SHARE = 0.01  # findings on fewer of the training films are rare, as in CXR-LT 2026 (section 3.6)
TAIL_FOLDER = "simulated tail"  # its own intercepts learn that rare findings are common in it
FIRST_SEED = 400_000  # beyond the seeds of the cohort phantom


def add_simulated_tail(run: Path, films: LabFilms, share: float, processes: int = 1) -> LabFilms:
    """Return the films with `share` times as many training films more, each with a rare finding where possible.

    CXR-LT 2023 T6 (section 3.2.6) adds films of tail classes that a text-to-image model draws; the labels of these are
    exact. Findings that the simulator does not draw are unknown on them. Missing films are rendered into `run`. Raises
    ValueError if no finding is rare, or the simulator draws none of the rare ones.
    """
    prevalence = films.training.prevalence(np.arange(len(films.training)))
    rare = [name for name, part in zip(films.findings, prevalence, strict=True) if part < TAIL_SHARE]
    drawn = tuple(name for name in rare if name in SEEN_FINDINGS[1:])
    if not drawn:
        raise ValueError(
            f"The simulator draws no finding that is on less than {percent_text(TAIL_SHARE)} of the training films."
        )
    count = round(share * len(films.training))
    cases = sample_cases(tail_split(drawn, count))
    pixels = render_pixels(run, f"tail-{count}", cases, films.size, processes, TRAINING_SIZE)
    made = _tail_films(cases, pixels, films.findings)
    return replace(
        films,
        training=joined_films(films.training, made),
        training_centers=np.concatenate([films.training_centers, [case.film.center for case in cases]]),
    )


def tail_split(rare: tuple[str, ...], count: int) -> Split:
    """Return `count` films of both centers on which the `rare` findings are about equally frequent."""
    half = count // 2
    return Split("tail", (("A", count - half), ("B", half)), max(half // len(rare), 1), rare, FIRST_SEED)


def joined_films(first: TrainingFilms, second: TrainingFilms) -> TrainingFilms:
    """Return both in this order; masks and uncertainty are kept if the first have them, and paths are dropped."""
    masks, uncertain = first.masks, first.uncertain
    if masks is not None and second.masks is not None:
        masks = FindingMasks(
            np.concatenate([masks.film, second.masks.film + len(first)]),
            np.concatenate([masks.finding, second.masks.finding]),
            np.concatenate([masks.shares, second.masks.shares]),
            masks.located,
        )
    if uncertain is not None:
        certain = np.zeros(second.labels.shape, dtype=bool) if second.uncertain is None else second.uncertain
        uncertain = np.concatenate([uncertain, certain])
    studies, lateral = first.studies, first.lateral
    if studies is not None:  # films that are added are studies of their own, and frontal
        studies = np.concatenate([studies, np.array(second.image_ids)])
    if lateral is not None:
        lateral = np.concatenate([lateral, np.zeros(len(second), dtype=bool)])
    arrays = ("pixels", "labels", "patients", "folders", "sharp", "traits")
    return TrainingFilms(
        image_ids=first.image_ids + second.image_ids,
        paths=(),
        **{name: np.concatenate([getattr(first, name), getattr(second, name)]) for name in arrays},
        masks=masks,
        uncertain=uncertain,
        studies=studies,
        lateral=lateral,
    )


def _tail_films(cases: Sequence[SampledCase], pixels: RenderedPixels, findings: Sequence[str]) -> TrainingFilms:
    labels = _labels(cases, findings)
    made = training_films(cases, pixels.wide, labels, finding_masks(pixels, labels, findings))
    names = tuple(f"tail-{name}" for name in made.image_ids)
    return replace(made, image_ids=names, patients=np.array(names), folders=np.full(len(names), TAIL_FOLDER))


def _labels(cases: Sequence[SampledCase], findings: Sequence[str]) -> Float32:
    exact = exact_labels(cases, findings)
    unknown = np.array([name not in SEEN_FINDINGS for name in findings])
    return np.where(unknown, np.float32(np.nan), exact)
