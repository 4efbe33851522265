"""The bucket of tokens, with a clock of its own."""

from __future__ import annotations

from explorer.school.classroom.rate_limits import RateLimit


def test_so_much_at_once_then_so_much_a_second() -> None:
    now = [0.0]
    limit = RateLimit(3, 0.5, clock=lambda: now[0])
    assert [limit.take("a") for _ in range(4)] == [0, 0, 0, 2]
    assert limit.take("b") == 0
    now[0] = 1.5
    assert limit.wait("a") == 0.5
    now[0] = 2.0
    assert (limit.take("a"), limit.take("a")) == (0, 2)
    now[0] = 1000.0
    assert [limit.take("a") for _ in range(4)] == [0, 0, 0, 2]


def test_those_that_asked_last_are_known() -> None:
    limit = RateLimit(1, 0.001, most=2, clock=lambda: 0.0)
    assert [limit.take(key) for key in "abc"] == [0, 0, 0]
    assert limit.wait("a") == 0 and limit.wait("b") > 0 and limit.wait("c") > 0
