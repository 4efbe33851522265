"""The gallery's thumbnails leave connections free for what a visitor asks for."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.ui.conftest import NewVisitor
from tests.ui.windows import PATIENCE

pytestmark = pytest.mark.browser
PICTURES = re.compile("/tailscope/thumb/")
AT_A_TIME = 3


def test_a_few_load_at_a_time_and_the_rest_follow(new_explorer: NewVisitor) -> None:
    page = new_explorer()
    held: list[Route] = []
    holding = True
    page.route(PICTURES, lambda route: held.append(route) if holding else route.continue_())
    page.keyboard.press("j")
    expect(page.locator(".tile")).to_have_count(24)
    wait_for(page, held, AT_A_TIME)
    page.wait_for_timeout(300)
    assert len(held) == AT_A_TIME
    page.locator(".tile").nth(5).click()  # a case is answered meanwhile
    page.locator(".case .film-side.has-film:not(.waiting)").wait_for()
    page.keyboard.press("Escape")
    holding = False
    for route in held:
        route.continue_()
    page.wait_for_function("[...document.querySelectorAll('.tile img')].every((image) => image.naturalWidth > 0)")


def wait_for(page: Page, held: list[Route], count: int) -> None:
    waited = 0.0
    while len(held) < count:
        assert waited < PATIENCE
        page.wait_for_timeout(50)
        waited += 50
