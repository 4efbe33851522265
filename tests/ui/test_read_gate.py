"""Films that the model may not read: the reason, the remedy, and reading them all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, expect

from tests.ui.app_server import Server
from tests.ui.reading_room import SLOW, canvas, film_of, grey, upload, wait_until_read
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser


def refused(page: Page, name: str, data: bytes) -> None:
    upload(page, name, data)
    page.locator(".room[data-state=refused]").wait_for(timeout=SLOW)


def test_a_leg_is_shown_but_not_read_until_asked_twice(reader: Page) -> None:
    refused(reader, "no-header.png", grey(film_of("leg")))
    expect(reader.locator("#film-canvas")).to_be_visible()
    expect(reader.locator(".word-title")).to_contain_text("chest film")
    expect(reader.locator(".word-detail")).not_to_be_empty()
    assert reader.locator(".finding").count() == 0
    expect(reader.locator(".exports")).to_be_hidden()
    reader.locator(".way-anyway").click()
    wait_until_read(reader)
    expect(reader.locator(".verdict")).to_contain_text("Read anyway. ")
    assert reader.locator(".finding").count() == 15


@pytest.fixture(scope="module")
def right(chromium: Browser, server: Server) -> Iterator[tuple[Page, NDArray[np.uint8]]]:
    """A film that hangs the right way, and its canvas then."""
    with windows(chromium).window(1440, 900, Kind()) as page:
        page.goto(server.url)
        page.locator(".room[data-state=empty]").wait_for()
        upload(page, "right.png", grey(film_of("masses")[::4, ::4]))
        wait_until_read(page)
        yield page, canvas(page, "film")


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
    right: tuple[Page, NDArray[np.uint8]],
    change: Callable[[NDArray[np.float32]], NDArray[np.float32]],
    button: str,
) -> None:
    page, shown = right
    refused(page, "wrong.png", grey(change(film_of("masses")[::4, ::4])))
    remedy = page.locator(".way-remedy")
    expect(remedy).to_have_text(button)
    remedy.click()
    wait_until_read(page)
    assert np.abs(canvas(page, "film").astype(int) - shown).max() <= 1
    expect(page.locator(".notes")).to_contain_text("on request")
    expect(page.locator(".verdict")).to_have_text("Can be read as a frontal chest film")


def test_the_film_comes_before_the_model_when_its_opinion_is_hidden(visitor: Page) -> None:
    upload(visitor, "first.png", grey(film_of("masses")[::4, ::4]))
    wait_until_read(visitor)
    visitor.keyboard.press("h")
    expect(visitor.locator(".word-title")).to_have_text("The model's opinion is hidden")
    for gone in (".finding", ".numbers dl:visible", ".legend:visible", "#heat-canvas:visible", ".exports:visible"):
        assert visitor.locator(gone).count() == 0, gone
    upload(visitor, "second.png", grey(film_of("masses")[::4, ::-4]))  # the next film comes without it too
    expect(visitor.locator(".film-name")).to_have_text("second.png", timeout=SLOW)
    wait_until_read(visitor)
    assert visitor.locator(".finding").count() == 0
    visitor.locator(".way-reveal").click()
    assert visitor.locator(".finding").count() == 15
    expect(visitor.locator("[data-command=hide]")).to_have_attribute("aria-pressed", "false")


def test_film_first_can_be_asked_for_before_any_film_and_ended(visitor: Page) -> None:
    visitor.get_by_text("Film first").click()
    upload(visitor, "first.png", grey(film_of("masses")[::4, ::4]))
    wait_until_read(visitor)
    assert visitor.locator(".finding").count() == 0
    again = visitor.get_by_label("Hide it for the next films too")
    expect(again).to_be_checked()
    again.uncheck()
    visitor.locator(".way-reveal").click()
    upload(visitor, "second.png", grey(film_of("masses")[::4, ::-4]))
    expect(visitor.locator(".film-name")).to_have_text("second.png", timeout=SLOW)
    wait_until_read(visitor)
    assert visitor.locator(".finding").count() == 15
