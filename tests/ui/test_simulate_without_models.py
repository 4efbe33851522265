"""Simulate in an app without phantom models: film, mask and twin are shown all the same."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.ui.app_server import Server
from tests.ui.simulate_room import SLOW, tap, wait_until_simulated
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser
EFFUSION = "#simulate?center=A&seed=300041&Pleural+Effusion=left,0.80"


def test_without_phantom_models_film_mask_and_twin_are_shown_all_the_same(chromium: Browser, server: Server) -> None:
    with viewer_page(chromium, 1440, 900) as page:
        page.goto(f"{server.url}/{EFFUSION}")
        wait_until_simulated(page)
        expect(page.locator("#simulate .mask-line")).to_be_visible()
        expect(page.locator(".sim-none, .sim-model").first).to_be_visible(timeout=SLOW)
        tap(page, "t")
        expect(page.locator("#simulate .facts")).to_contain_text("TWIN")
