"""Films through a model, batch after batch: while one batch is scored, others are decoded."""

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

AHEAD = 2  # batches per hand that are under way: enough that no hand waits, and memory stays bounded


@dataclass(frozen=True, slots=True)
class FilmToScore:
    """A case that is to be scored; `source` is None where its film is not there."""

    case: str
    source: FilmSource | None


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBatch:
    """What became of some films: scores (n, findings) and features (n, d) of `cases`, reasons of the others."""

    cases: list[str]
    scores: Float32
    features: Float32
    failures: dict[str, str]  # case -> reason


def joined(batches: Sequence[ScoredBatch]) -> ScoredBatch:
    """Several as one; there is at least one."""
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
    hands: int,
) -> Iterator[ScoredBatch]:
    """What becomes of each batch, in their order; each of `hands` threads decodes a batch, then scores it.

    The threads come to be at different points of their batches, so that decoding and inference overlap. An exception of
    `score`, or of `read` other than UnreadableRadiograph, ends the work and is raised here.
    """
    rest = iter(batches)
    with ThreadPoolExecutor(hands, thread_name_prefix="score") as pool:
        under_way: deque[Future[ScoredBatch]] = deque(
            pool.submit(_scored, batch, read, score) for batch in islice(rest, hands * AHEAD)
        )
        try:
            while under_way:
                done = under_way.popleft().result()
                under_way.extend(pool.submit(_scored, batch, read, score) for batch in islice(rest, 1))
                yield done
        finally:
            for waiting in under_way:
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
