"""Work in another process: its result, its progress, what it raises, and when the process ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

import pytest

from explorer.core.progress import no_progress
from explorer.runtime.helper_process import HelperEnded
from explorer.runtime.work_process import WorkProcess, run_here
from models.refusal import Refusal


def where(value: int, on_progress: Callable[[float], object] = no_progress) -> tuple[int, int]:
    on_progress(0.25)
    on_progress(1)
    return value, os.getpid()


def refuse(title: str) -> None:
    raise Refusal(title, "Do otherwise.")


def kill_oneself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def apart() -> Iterator[WorkProcess]:
    with closing(WorkProcess(0)) as process:
        yield process


def test_work_runs_in_one_other_process_and_tells_how_far_it_is(apart: WorkProcess) -> None:
    shares: list[float] = []
    (seven, first), (eight, second) = apart(partial(where, 7), shares.append), apart(partial(where, 8))
    assert (seven, eight) == (7, 8) and first == second != os.getpid()
    assert shares == [0.25, 1] and run_here(partial(where, 7))[1] == os.getpid()


def test_what_it_raises_is_raised_here_with_its_traceback(apart: WorkProcess) -> None:
    with pytest.raises(Refusal, match="No such thing") as caught:
        apart(partial(refuse, "No such thing"))
    assert caught.value.detail == "Do otherwise." and "in refuse" in "".join(caught.value.__notes__)
    assert apart(partial(where, 1))[0] == 1


def test_a_process_that_ends_early_is_an_exception_and_the_next_work_starts_another(apart: WorkProcess) -> None:
    with pytest.raises(HelperEnded):
        apart(kill_oneself)
    assert apart(partial(where, 1))[0] == 1


def test_a_process_for_each_piece_of_work_ends_after_it() -> None:
    with closing(WorkProcess(0, once=True)) as apart:
        _, first = apart(partial(where, 1))
        assert not os.path.exists(f"/proc/{first}") and apart(partial(where, 1))[1] != first
