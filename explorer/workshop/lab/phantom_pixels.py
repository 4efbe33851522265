"""Renders the films of a split once, as arrays in a run's folder.

An interrupted run resumes where it stopped; films of another simulator version or another cohort are rendered again.
"""

from __future__ import annotations

import hashlib
import logging
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path

import numpy as np
import torch

from explorer.runtime.interrupt import interrupts_blocked
from explorer.simulator.cohort_sampling import SampledCase
from explorer.simulator.film_png import FILM_SIZE
from explorer.simulator.render import render
from explorer.simulator.request import ABNORMAL, CENTERS
from explorer.workshop.lab.phantom_shard import RenderedPixels, RenderingError, Shard
from models.training.recipe import TrainingRecipe

log = logging.getLogger(__name__)
FILMS_PER_SHARD = 50  # films per shard
_SMALL = 96  # px of the films that identify the simulator version


def render_pixels(
    run: Path, name: str, cases: Sequence[SampledCase], size: int, processes: int = 1, film_size: int = FILM_SIZE
) -> RenderedPixels:
    """Return the films of `cases` for this model input size; missing ones are rendered into `run/films/NAME-*.npz`.

    Films of another size than the baseline's have it in their files' names.

    They are rendered with `film_size` pixels per side. Raises Unrenderable for films that could not be made, after
    rendering the others.
    """
    folder, simulator = run / "films", simulator_fingerprint()
    folder.mkdir(parents=True, exist_ok=True)
    shards = []
    for start in range(0, len(cases), FILMS_PER_SHARD):
        addresses = tuple(case.address for case in cases[start : start + FILMS_PER_SHARD])
        sized = name if size == TrainingRecipe().size else f"{name}-{size}px"
        shards.append(Shard(folder / f"{sized}-{start:05d}.npz", addresses, size, film_size, simulator))
    _render([shard for shard in shards if not shard.is_current()], name, processes)
    return _joined([shard.read() for shard in shards])


@cache
def simulator_fingerprint() -> str:
    """Return a hash that changes when films look different, from small 8-bit films of every finding at both centers."""
    digest = hashlib.sha256()
    for seed, finding in enumerate(("Normal", *ABNORMAL)):
        for center in CENTERS:
            film = render(seed, [finding], center, _SMALL)[0]
            digest.update(np.rint(film * 255).astype(np.uint8).tobytes())
    return digest.hexdigest()[:16]


def _render(missing: Sequence[Shard], name: str, processes: int) -> None:
    """Render each shard in one of `processes` processes, or in this one if that is 1. Raises failures at the end."""
    failures = []
    start = time.monotonic()
    for done, failure in enumerate(_rendered(missing, processes), 1):
        each = (time.monotonic() - start) / done / 60
        log.info(
            "%s: %d of %d parts, %.0f min left %s", name, done, len(missing), each * (len(missing) - done), failure
        )
        failures += [failure] if failure else []
    if failures:
        raise RenderingError("\n".join(failures))


def _rendered(missing: Sequence[Shard], processes: int) -> Iterator[str]:
    """Yield each shard's failure, or an empty text, in order of completion."""
    if processes == 1:
        yield from map(_failure, missing)
    elif missing:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(processes, context, torch.set_num_threads, (1,)) as pool:
            with interrupts_blocked():
                futures = [pool.submit(_failure, shard) for shard in missing]
            try:
                for future in as_completed(futures):
                    yield future.result()
            except BaseException:  # including Ctrl-C: remaining films are not needed
                for process in multiprocessing.active_children():
                    process.kill()
                raise


def _failure(shard: Shard) -> str:
    try:
        shard.render()
    except RenderingError as error:
        return str(error)
    return ""


def _joined(parts: Sequence[RenderedPixels]) -> RenderedPixels:
    boxes, masked, start = [], [], 0
    for part in parts:
        boxes.append(part.boxes + np.array([start, 0, 0, 0, 0, 0], dtype=np.float32))
        masked.append(part.masked + np.array([start, 0]))
        start += len(part.exact)
    exact, wide, masks = (np.concatenate([getattr(part, key) for part in parts]) for key in ("exact", "wide", "masks"))
    return RenderedPixels(exact, wide, np.concatenate(boxes), np.concatenate(masked), masks)
