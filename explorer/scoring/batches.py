"""Runs films through a model in batches; while one batch is scored, others are decoded."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np

from explorer.cohorts.film_source import FilmSource
from models.array_types import Float32
from models.radiograph import UnreadableRadiograph

Input = TypeVar("Input")

BATCHES_PER_THREAD = 2  # in progress: keeps every thread busy while memory stays bounded


@dataclass(frozen=True, slots=True)
class FilmToScore:
    """A case to score; `source` is None if its film is missing."""

    case: str
    source: FilmSource | None


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBatch:
    """The result of some films: scores (n, findings) and features (n, d) of `cases`, reasons for the others."""

    cases: list[str]
    scores: Float32
    features: Float32
    failures: dict[str, str]  # case -> reason


def concatenated(batches: Sequence[ScoredBatch]) -> ScoredBatch:
    """Concatenate batches, at least one."""
    return ScoredBatch(
        [case for batch in batches for case in batch.cases],
        np.concatenate([batch.scores for batch in batches]),
        np.concatenate([batch.features for batch in batches]),
        {case: reason for batch in batches for case, reason in batch.failures.items()},
    )


def overlapped(
    batches: Iterable[Sequence[FilmToScore]],
    read: Callable[[FilmSource], Input],
    score: Callable[[Sequence[Input]], tuple[Float32, Float32]],
    threads: int,
) -> Iterator[ScoredBatch]:
    """Yield the result of each batch, in order; each of `threads` threads decodes a batch, then scores it.

    The threads drift apart, so decoding and inference overlap. Exceptions of `score`, and of `read` other than
    UnreadableRadiograph, stop the work and are raised here.
    """
    rest = iter(batches)
    with ThreadPoolExecutor(threads, thread_name_prefix="score") as pool:
        pending: deque[Future[ScoredBatch]] = deque(
            pool.submit(_scored, batch, read, score) for batch in islice(rest, threads * BATCHES_PER_THREAD)
        )
        try:
            while pending:
                done = pending.popleft().result()
                pending.extend(pool.submit(_scored, batch, read, score) for batch in islice(rest, 1))
                yield done
        finally:
            for waiting in pending:
                waiting.cancel()


def _scored(
    films: Sequence[FilmToScore],
    read: Callable[[FilmSource], Input],
    score: Callable[[Sequence[Input]], tuple[Float32, Float32]],
) -> ScoredBatch:
    inputs: dict[str, Input] = {}
    failures: dict[str, str] = {}
    for film in films:
        try:
            if film.source is None:
                failures[film.case] = "The film is missing."
            else:
                inputs[film.case] = read(film.source)
        except UnreadableRadiograph as reason:
            failures[film.case] = str(reason)
    scores, features = score(list(inputs.values()))
    names = list(inputs)
    bad = np.flatnonzero(~(np.isfinite(scores).all(axis=1) & np.isfinite(features).all(axis=1)))
    failures |= {names[row]: "The model gave no finite score." for row in bad.tolist()}
    kept = [case for case in names if case not in failures]
    return ScoredBatch(kept, np.delete(scores, bad, axis=0), np.delete(features, bad, axis=0), failures)
