"""A small cohort of one source with two uncertain labels, on which the order of its two models hangs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from explorer.cohorts.layout import Folder
from tests.support.small_cohort import Film, write_small

NAME = "unsure"
MODELS = ("first", "second")
LABELS = ("absent", "present", "absent", "present", "uncertain", "uncertain")
SCORES = (0.3, 0.6, 0.5, 0.7, 0.1, 0.2)


def unsure(place: Path, threshold: float | None = None) -> Folder:
    """Write the cohort below `place`: the first model scores the two uncertain films lowest, the second highest."""
    thresholds = {} if threshold is None else {"Mass": threshold}
    write_small(place, [*_films(turned=True)], thresholds, name=NAME, model=MODELS[1])
    return write_small(place, [*_films()], thresholds, name=NAME, model=MODELS[0])


def _films(turned: bool = False) -> Iterator[Film]:
    for n, (label, score) in enumerate(zip(LABELS, SCORES, strict=True)):
        yield Film(str(n), {"Mass": label}, {"Mass": 1 - score if turned and n > 3 else score})
