"""What moves on the page: little, briefly, and nothing where the visitor wants none."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW

TABS = ("Explore", "Evaluate", "Simulate", "Ask", "Teach", "Read")
# The longest transition in ms of each part of ours on the page, as if an answer were awaited everywhere.
LONGEST = """() => {
    const rooms = document.querySelectorAll("#read .room, #ask .room, .explore, .evaluate, .simulating, .teach");
    for (const room of rooms) room.classList.add("pending");
    const seconds = (part) => Math.max(...getComputedStyle(part).transitionDuration.split(",").map(parseFloat));
    const longest = [...rooms].map((room) => Math.max(...[room, ...room.querySelectorAll("*")].map(seconds)) * 1000);
    for (const room of rooms) room.classList.remove("pending");
    return longest;
}"""
# The opacity of what an answer will replace: at once when one is awaited, later, and at once when it is there.
DIMMED = """async ([room, part]) => {
    const at = () => Number(getComputedStyle(document.querySelector(`${room} ${part}`)).opacity);
    const classes = document.querySelector(room).classList;
    classes.add("pending");
    const first = at();
    await new Promise((done) => setTimeout(done, 600));
    const later = at();
    classes.remove("pending");
    return [first, later, at()];
}"""


def test_motion_is_short_and_stops_where_it_is_not_wanted_and_quick_answers_dim_nothing(
    new_explorer: NewVisitor,
) -> None:
    page = new_explorer(anew=True)
    for tab in TABS:
        go_to(page, tab)
    longest = page.evaluate(LONGEST)
    assert len(longest) == len(TABS) and max(longest) == 120, longest
    dims_late(page)
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(LONGEST) == [0] * len(TABS)
    dims_late(page)


def dims_late(page: Page) -> None:
    for tab, room, part in (("Explore", ".explore", ".explore-main"), ("Evaluate", ".evaluate", ".evaluate-board")):
        go_to(page, tab)
        page.locator(f"{room}[data-state=shown]:not(.pending)").wait_for(timeout=SLOW)
        assert page.evaluate(DIMMED, [room, part]) == [1, 0.4, 1], tab


def go_to(page: Page, tab: str) -> None:
    page.get_by_role("tab", name=tab, exact=True).click()
    expect(page.locator(f"#{tab.lower()}-tab")).to_be_visible()
