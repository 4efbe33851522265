"""Two films side by side, the ruler, the film before the models' opinion, fingers, and the page at three widths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.support.answers import film_answer
from tests.support.wording import Wording
from tests.ui.viewer_harness import (
    drag,
    heat,
    middle,
    open_viewer,
    opinion_payload,
    readout,
    settle,
    show,
    viewer_page,
)

pytestmark = pytest.mark.browser
FILM = np.linspace(0, 1, 200 * 150, dtype=np.float32).reshape(200, 150)
OTHER = np.linspace(1, 0, 100 * 220, dtype=np.float32).reshape(100, 220)
OPINION = opinion_payload(np.ones((1, 5, 5), np.float32), 160, (160, 120))


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, stays=True) as page:
        open_viewer(page)
        show(page, film_answer(FILM))
        yield page


@pytest.fixture
def two(page: Page) -> Page:
    show(page, film_answer(OTHER, view="lateral"), "b")
    return page


def windows(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("lightbox.both.map((viewer) => viewer.window)")
    return found


def zooms(page: Page) -> list[float]:
    found: list[float] = page.evaluate("lightbox.both.map((viewer) => viewer.camera.zoom)")
    return found


def notes(page: Page) -> list[list[Any]]:
    found: list[list[Any]] = page.evaluate("notes.splice(0)")
    return found


def test_a_second_film_hangs_beside_the_first_with_its_own_zoom(two: Page) -> None:
    first, second = (two.locator(f".view[data-slot={slot}] .stage").bounding_box() for slot in "ab")
    assert first and second
    assert first["y"] == second["y"]
    assert first["x"] + first["width"] < second["x"]
    film = two.locator("#film-canvas-b").bounding_box()
    assert film and film["width"] == pytest.approx(second["width"], abs=0.1)
    before = zooms(two)
    two.keyboard.press("l")
    two.keyboard.press("+")
    assert zooms(two) == [pytest.approx(before[0] * 1.25), before[1]]


def test_linked_windows_move_together_until_unlinked(two: Page) -> None:
    drag(two, -80, 20)
    two.keyboard.press("i")
    first, second = windows(two)
    assert first == second
    assert first["width"] < 1 and first["inverted"]
    two.keyboard.press("l")
    two.keyboard.press("i")
    drag(two, 50, 0)
    first, second = windows(two)
    assert second["inverted"] and not first["inverted"]
    assert first["width"] > second["width"]
    two.keyboard.press("l")
    assert windows(two)[1] == first
    expect(two.locator("[data-command=link]")).to_have_attribute("aria-pressed", "true")


def test_a_film_that_joins_takes_the_linked_window(page: Page) -> None:
    drag(page, -80, 20)
    show(page, film_answer(OTHER), "b")
    first, second = windows(page)
    assert first == second
    assert first["width"] < 1


def test_the_other_film_is_chosen_by_click_focus_or_key(two: Page) -> None:
    two.mouse.click(*middle(two, "b"))
    assert notes(two) == [["activated", "b"]]
    expect(two.locator(".view.active")).to_have_attribute("data-slot", "b")
    two.keyboard.press("x")
    assert notes(two) == [["activated", "a"]]
    two.locator(".view[data-slot=b] .stage").focus()
    assert notes(two) == [["activated", "b"]]
    assert two.evaluate("lightbox.active") == "b"
    accents = [view.evaluate("view => getComputedStyle(view).borderTopColor") for view in two.locator(".view").all()]
    assert accents == ["rgba(0, 0, 0, 0)", "rgb(108, 182, 255)"]


def test_a_film_is_taken_away_by_its_own_button(two: Page) -> None:
    two.locator(".view[data-slot=b] .close").click()
    assert notes(two) == [["activated", "b"], ["closed", "b"]]
    two.evaluate("lightbox.clear('b')")
    settle(two)
    assert two.evaluate("lightbox.active") == "a"
    expect(two.locator(".view")).to_have_count(1)
    expect(two.locator(".stage")).to_be_focused()
    expect(two.locator(".close")).to_have_count(1)
    expect(two.locator("[data-command=link]")).to_be_hidden()
    film, stage = two.locator("#film-canvas").bounding_box(), two.locator(".stage").bounding_box()
    assert film and stage and film["height"] == pytest.approx(stage["height"], abs=0.1)
    show(two, film_answer(OTHER), "b")
    assert two.evaluate("lightbox.viewers.b.window.width") == 1


def test_each_film_has_its_own_map_and_words(two: Page) -> None:
    heat(two, OPINION, slot="b")
    two.evaluate("lightbox.showNoHeat('a', 'No map: Mass is below its threshold.', 'Show', () => {})")
    first, second = (two.locator(f".view[data-slot={slot}]") for slot in "ab")
    expect(first.locator(".evidence")).to_be_visible()
    expect(first.locator(".legend")).to_be_hidden()
    expect(second.locator(".legend")).to_be_visible()
    expect(two.locator("#heat-canvas-b")).to_be_visible()
    expect(two.locator("#heat-canvas")).to_be_hidden()


def test_a_map_below_the_threshold_comes_on_request_even_while_maps_are_off(page: Page) -> None:
    page.evaluate("lightbox.showNoHeat('a', 'No map.', 'Show the map anyway', () => notes.push(['asked']))")
    page.keyboard.press("o")
    page.get_by_role("button", name="Show the map anyway").click()
    assert notes(page) == [["asked"]]
    expect(page.locator("[data-command=overlay]")).to_have_attribute("aria-pressed", "true")
    heat(page, OPINION)
    expect(page.locator(".evidence")).to_be_hidden()
    expect(page.locator(".legend")).to_be_visible()
    page.evaluate("lightbox.clearHeat('a')")
    expect(page.locator(".legend")).to_be_hidden()
    expect(page.locator("#heat-canvas")).to_be_hidden()


def test_a_hidden_opinion_stays_hidden_whatever_is_asked(page: Page) -> None:
    page.evaluate("lightbox.hideOpinion(true)")
    heat(page, OPINION)
    expect(page.locator("#heat-canvas")).to_be_hidden()
    expect(page.locator(".legend")).to_be_hidden()
    page.mouse.move(*middle(page))
    assert "logit" not in page.locator(".probe").inner_text()
    expect(page.locator("[data-command=hide]")).to_have_attribute("aria-pressed", "true")
    page.evaluate("lightbox.showNoHeat('a', 'No map.', 'Show', () => {})")
    expect(page.locator(".evidence")).to_be_hidden()
    page.evaluate("lightbox.hideOpinion(false)")
    expect(page.locator(".evidence")).to_be_visible()


@pytest.mark.parametrize(
    ("at", "words"), [("detector", " at detector"), ("patient", " in the patient"), (None, "")], ids=str
)
def test_the_ruler_measures_in_true_spacing(page: Page, at: str | None, words: str) -> None:
    # Sent at half its resolution: one shown pixel is 2 x 0.2 mm down and 2 x 0.1 mm across.
    show(page, film_answer(FILM, size=[400, 300], spacing={"mm": [0.2, 0.1], "at": at}))
    page.keyboard.press("r")
    expect(page.locator("[data-command=ruler]")).to_have_attribute("aria-pressed", "true")
    drag(page, 120, 90)
    zoom = zooms(page)[0]
    length = np.hypot(120 / zoom * 2 * 0.1, 90 / zoom * 2 * 0.2)
    assert readout(page).endswith(f"{length:.1f} mm{words}")
    assert windows(page)[0]["width"] == 1  # while it measures, a drag does not window
    page.keyboard.press("r")
    expect(page.locator(".ruler")).to_be_hidden()
    assert "mm" not in readout(page)


def test_the_ruler_follows_zoom_and_place(page: Page) -> None:
    show(page, film_answer(FILM, spacing={"mm": [0.1, 0.1], "at": "detector"}))
    page.keyboard.press("r")
    drag(page, 60, 40)
    words = readout(page).rpartition("\u00b7")[2]
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    settle(page)
    drag(page, 30, 10, button="right")
    assert readout(page).rpartition("\u00b7")[2] == words
    stage = page.locator(".stage").bounding_box()
    line = page.locator(".ruler-line").evaluate("line => ['x1', 'y1'].map((name) => Number(line.getAttribute(name)))")
    assert stage
    assert [stage["x"] + line[0], stage["y"] + line[1]] == pytest.approx([x + 30, y + 10], abs=0.5)
    expect(page.locator(".ruler circle")).to_have_count(2)


def test_without_spacing_there_is_no_ruler_and_the_button_says_why(page: Page, wording: Wording) -> None:
    button = page.locator("[data-command=ruler]")
    expect(button).to_be_disabled()
    why = button.get_attribute("title") or ""
    wording(why)
    page.keyboard.press("r")
    expect(page.get_by_role("status")).to_have_text(why)
    expect(page.locator(".facts")).to_be_hidden()
    drag(page, 50, 0)
    expect(page.locator(".ruler")).to_be_hidden()


def fingers(session: CDPSession, page: Page, kind: str, points: list[tuple[float, float]]) -> None:
    places = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
    settle(page)


def hold(session: CDPSession, page: Page, x: float, y: float) -> None:
    fingers(session, page, "touchStart", [(x, y)])
    page.wait_for_timeout(400)


def test_a_swipe_scrolls_the_page_and_leaves_the_film(chromium: Browser) -> None:
    with viewer_page(chromium, 390, 640, touch=True) as page:
        open_viewer(page)
        show(page, film_answer(FILM))
        page.add_style_tag(content="body { padding-bottom: 2000px }")
        session = page.context.new_cdp_session(page)
        x, y = middle(page)
        before, zoom = windows(page), zooms(page)
        page.evaluate("addEventListener('scrollend', () => { window.scrolled = true; })")
        fingers(session, page, "touchStart", [(x, y)])
        for step in range(1, 6):
            fingers(session, page, "touchMove", [(x, y - 20 * step)])
        fingers(session, page, "touchEnd", [])
        page.wait_for_function("window.scrolled && scrollY > 40")  # what still comes would undo the way back
        assert (windows(page), zooms(page)) == (before, zoom)
        page.evaluate("scrollTo(0, 0)")
        hold(session, page, x, y)
        for step in range(1, 6):
            fingers(session, page, "touchMove", [(x, y - 20 * step)])
        fingers(session, page, "touchEnd", [])
        assert windows(page) != before
        assert page.evaluate("scrollY") == 0


def test_one_finger_that_holds_sets_the_window_and_two_zoom_and_move(chromium: Browser) -> None:
    with viewer_page(chromium, 390, 640, touch=True) as page:
        open_viewer(page)
        show(page, film_answer(FILM))
        session = page.context.new_cdp_session(page)
        x, y = middle(page)
        hold(session, page, x, y)
        fingers(session, page, "touchMove", [(x - 60, y)])
        fingers(session, page, "touchEnd", [])
        (narrowed,) = windows(page)
        assert narrowed["width"] < 1
        hold(session, page, x, y)
        fingers(session, page, "touchMove", [(x + 40, y)])
        assert windows(page) != [narrowed]
        fingers(session, page, "touchStart", [(x + 40, y), (x - 40, y)])
        assert windows(page) == [narrowed]  # what the first finger began is taken back
        (zoom,) = zooms(page)
        fingers(session, page, "touchMove", [(x + 80, y), (x - 80, y)])
        fingers(session, page, "touchEnd", [])
        assert zooms(page) == [pytest.approx(2 * zoom, rel=0.02)]
        assert windows(page) == [narrowed]


@pytest.mark.parametrize(("width", "height"), [(1020, 820), (672, 688), (390, 640)])
def test_nothing_overflows_at_any_width(chromium: Browser, width: int, height: int) -> None:
    with viewer_page(chromium, width, height) as page:
        open_viewer(page)
        spacing = {"mm": [0.139, 0.139], "at": "detector"}
        show(page, film_answer(FILM, spacing=spacing))
        heat(page, OPINION)
        toolbar = page.locator(".toolbar").bounding_box()
        assert toolbar and toolbar["height"] == (40 if width > 600 else 81)
        for second in (False, True):
            if second:
                show(page, film_answer(OTHER, spacing=spacing), "b")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate("document.documentElement.scrollHeight") <= height
        first, other = (page.locator(f".view[data-slot={slot}] .stage").bounding_box() for slot in "ab")
        assert first and other
        assert (other["y"] > first["y"]) == (width < 600)  # on a phone they stack


def test_reduced_motion_moves_nothing(chromium: Browser) -> None:
    takes = "button => parseFloat(getComputedStyle(button).transitionDuration)"  # s
    with viewer_page(chromium, still=True) as page:
        open_viewer(page)
        assert page.locator(".choose").evaluate(takes) == 0
    with viewer_page(chromium) as page:
        open_viewer(page)
        assert page.locator(".choose").evaluate(takes) > 0
