"""What axe-core has to say of every state of the page: nothing. A visit goes through several, for each costs more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.ui.axe import HEIGHT, assert_accessible_at
from tests.ui.reading_room import (
    SLOW,
    choose,
    compare_with,
    film_of,
    grey,
    open_sample,
    start_over,
    upload,
    wait_until_said,
)

pytestmark = pytest.mark.browser


def nothing(page: Page) -> None:
    """The page as it comes."""


def no_film(page: Page) -> None:
    upload(page, "letter.txt", b"Dear colleague, thank you. " * 40)
    page.locator(".room[data-state=refused]").wait_for()


def refused(page: Page) -> None:
    before = page.locator(".word-title").inner_text()
    upload(page, "turned.png", grey(np.rot90(film_of("masses")[::2, ::2])))
    expect(page.locator(".word-title")).not_to_have_text(before, timeout=SLOW)
    wait_until_said(page)


def read(page: Page) -> None:
    open_sample(page)


def doubtful(page: Page) -> None:
    choose(page, "Mass")


def hidden(page: Page) -> None:
    page.keyboard.press("h")
    expect(page.locator("#read .word-title")).to_have_text("The model's opinion is hidden")


def keys(page: Page) -> None:
    page.keyboard.press("h")
    expect(page.locator("#read .word-title")).not_to_have_text("The model's opinion is hidden")
    page.keyboard.press("?")


def below_threshold(page: Page) -> None:
    page.keyboard.press("Escape")
    page.locator(".group-head", has_text="Not flagged").click()
    page.locator(".group-head", has_text="Not looked for").click()
    page.locator(".finding[data-state=below]").first.click()


def two_films(page: Page) -> None:
    open_sample(start_over(page))
    compare_with(page, "prior.png", grey(film_of("masses")[::2, ::-2]))


VISITS = {
    "without a film": (nothing, no_film, refused),
    "with a film and then two": (read, doubtful, hidden, keys, below_threshold, two_films),
}


@pytest.mark.parametrize("states", VISITS.values(), ids=VISITS)
def test_axe_finds_nothing(bare: Page, states: tuple[Callable[[Page], None], ...]) -> None:
    for reach in states:
        bare.set_viewport_size({"width": 1440, "height": HEIGHT})
        reach(bare)
        assert_accessible_at(bare, 1440, 390)
