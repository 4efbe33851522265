"""Films that the model may not read: the reason, the remedy, and reading them all the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from tests.support.wording import Wording
from tests.ui.reading_room import SLOW, canvas, film_of, grey, start_over, upload, wait_until_read
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser


def refused(page: Page, name: str, data: bytes) -> None:
    upload(page, name, data)
    page.locator(".room[data-state=refused]").wait_for(timeout=SLOW)


def test_a_leg_is_shown_but_not_read_until_asked_twice(bare: Page) -> None:
    refused(bare, "no-header.png", grey(film_of("leg")))
    expect(bare.locator("#film-canvas")).to_be_visible()
    expect(bare.locator(".word-title")).to_contain_text("chest film")
    expect(bare.locator(".word-detail")).not_to_be_empty()
    assert bare.locator(".finding").count() == 0
    expect(bare.locator(".exports")).to_be_hidden()
    bare.locator(".way-anyway").click()
    wait_until_read(bare)
    expect(bare.locator(".word-title")).to_contain_text("Refused, read anyway. ")
    assert bare.locator(".finding").count() == 15


@pytest.fixture(scope="module")
def right(desk: Page) -> NDArray[np.uint8]:
    """The canvas of a film that hangs the right way."""
    upload(start_over(desk), "right.png", grey(film_of("masses")[::4, ::4]))
    wait_until_read(desk)
    return canvas(desk, "film")


@pytest.mark.parametrize(
    ("change", "button"),
    [
        pytest.param(lambda film: 1 - film, "Invert and read", id="inverted"),
        pytest.param(lambda film: np.rot90(film), "Turn right and read", id="on its left side"),
        pytest.param(lambda film: np.rot90(film, 3), "Turn left and read", id="on its right side"),
        pytest.param(lambda film: np.rot90(film, 2), "Turn upside up and read", id="upside down"),
    ],
)
def test_a_film_the_wrong_way_is_put_right_with_one_click(
    bare: Page,
    right: NDArray[np.uint8],
    change: Callable[[NDArray[np.float32]], NDArray[np.float32]],
    button: str,
) -> None:
    refused(bare, "wrong.png", grey(change(film_of("masses")[::4, ::4])))
    remedy = bare.locator(".way-remedy")
    expect(remedy).to_have_text(button)
    remedy.click()
    wait_until_read(bare)
    assert np.abs(canvas(bare, "film").astype(int) - right).max() <= 1
    expect(bare.locator(".notes")).to_contain_text("on request")
    expect(bare.locator(".verdict")).to_have_text("Frontal chest film")


def test_the_film_comes_before_the_model_when_its_opinion_is_hidden(bare: Page, wording: Wording) -> None:
    upload(bare, "first.png", grey(film_of("masses")[::4, ::4]))
    wait_until_read(bare)
    bare.keyboard.press("h")
    wording(text_with(bare.locator(".word-title"), "hidden"))
    for gone in (".finding", ".numbers dl:visible", ".legend:visible", "#heat-canvas:visible", ".exports:visible"):
        assert bare.locator(gone).count() == 0, gone
    upload(bare, "second.png", grey(film_of("masses")[::4, ::-4]))  # the next film comes without it too
    expect(bare.locator(".film-name")).to_have_text("second.png", timeout=SLOW)
    wait_until_read(bare)
    assert bare.locator(".finding").count() == 0
    bare.locator(".way-reveal").click()
    assert bare.locator(".finding").count() == 15
    expect(bare.locator("[data-command=hide]")).to_have_attribute("aria-pressed", "false")


def test_film_first_can_be_asked_for_before_any_film_and_ended(bare: Page) -> None:
    bare.get_by_text("Film first").click()
    upload(bare, "first.png", grey(film_of("masses")[::4, ::4]))
    wait_until_read(bare)
    assert bare.locator(".finding").count() == 0
    again = bare.get_by_label("Hide it for the next films too")
    expect(again).to_be_checked()
    again.uncheck()
    bare.locator(".way-reveal").click()
    upload(bare, "second.png", grey(film_of("masses")[::4, ::-4]))
    expect(bare.locator(".film-name")).to_have_text("second.png", timeout=SLOW)
    wait_until_read(bare)
    assert bare.locator(".finding").count() == 15
