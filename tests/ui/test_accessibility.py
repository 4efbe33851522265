"""What axe-core has to say of every state of the page: nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.reading_room import choose, compare_with, film_of, grey, open_sample, upload, wait_until_said

pytestmark = pytest.mark.browser


def nothing(page: Page) -> None:
    """The page as it comes."""


def read(page: Page) -> None:
    open_sample(page)


def below_threshold(page: Page) -> None:
    open_sample(page)
    page.locator(".group-head", has_text="Below threshold").click()
    page.locator(".group-head", has_text="Not looked for").click()
    page.locator(".finding[data-state=below]").first.click()


def doubtful(page: Page) -> None:
    open_sample(page)
    choose(page, "Mass")


def hidden(page: Page) -> None:
    open_sample(page)
    page.keyboard.press("h")


def keys(page: Page) -> None:
    open_sample(page)
    page.keyboard.press("?")


def refused(page: Page) -> None:
    upload(page, "turned.png", grey(np.rot90(film_of("masses")[::2, ::2])))
    wait_until_said(page)


def no_film(page: Page) -> None:
    upload(page, "letter.txt", b"Dear colleague, thank you. " * 40)
    page.locator(".room[data-state=refused]").wait_for()


def two_films(page: Page) -> None:
    open_sample(page)
    compare_with(page, "prior.png", grey(film_of("masses")[::2, ::-2]))


STATES = (nothing, read, below_threshold, doubtful, hidden, keys, refused, no_film, two_films)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_axe_finds_nothing(new_visitor: NewVisitor, state: Callable[[Page], None]) -> None:
    page = new_visitor()
    state(page)
    assert_accessible_at(page, 1440, 390)
