"""A film that had to go while its page was open: the page says so, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.ui import plain_http
from tests.ui.app_server import Server
from tests.ui.reading_room import SLOW, open_sample, start_over
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser
WHY = "The film was removed to free memory. Only the three films opened last are kept for each visitor. Open it again."


@dataclass
class Visit:
    """An open page, and the session that Gradio knows it by."""

    page: Page
    session: str = ""

    def listen(self, request: Request) -> None:
        if "/heartbeat/" in request.url:
            self.session = request.url.rpartition("/")[2]


@pytest.fixture(scope="module")
def visit(chromium: Browser, server: Server) -> Iterator[Visit]:
    """One for both tests, which hang a film anew."""
    with viewer_page(chromium, 1440, 900) as page:
        visit = Visit(page)
        page.on("request", visit.listen)
        page.set_default_timeout(SLOW)
        page.clock.install()
        page.goto(server.url)
        page.locator(".room[data-state=empty]").wait_for()
        yield visit
        page.close()  # nobody after this one gets a window with that clock


def open_three_more(server: Server, session: str) -> None:
    """As another program would that has the page's session: the page's own film is the oldest then."""
    config = plain_http.get(f"{server.url}/config").json()
    event = next(
        each["id"]
        for each in config["dependencies"]
        if each["targets"][0][1] == "sample"
        and any(c["id"] == each["targets"][0][0] and c["props"].get("elem_id") == "read" for c in config["components"])
    )
    for number in range(3):
        sent = {"key": "phantom-normal", "request": 100 + number}
        call = {"fn_index": event, "data": [], "session_hash": session, "event_data": sent}
        plain_http.post(f"{server.url}/gradio_api/queue/join", json=call).raise_for_status()
        with plain_http.stream(
            "GET", f"{server.url}/gradio_api/queue/data?session_hash={session}", timeout=60
        ) as stream:
            messages = [json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: ")]
        assert any(message["msg"] == "process_completed" and message["success"] for message in messages)


def test_an_open_page_says_within_a_minute_that_its_film_had_to_go(visit: Visit, server: Server) -> None:
    page = start_over(visit.page)
    open_sample(page, "phantom-normal")
    note = page.locator("#read .aside")
    open_three_more(server, visit.session)
    page.clock.run_for(61_000)
    expect(note).to_contain_text(WHY)
    expect(page.locator(".room[data-state=read]")).to_be_visible()  # what is on the page stays


def test_who_asks_for_more_of_a_film_that_had_to_go_is_told_why(visit: Visit, server: Server) -> None:
    page = start_over(visit.page)
    open_sample(page, "phantom-normal")
    open_three_more(server, visit.session)
    page.get_by_role("tab", name="Ask", exact=True).click()
    page.locator("#ask-text").fill("nodule")
    page.keyboard.press("Enter")
    expect(page.locator("#ask")).to_contain_text("to free memory")
