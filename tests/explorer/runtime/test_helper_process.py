"""Work in other processes: the same answers, none of their failures, and no process that is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.intervals.intervals_process import IntervalsHelper
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import board_of, slice_groups
from explorer.analysis.performance.cell_intervals import finding_intervals
from explorer.cohorts.simulated_films_apart import MODULE, FilmProcesses
from explorer.runtime.helper_process import LOWEST_PRIORITY, HelperEnded, HelperProcess
from explorer.simulator import WrongRequest
from explorer.simulator.film_png import FILM_SIZE
from explorer.simulator.packed_film import make_film_file
from explorer.store.results import Column
from explorer.store.slices import Slice
from models.cards.card import PROJECT
from models.child_process import start_child, write_message
from tests.support.several_models import write_several
from tests.support.small_cohort import NAME, store_of

pytestmark = pytest.mark.slow

ADDRESS = "phantom://v1/B/41?Pleural+Effusion=left,0.62"
made_here = cache(make_film_file)
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def pid_of(process: HelperProcess) -> int:
    assert process._popen is not None
    return process._popen.pid


def last_used(films: FilmProcesses) -> HelperProcess:
    """The process that made the last film of full size."""
    return films._films.queue[-1]


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def films_apart() -> Iterator[FilmProcesses]:
    """With processes that no test ends: it takes seconds until one can make a film."""
    films = FilmProcesses()
    yield films
    for process in (*films._films.queue, films._thumbnails):
        process.end()


def test_films_made_apart_are_the_same_to_the_last_bit(films_apart: FilmProcesses) -> None:
    for size in (FILM_SIZE, 160):
        film, here = films_apart.of(ADDRESS, size), made_here(ADDRESS, size)
        assert film.png == here.png
        assert all(np.array_equal(film.masks[name], mask) for name, mask in here.masks.items())
        assert list(film.masks) == list(here.masks) == ["Pleural Effusion"]


@pytest.mark.parametrize("text", ["", "phantom://v1/C/5", "phantom://v1/A/3\n160 phantom://v1/A/4", "512"])
def test_what_is_no_address_is_refused_as_it_is_here(films_apart: FilmProcesses, text: str) -> None:
    with pytest.raises(WrongRequest) as apart:
        films_apart.of(text)
    with pytest.raises(WrongRequest) as here:
        make_film_file(text)
    assert str(apart.value) == str(here.value)
    assert films_apart.of("phantom://v1/A/3", 64).png == make_film_file("phantom://v1/A/3", 64).png, (
        "the next one is its own"
    )


def test_a_process_that_ended_is_started_again_and_the_film_is_made_all_the_same() -> None:
    films = FilmProcesses()
    films.of(ADDRESS)
    os.kill(pid_of(last_used(films)), signal.SIGKILL)
    assert films.of(ADDRESS).png == films.of(ADDRESS).png == made_here(ADDRESS, FILM_SIZE).png
    assert pid_of(last_used(films))


def test_where_no_process_can_be_had_films_are_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    assert FilmProcesses().of(ADDRESS).png == made_here(ADDRESS, FILM_SIZE).png


def test_a_process_that_says_nothing_has_ended(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(HelperEnded):
        HelperProcess("explorer.no_such_module").ask(b"?")
    assert "no_such_module" in capfd.readouterr().err


@linux
def test_thumbnails_are_made_at_a_lower_priority_than_films(films_apart: FilmProcesses) -> None:
    films = films_apart
    films.of(ADDRESS)
    films.of(ADDRESS, 160)
    here = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, pid_of(last_used(films))) == here
    assert os.getpriority(os.PRIO_PROCESS, pid_of(films._thumbnails)) == max(LOWEST_PRIORITY, here)


@linux
def test_its_priority_counts_beside_the_process_that_asks_and_ctrl_c_does_not_reach_it(
    films_apart: FilmProcesses,
) -> None:
    """Linux shares the cores out among sessions first: in another one the lowest priority took two thirds of a core."""
    films = films_apart
    films.of(ADDRESS, 160)
    helper = pid_of(films._thumbnails)
    assert os.getsid(helper) == os.getsid(0)
    assert os.getpgid(helper) != os.getpgid(0)


def test_two_films_are_made_at_once_each_in_a_process_of_its_own(films_apart: FilmProcesses) -> None:
    films = films_apart
    addresses = [f"phantom://v1/A/{seed}" for seed in range(6)]
    with ThreadPoolExecutor(4) as pool:
        made_apart = list(pool.map(films.of, addresses))
    assert [each.png for each in made_apart] == [make_film_file(each).png for each in addresses]
    assert len({pid_of(process) for process in films._films.queue}) == 2


ASKS = f"""
from explorer.runtime.helper_process import HelperProcess
import sys, time
process = HelperProcess("{MODULE}")
process.ask(b"64 phantom://v1/A/3")
print(process._popen.pid, flush=True)
time.sleep(float(sys.argv[1]))
"""


@linux
@pytest.mark.parametrize("killed", [True, False], ids=["killed", "at its end"])
def test_no_process_outlives_the_one_that_asks(killed: bool) -> None:
    asks = subprocess.Popen([sys.executable, "-c", ASKS, "60" if killed else "0"], cwd=PROJECT, stdout=subprocess.PIPE)
    assert asks.stdout is not None
    helper = int(asks.stdout.readline())
    if killed:
        assert is_running(helper)
        asks.kill()
    asks.wait(timeout=60)
    asks.stdout.close()
    until(lambda: not is_running(helper))


def test_an_answer_that_nobody_reads_any_more_ends_it_in_silence() -> None:
    process = start_child(MODULE, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdout.close()
    write_message(process.stdin, b"96 no address")
    assert process.wait(60) == -signal.SIGPIPE
    assert process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()


def test_intervals_computed_apart_are_the_same() -> None:
    chance = np.random.default_rng(0)
    films = 120
    column = Column(
        np.arange(films, dtype=np.int32),
        chance.choice([0.0, 1.0, np.nan], films),
        chance.random(films, dtype=np.float32),
        np.full(films, 0.5),
        chance.choice(np.array(["A", "B"], dtype=object), films),
        np.array([f"p{number // 2}" if number % 5 else None for number in range(films)], dtype=object),
        np.ones(films),
    )
    apart = IntervalsHelper()
    both = ("A", "B")
    work = partial(finding_intervals, column, both, both, 50, 7)
    assert apart(work) == work()
    os.kill(pid_of(apart._process._process), signal.SIGKILL)
    assert apart(work) == work()


def test_a_leaderboard_computed_apart_is_the_same(tmp_path: Path) -> None:
    store, models = store_of(write_several(tmp_path, 5, 30).folder), ("one", "two")
    chosen = Slice(NAME, "one")
    joint, groups = joint_scores(store, chosen, models), slice_groups(store, chosen, models)
    work = partial(board_of, joint, groups, 20, 1, False)
    shares: list[float] = []
    here, apart = work(), IntervalsHelper()(work, shares.append)
    assert shares == sorted(shares) and len(set(shares)) > 2 and shares[-1] == pytest.approx(1)
    assert (apart.parts, apart.winners, apart.models) == (here.parts, here.winners, here.models)
    for key, means in here.means.items():
        assert np.array_equal(apart.means[key].samples, means.samples, equal_nan=True)
