"""The film of Read is the film of Ask and the other way round, in the app itself; no question is asked here."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.reading_room import SLOW, canvas, film_of, grey, upload
from tests.ui.text_shown import text_with
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()
    page.locator(f"#{name.lower()} .room").wait_for()


def open_masses(page: Page) -> None:
    page.locator("#read [data-sample=masses]").click()
    page.locator("#read .room[data-state=read]").wait_for(timeout=SLOW)


def compare_with(page: Page, name: str, data: bytes) -> None:
    """Hang a second film beside the first in Read, and wait until both are read."""
    with page.expect_file_chooser() as chooser:
        page.locator("#read [data-command=compare]").click()
    chooser.value.set_files(files=[{"name": name, "mimeType": "application/octet-stream", "buffer": data}])
    page.locator("#read .film-name[aria-pressed=true]", has_text=name).wait_for(timeout=SLOW)
    page.locator("#read .room[data-state=read]").wait_for(timeout=SLOW)


def shown(page: Page, tab: str, slot: str = "") -> np.ndarray:
    prefix = "ask-" if tab == "ask" else ""
    page.locator(f"#{tab} .film-side.has-film").wait_for(state="attached")
    return canvas(page, prefix + "film", slot)


@pytest.fixture(scope="module")
def opened(chromium: Browser, server: Server) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        page.goto(f"{server.url}/#ask")
        page.locator("#ask .room[data-state=empty]").wait_for()
        yield page


@pytest.fixture
def asking(opened: Page) -> Page:
    """Ask without a film; at first opened by its address."""
    tab(opened, "Ask")
    for _ in range(opened.locator("#ask .view .close:visible").count()):
        opened.locator("#ask .view .close:visible").first.click()
    opened.locator("#ask .room[data-state=empty]").wait_for()
    return opened


@pytest.fixture
def reading(asking: Page) -> Page:
    """Read without a film."""
    tab(asking, "Read")
    asking.locator("#read .room[data-state=empty]").wait_for()
    return asking


def test_a_film_opened_in_read_hangs_in_ask(visitor: Page) -> None:
    open_masses(visitor)  # before Ask is there
    tab(visitor, "Ask")
    assert visitor.url.endswith("#ask")
    expect(visitor.locator("#ask .film-name")).to_have_text("Many lung masses")
    assert np.array_equal(shown(visitor, "ask"), shown(visitor, "read"))
    expect(visitor.locator("#ask .stage")).to_be_visible()
    box = visitor.locator("#ask-film-canvas").bounding_box()
    assert box is not None and box["height"] > 600


def test_a_film_opened_in_ask_is_read_in_read(asking: Page) -> None:
    asking.locator("#ask [data-sample=masses]").click()
    asking.locator("#ask .room[data-state=read]").wait_for(timeout=SLOW)
    expect(asking.locator("#ask .question-text")).to_be_focused()
    tab(asking, "Read")
    assert "#" not in asking.url
    expect(asking.locator("#read .finding")).to_have_count(15)
    expect(asking.locator("#read .film-name")).to_have_text("Many lung masses")
    assert np.array_equal(shown(asking, "ask"), shown(asking, "read"))
    asking.go_back()
    expect(asking.locator("#ask .question-text")).to_be_visible()


def test_two_films_hang_in_both_tabs_and_the_active_one_is_the_same(reading: Page) -> None:
    open_masses(reading)
    compare_with(reading, "prior.png", grey(film_of("masses")[::2, ::-2]))
    tab(reading, "Ask")
    expect(reading.locator("#ask .view.active")).to_have_attribute("data-slot", "b")
    assert np.array_equal(shown(reading, "ask", "-b"), shown(reading, "read", "-b"))
    reading.locator("#ask .film-name", has_text="Many lung masses").click()
    tab(reading, "Read")
    expect(reading.locator("#read .view.active")).to_have_attribute("data-slot", "a")
    tab(reading, "Ask")
    reading.locator("#ask .view[data-slot=a] .close").click()
    expect(reading.locator("#ask .film-name")).to_have_text("prior.png")
    tab(reading, "Read")
    expect(reading.locator("#read .film-name")).to_have_text("prior.png")
    assert reading.locator("#read .view").count() == reading.locator("#ask .view").count() == 1
    assert np.array_equal(shown(reading, "ask"), shown(reading, "read"))


def test_a_film_is_dropped_and_taken_away_in_ask(asking: Page) -> None:
    bad = {"name": "letter.txt", "mimeType": "text/plain", "buffer": b"Dear colleague, thank you. " * 40}
    asking.locator("#ask-film-file").set_input_files(files=[bad])
    asking.locator("#ask .room[data-state=refused]").wait_for(timeout=SLOW)
    expect(asking.locator("#ask .word-title")).not_to_be_empty()
    good = {"name": "film.png", "mimeType": "image/png", "buffer": grey(film_of("masses")[::2, ::2])}
    asking.locator("#ask-film-file").set_input_files(files=[good])
    asking.locator("#ask .room[data-state=read]").wait_for(timeout=SLOW)
    asking.locator("#ask .close").click()
    expect(asking.locator("#ask .drop-title")).to_be_visible()
    tab(asking, "Read")
    expect(asking.locator("#read .drop-title")).to_be_visible()


def test_a_refused_film_is_put_right_from_ask(asking: Page) -> None:
    wrong = {"name": "wrong.png", "mimeType": "image/png", "buffer": grey(np.rot90(film_of("masses")[::2, ::2]))}
    asking.locator("#ask-film-file").set_input_files(files=[wrong])
    asking.locator("#ask .room[data-state=refused]").wait_for(timeout=SLOW)
    turned = shown(asking, "ask")
    asking.locator("#ask .way-remedy").click()
    asking.locator("#ask .room[data-state=read]").wait_for(timeout=SLOW)
    assert shown(asking, "ask").shape == turned.shape[1::-1] + (4,)
    assert np.array_equal(shown(asking, "ask"), shown(asking, "read"))


def test_film_first_is_the_same_in_both_tabs(asking: Page, wording: Wording) -> None:
    page = asking
    page.locator("#ask .film-first input").check()
    tab(page, "Read")
    expect(page.locator("#read .drop .film-first input")).to_be_checked()
    upload(page, "film.png", grey(film_of("masses")[::2, ::2]))
    page.locator("#read .room[data-state=read]").wait_for(timeout=SLOW)
    wording(text_with(page.locator("#read .word-title"), "hidden"))
    page.locator("#read .close").click()
    page.locator("#read .drop .film-first input").uncheck()


def test_keys_reach_only_the_film_in_front_and_its_window_is_the_same_in_both_tabs(reading: Page) -> None:
    open_masses(reading)
    reading.keyboard.press("n")  # a narrower window
    readout = reading.locator("#read .readout").inner_text().partition("zoom")[0]
    tab(reading, "Ask")
    expect(reading.locator("#ask .readout")).to_contain_text(readout)
    reading.locator("#ask .stage").focus()
    reading.keyboard.press("o")
    expect(reading.locator("#ask [data-command=overlay]")).to_have_attribute("aria-pressed", "false")
    expect(reading.locator("#read [data-command=overlay]")).to_have_attribute("aria-pressed", "true")
    reading.keyboard.press("i")
    for name in ("ask", "read"):
        expect(reading.locator(f"#{name} [data-command=invert]")).to_have_attribute("aria-pressed", "true")
    assert np.array_equal(shown(reading, "ask"), shown(reading, "read"))
