"""The line in front of the model."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from explorer.line import Line, LineFull


def stand(line: Line, name: str, served: list[str], release: threading.Event) -> None:
    with line.turn(name):
        served.append(name)
        release.wait(10)


def until(line: Line, name: str, place: int) -> None:
    deadline = time.monotonic() + 10
    while line.ahead(name) != place:
        assert time.monotonic() < deadline, f"{name} never stood at {place}"
        time.sleep(0.001)


def test_served_in_the_order_of_arrival_and_told_their_place() -> None:
    line, served, release = Line(), [], threading.Event()
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
    line, served, release = Line(longest=2), [], threading.Event()
    with ThreadPoolExecutor(2) as pool:
        for place, name in enumerate(("first", "second")):
            pool.submit(stand, line, name, served, release)
            until(line, name, place)
        with pytest.raises(LineFull, match="2 stand in line"), line.turn("third"):
            pass
        release.set()
    with line.turn("third"):
        assert line.ahead("third") == 0


def test_a_failure_lets_the_next_one_through() -> None:
    line = Line()
    with pytest.raises(ZeroDivisionError), line.turn("fails"):
        raise ZeroDivisionError
    with line.turn("next"):
        pass
