"""Batches through decoding and a model that counts: order, reasons, exceptions, and that the two overlap."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Barrier, Lock

import numpy as np
import pytest

from explorer.scoring.batches import BATCHES_PER_THREAD, FilmToScore, concatenated, overlapped
from models.array_types import Float32
from models.radiograph import UnreadableRadiograph
from tests.support.wording import Wording


def batches(n: int, size: int = 2) -> list[list[FilmToScore]]:
    films = [FilmToScore(str(number), Path(str(number))) for number in range(n)]
    return [films[start : start + size] for start in range(0, n, size)]


def number(path: Path) -> float:
    return float(path.name)


def score(inputs: Sequence[float]) -> tuple[Float32, Float32]:
    values = np.array(inputs, dtype=np.float32).reshape(-1, 1)
    return values / 100, np.hstack([values, values])


@pytest.mark.parametrize("hands", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 7, 40])
def test_every_film_comes_out_once_in_order_with_its_own_scores(n: int, hands: int) -> None:
    done = list(overlapped(batches(n), number, score, hands))
    assert [case for batch in done for case in batch.cases] == [str(i) for i in range(n)]
    assert [row for batch in done for row in batch.scores[:, 0]] == pytest.approx([i / 100 for i in range(n)])
    assert [row for batch in done for row in batch.features[:, 1]] == pytest.approx(range(n))


def test_films_that_fail_have_a_reason_and_the_others_their_own_scores(wording: Wording) -> None:
    def read(path: Path) -> float:
        if path.name == "3":
            raise UnreadableRadiograph("No film", "Bring one.")
        return float("nan") if path.name == "4" else number(path)

    films = [FilmToScore(str(i), None if i == 1 else Path(str(i))) for i in range(6)]
    (done,) = overlapped([films], read, score, 2)
    assert done.cases == ["0", "2", "5"]
    assert done.scores[:, 0] == pytest.approx([0, 0.02, 0.05])
    assert set(done.failures) == {"1", "3", "4"} and done.failures["3"] == "No film. Bring one."
    wording(done.failures["1"], "missing")
    wording(done.failures["4"], "finite")


def test_a_batch_without_any_film_keeps_the_shape_of_the_others() -> None:
    done = concatenated(list(overlapped([[FilmToScore("a", None)], [FilmToScore("1", Path("1"))]], number, score, 1)))
    assert (done.scores.shape, done.features.shape) == ((1, 1), (1, 2))


def test_an_exception_of_the_model_ends_the_work() -> None:
    def broken(inputs: Sequence[float]) -> tuple[Float32, Float32]:
        raise RuntimeError("no memory")

    with pytest.raises(RuntimeError, match="no memory"):
        list(overlapped(batches(100), number, broken, 2))


def test_only_a_few_batches_are_under_way() -> None:
    taken = 0

    def source() -> Iterator[list[FilmToScore]]:
        nonlocal taken
        for batch in batches(200):
            taken += 1
            yield batch

    done = overlapped(source(), number, score, 2)
    next(done)
    assert taken <= 2 * BATCHES_PER_THREAD + 1
    done.close()  # type: ignore[attr-defined]
    assert taken < 100


def test_one_batch_is_decoded_while_another_is_scored() -> None:
    """Each waits for the other: where they took turns, neither would come on."""
    meeting, lock, first = Barrier(2, timeout=20), Lock(), [True]

    def meet_once() -> bool:
        with lock:
            met, first[0] = first[0], False
        return met

    def read(path: Path) -> float:
        if path.name == "2":
            meeting.wait()
        return number(path)

    def scored(inputs: Sequence[float]) -> tuple[Float32, Float32]:
        if meet_once():
            meeting.wait()
        time.sleep(0)
        return score(inputs)

    assert sum(len(batch.cases) for batch in overlapped(batches(8), read, scored, 2)) == 8
