"""A few films of noise with labels, small enough to train on in a test."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter

from models.training.films import TrainingFilms

SIZE = 64


def few_films(films: int, findings: int, seed: int = 0) -> TrainingFilms:
    """Films with a margin to turn them in; each finding brightens a band of its own."""
    random = np.random.default_rng(seed)
    labels = (random.random((films, findings)) < np.linspace(0.5, 0.15, findings)).astype(np.float32)
    labels[0], labels[1] = 1, 0  # both kinds of every finding
    wide = SIZE * 9 // 8
    noise = gaussian_filter(random.normal(size=(films, wide, wide)), (0, 3, 3))
    pixels = 120 + 300 * noise
    for finding in range(findings):
        rows = slice(wide * finding // findings, wide * (finding + 1) // findings)
        pixels[:, rows] += 60 * labels[:, finding, None, None]
    return TrainingFilms(
        image_ids=tuple(f"film-{number}" for number in range(films)),
        paths=(),
        pixels=pixels.clip(0, 255).astype(np.uint8),
        labels=labels,
        patients=np.array([f"patient-{number}" for number in range(films)]),
        folders=np.full(films, "noise"),
        sharp=np.zeros(films, dtype=bool),
        traits=random.random((films, 3)).astype(np.float32),
    )
