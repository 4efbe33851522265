"""The app that is ended while it answers says nothing of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.ui.conftest import in_nih, start, stop

pytestmark = pytest.mark.browser


def test_the_end_while_the_table_is_computed_is_silent(
    chromium: Browser, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    running = start(tmp_path)
    page = chromium.new_page()
    try:
        page.goto(f"{running.url}/{in_nih('#explore?view=table')}")
        page.locator(".explore").wait_for()
        page.get_by_role("tab", name="table", exact=True).click()
        page.get_by_text("computing").first.wait_for()  # the intervals
    finally:
        status = stop(running)
        page.close()
    assert (status, capfd.readouterr().err) == (0, "")
