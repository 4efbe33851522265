"""Films stay for a bounded time, within a bound of memory, for one visitor each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from explorer.reading.session_films import PRESENT_S, Shelf


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Room:
    """A shelf of strings with a clock that only the test moves."""

    clock: Clock = field(default_factory=Clock)

    def shelf(self, max_bytes: int = 100) -> Shelf[str]:
        return Shelf(max_bytes=max_bytes, lifetime=60, clock=self.clock)


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
        pytest.param([1] * 100, list(range(100)), id="however many there are"),
        pytest.param([60, 30, 50], [1, 2], id="too large together"),
        pytest.param([10, 500], [1], id="one larger than the shelf is kept alone"),
    ],
)
def test_the_oldest_make_room(room: Room, sizes: list[int], kept: list[int]) -> None:
    shelf = room.shelf()
    tokens = [shelf.put(str(i), visitor=str(i), nbytes=size) for i, size in enumerate(sizes)]
    assert [i for i, token in enumerate(tokens) if shelf.get(token) is not None] == kept


def test_many_threads_keep_it_whole(room: Room) -> None:
    shelf = room.shelf(max_bytes=8)

    def visit(number: int) -> bool:
        token = shelf.put(str(number), visitor=str(number), nbytes=1)
        return shelf.get(token) in (str(number), None)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(visit, range(400)))
    assert len(shelf) == 8


def test_many_visitors_keep_all_they_opened_while_there_is_memory() -> None:
    shelf = Shelf[str]()
    tokens = [shelf.put("film", visitor=str(number % 11), nbytes=8 << 20) for number in range(33)]
    assert all(shelf.get(token) == "film" for token in tokens)


def test_one_visitor_has_a_part_of_the_memory_and_the_film_just_opened_in_any_case(room: Room) -> None:
    shelf = Shelf[str](each=3, each_bytes=50, max_bytes=100, clock=room.clock)
    other = shelf.put("other", visitor="b", nbytes=40)
    first, second = (shelf.put(name, visitor="a", nbytes=40) for name in ("first", "second"))
    assert [shelf.get(token) for token in (other, first, second)] == ["other", None, "second"]
    assert shelf.get(shelf.put("large", visitor="a", nbytes=60)) == "large"
    assert (shelf.get(other), shelf.get(second)) == ("other", None)


def test_when_memory_is_full_what_waited_longest_to_be_asked_for_goes(room: Room) -> None:
    shelf = room.shelf(max_bytes=30)
    tokens = [shelf.put(name, visitor=name, nbytes=10) for name in "abc"]
    for room.clock.now, token in enumerate((tokens[0], tokens[2], tokens[1]), 1):
        shelf.get(token)
    newest = shelf.put("d", visitor="d", nbytes=20)
    assert [shelf.get(token) for token in (*tokens, newest)] == [None, "b", None, "d"]


def test_films_of_visitors_who_gave_no_sign_go_before_those_of_an_open_page() -> None:
    clock = Clock()
    shelf = Shelf[str](max_bytes=30, clock=clock)
    open_page, left, also_open = (shelf.put(name, visitor=name, nbytes=10) for name in "abc")
    clock.now = 100
    shelf.get(left)  # asked for last of all
    clock.now = 100 + PRESENT_S
    shelf.mark_present([open_page, also_open, "no such token"])
    newest = shelf.put("d", visitor="d", nbytes=10)
    assert [shelf.get(token) for token in (open_page, left, also_open, newest)] == ["a", None, "c", "d"]


def test_a_sign_does_not_prolong_a_stay(room: Room) -> None:
    shelf = room.shelf()
    token = shelf.put("film", visitor="a", nbytes=1)
    room.clock.now = 59
    shelf.mark_present([token])
    room.clock.now = 60
    assert shelf.get(token) is None


def test_it_says_why_something_had_to_go(room: Room) -> None:
    shelf = Shelf[str](each=2, max_bytes=30, lifetime=60, clock=room.clock)
    own = [shelf.put(name, visitor="a", nbytes=10) for name in ("first", "second", "third")]
    room.clock.now = 1
    shelf.get(own[2])
    other = shelf.put("other", visitor="b", nbytes=20)
    assert [shelf.why_gone(token) for token in (*own, other, "never seen")] == ["own", "room", None, None, None]
    shelf.drop(own[2])
    assert shelf.why_gone(own[2]) is None, "its visitor knows"
    room.clock.now = 61
    assert shelf.why_gone(other) == "time"
