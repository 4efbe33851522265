"""Films stay for a bounded time, in a bounded number, for one visitor each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from explorer.shelf import Shelf


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Room:
    """A shelf of strings with a clock that only the test moves."""

    clock: Clock = field(default_factory=Clock)

    def shelf(self, capacity: int = 3, max_bytes: int = 100) -> Shelf[str]:
        return Shelf(capacity=capacity, max_bytes=max_bytes, lifetime=60, clock=self.clock)


@pytest.fixture
def room() -> Room:
    return Room()


def test_an_item_is_had_by_its_token_only(room: Room) -> None:
    shelf = room.shelf()
    token = shelf.put("film", visitor="a", nbytes=1)
    assert shelf.get(token) == "film"
    assert shelf.get("a") is None
    assert len(token) >= 32


def test_a_visitor_has_a_few_items_and_the_oldest_makes_room(room: Room) -> None:
    shelf = Shelf[str](each=2, clock=room.clock)
    first = shelf.put("first", visitor="a", nbytes=1)
    other = shelf.put("other", visitor="b", nbytes=1)
    second, third = (shelf.put(name, visitor="a", nbytes=1) for name in ("second", "third"))
    assert [shelf.get(token) for token in (first, other, second, third)] == [None, "other", "second", "third"]
    shelf.drop(second)
    assert [shelf.get(token) for token in (second, third)] == [None, "third"]


def test_leaving_drops_the_visitors_item_alone(room: Room) -> None:
    shelf = room.shelf()
    mine, other = shelf.put("mine", visitor="a", nbytes=1), shelf.put("other", visitor="b", nbytes=1)
    shelf.drop_visitor("a")
    assert (shelf.get(mine), shelf.get(other)) == (None, "other")


def test_time_runs_from_putting_and_looking_or_replacing_does_not_prolong_it(room: Room) -> None:
    shelf = room.shelf()
    token = shelf.put("film", visitor="a", nbytes=1)
    room.clock.now = 59
    assert shelf.get(token) == "film"
    shelf.replace(token, "film", "film, scored")
    assert shelf.get(token) == "film, scored"
    room.clock.now = 60
    assert shelf.get(token) is None


def test_sweeping_forgets_without_being_asked_for_anything(room: Room) -> None:
    shelf = room.shelf()
    shelf.put("film", visitor="a", nbytes=1)
    room.clock.now = 61
    assert len(shelf) == 1
    shelf.sweep()
    assert len(shelf) == 0


def test_replacing_what_is_gone_does_not_bring_it_back(room: Room) -> None:
    shelf = room.shelf()
    token = shelf.put("film", visitor="a", nbytes=1)
    shelf.drop_visitor("a")
    shelf.replace(token, "film", "film, scored")
    assert shelf.get(token) is None


def test_replacing_what_has_changed_meanwhile_changes_nothing(room: Room) -> None:
    shelf = room.shelf()
    token = shelf.put("film", visitor="a", nbytes=1)
    shelf.replace(token, "film", "film, turned")
    shelf.replace(token, "film", "film, scored")
    assert shelf.get(token) == "film, turned"


@pytest.mark.parametrize(
    ("sizes", "kept"),
    [
        pytest.param([1, 1, 1, 1], [1, 2, 3], id="too many"),
        pytest.param([60, 30, 50], [1, 2], id="too large together"),
        pytest.param([10, 500], [1], id="one larger than the shelf is kept alone"),
    ],
)
def test_the_oldest_make_room(room: Room, sizes: list[int], kept: list[int]) -> None:
    shelf = room.shelf()
    tokens = [shelf.put(str(i), visitor=str(i), nbytes=size) for i, size in enumerate(sizes)]
    assert [i for i, token in enumerate(tokens) if shelf.get(token) is not None] == kept


def test_many_threads_keep_it_whole(room: Room) -> None:
    shelf = room.shelf(capacity=8)

    def visit(number: int) -> bool:
        token = shelf.put(str(number), visitor=str(number), nbytes=1)
        return shelf.get(token) in (str(number), None)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(visit, range(400)))
    assert len(shelf) == 8
