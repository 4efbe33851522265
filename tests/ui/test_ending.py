"""The app that is ended while it answers: it says nothing of it, its pages say that it does not answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.app_server import start, stop
from tests.ui.conftest import in_nih
from tests.ui.reading_room import SLOW, open_sample
from tests.ui.windows import go


@dataclass(frozen=True)
class Ended:
    """How the app ended, and a page of it on which a film lies."""

    status: int
    errors: str
    page: Page


@pytest.fixture(scope="module")
def ended(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ended]:
    """The app after it was ended while it computed a table."""
    folder = tmp_path_factory.mktemp("ended")
    with (folder / "errors").open("w+") as errors, chromium.new_context() as visitor:
        running = start(folder, "--model", "nih-mini", errors=errors)
        page = visitor.new_page()  # whose console may complain here
        try:
            page.goto(running.url)
            open_sample(page)
            go(page, f"{running.url}/{in_nih('#explore?view=table')}")
            page.locator(".explore").wait_for()
            page.get_by_role("tab", name="table", exact=True).click()
            page.get_by_text("computing").first.wait_for()  # the intervals
        finally:
            status = stop(running)
        errors.seek(0)
        yield Ended(status, errors.read(), page)


def test_the_end_while_the_table_is_computed_is_silent(ended: Ended) -> None:
    assert (ended.status, ended.errors) == (0, "")


def test_a_server_that_is_gone_is_told_of(ended: Ended) -> None:
    page = ended.page
    page.get_by_role("tab", name="Read", exact=True).click()
    read = page.locator("#read")
    read.locator("[data-export=csv]").click()
    expect(read.locator(".aside")).to_contain_text("Tailscope is not responding", timeout=SLOW)
    read.locator(".close").click()
    read.locator("[data-sample=leg]").click()
    expect(read.locator(".word-title")).to_have_text("Tailscope is not responding", timeout=SLOW)
