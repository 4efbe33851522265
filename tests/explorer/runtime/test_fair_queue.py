"""The line in front of the model."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from explorer.runtime.fair_queue import FairQueue, QueueFull


def stand(line: FairQueue, name: str, served: list[str], release: threading.Event, low_priority: bool = False) -> None:
    with line.turn(name, low_priority=low_priority):
        served.append(name)
        release.wait(10)


def until(line: FairQueue, name: str, place: int) -> None:
    deadline = time.monotonic() + 10
    while line.ahead(name) != place:
        assert time.monotonic() < deadline, f"{name} never stood at {place}"
        time.sleep(0.001)


def test_served_in_the_order_of_arrival_and_told_their_place() -> None:
    line, served, release = FairQueue(), [], threading.Event()
    names = [f"film {i}" for i in range(5)]
    with ThreadPoolExecutor(5) as pool:
        for place, name in enumerate(names):
            pool.submit(stand, line, name, served, release)
            until(line, name, place)
        assert served == names[:1]
        release.set()
    assert served == names
    assert [line.ahead(name) for name in names] == [None] * 5


def test_a_full_line_says_so_and_goes_on() -> None:
    line, served, release = FairQueue(longest=2), [], threading.Event()
    with ThreadPoolExecutor(2) as pool:
        for place, name in enumerate(("first", "second")):
            pool.submit(stand, line, name, served, release)
            until(line, name, place)
        with pytest.raises(QueueFull, match="2 are waiting"), line.turn("third"):
            pass
        release.set()
    with line.turn("third"):
        assert line.ahead("third") == 0


def test_a_failure_lets_the_next_one_through() -> None:
    line = FairQueue()
    with pytest.raises(ZeroDivisionError), line.turn("fails"):
        raise ZeroDivisionError
    with line.turn("next"):
        pass


def test_who_gives_way_waits_until_nobody_else_does() -> None:
    line, served, release = FairQueue(), [], threading.Event()
    with ThreadPoolExecutor(4) as pool:
        for name, place in (("film 0", 0), ("thumbnail", 1), ("film 1", 1), ("film 2", 2)):
            pool.submit(stand, line, name, served, release, name == "thumbnail")
            until(line, name, place)
        assert line.ahead("thumbnail") == 3
        release.set()
    assert served == ["film 0", "film 1", "film 2", "thumbnail"]


def test_so_many_are_served_at_once() -> None:
    line, served, release = FairQueue(abreast=2), [], threading.Event()
    with ThreadPoolExecutor(3) as pool:
        for place, name in enumerate(("first", "second", "third")):
            pool.submit(stand, line, name, served, release)
            until(line, name, place)
        assert sorted(served) == ["first", "second"]
        release.set()
    assert served[2:] == ["third"]


def test_those_who_give_way_do_not_make_the_line_full() -> None:
    line, served, release = FairQueue(longest=2), [], threading.Event()
    with ThreadPoolExecutor(4) as pool:
        pool.submit(stand, line, "film", served, release)
        until(line, "film", 0)
        for name in ("one", "two"):
            pool.submit(stand, line, name, served, release, True)
        until(line, "two", 2)
        pool.submit(stand, line, "another", served, release)
        until(line, "another", 1)
        release.set()
    assert served[:2] == ["film", "another"]


def test_who_gives_way_keeps_no_place_from_those_who_come_then() -> None:
    line, served, release = FairQueue(abreast=2), [], threading.Event()
    with ThreadPoolExecutor(5) as pool:
        for place, name in enumerate(("thumbnail", "another thumbnail")):
            pool.submit(stand, line, name, served, release, True)
            until(line, name, place)
        for place, name in enumerate(("film 0", "film 1", "film 2")):
            pool.submit(stand, line, name, served, release)
            until(line, name, place)
        assert served[2:] == ["film 0", "film 1"]
        release.set()
    assert served[4:] == ["film 2"]
