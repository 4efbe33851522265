"""How long a work still takes, by a clock that the test sets."""

from __future__ import annotations

import pytest

from explorer.runtime.time_left import RemainingTime


def test_a_work_takes_as_long_again_as_it_took_so_far() -> None:
    now = [100.0]
    meter = RemainingTime(lambda: now[0])
    assert meter.left("a") is None
    hear = meter.of("a")
    now[0] += 2
    hear(0.01)
    assert meter.left("a") is None  # too early to say
    now[0] += 8
    hear(0.25)
    assert meter.left("a") == pytest.approx(30)
    now[0] += 30
    hear(1.0)
    assert meter.left("a") == 0
    assert meter.left("b") is None
    meter.of("b")
    assert meter.left("a") is None  # another is computed now


def test_of_long_work_a_small_share_is_enough() -> None:
    now = [0.0]
    meter = RemainingTime(lambda: now[0])
    hear = meter.of("a")
    now[0] = 30.0
    hear(0.005)
    assert meter.left("a") is None  # most of the time so far may have been preparation
    hear(0.01)
    assert meter.left("a") == pytest.approx(2970)
