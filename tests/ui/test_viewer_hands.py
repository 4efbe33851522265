"""Every key and every gesture of the viewer, and when it must leave them alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.answers import film_answer
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
BESIDE = """
<div id="beside"><input id="field"><select id="select"><option>one<option>two</select>
<button class="finding" id="chosen" aria-pressed="true" onclick="notes.push(['pressed'])">Mass</button>
<button class="finding" id="unchosen" aria-pressed="false" onclick="notes.push(['pressed'])">Nodule</button></div>
"""
FILM = np.linspace(0, 1, 200 * 150, dtype=np.float32).reshape(200, 150)
FULL = {"width": 1, "level": 0.5, "inverted": False}


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, stays=True) as page:
        open_viewer(page, BESIDE)
        show(page, film_answer(FILM, spacing={"mm": [0.2, 0.1], "at": "detector"}))
        yield page


def camera(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("(({zoom, x, y, fitted}) => ({zoom, x, y, fitted}))(lightbox.now.camera)")
    return found


def window(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("lightbox.now.window")
    return found


def notes(page: Page) -> list[list[Any]]:
    found: list[list[Any]] = page.evaluate("notes.splice(0)")
    return found


def under_pointer(page: Page, x: float, y: float) -> list[float]:
    """The place of the film, in shown pixels, that lies under a point of the page, as the browser lays it out."""
    found: list[float] = page.locator("#film-canvas").evaluate(
        """(canvas, [x, y]) => {
            const box = canvas.getBoundingClientRect();
            return [((x - box.x) * canvas.width) / box.width, ((y - box.y) * canvas.height) / box.height];
        }""",
        [x, y],
    )
    return found


def test_the_film_fits_its_stage_whole_and_centered(page: Page) -> None:
    stage, film = page.locator(".stage").bounding_box(), page.locator("#film-canvas").bounding_box()
    assert stage and film
    assert film["height"] == pytest.approx(stage["height"], abs=0.1)
    assert film["width"] / film["height"] == pytest.approx(0.75, abs=0.01)
    assert film["x"] - stage["x"] == pytest.approx((stage["width"] - film["width"]) / 2, abs=0.1)


def test_the_wheel_zooms_toward_the_pointer(page: Page) -> None:
    x, y = middle(page)
    x, y = x + 120, y - 90
    page.mouse.move(x, y)
    before, zoom = under_pointer(page, x, y), camera(page)["zoom"]
    page.mouse.wheel(0, -300)
    page.wait_for_function("old => lightbox.now.camera.zoom > old", arg=zoom)
    assert under_pointer(page, x, y) == pytest.approx(before, abs=0.05)
    assert f"zoom {camera(page)['zoom']:.2f}" in readout(page)


def test_a_fitted_film_fits_a_resized_stage_and_a_zoomed_one_keeps_its_zoom(page: Page) -> None:
    zoom = camera(page)["zoom"]
    page.set_viewport_size({"width": 1020, "height": 520})
    settle(page)
    assert camera(page)["fitted"]
    assert camera(page)["zoom"] < zoom
    page.keyboard.press("+")
    zoom = camera(page)["zoom"]
    page.set_viewport_size({"width": 1020, "height": 820})
    settle(page)
    assert camera(page)["zoom"] == zoom


@pytest.mark.parametrize("how", ["right", "middle", "shift"])
def test_a_right_middle_or_shift_drag_moves_the_film(page: Page, how: str) -> None:
    before = camera(page)
    if how == "shift":
        page.keyboard.down("Shift")
        drag(page, 70, -40)
        page.keyboard.up("Shift")
    else:
        drag(page, 70, -40, button="right" if how == "right" else "middle")
    after = camera(page)
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((70, -40), abs=0.1)
    assert after["zoom"] == before["zoom"]
    assert window(page) == FULL


def test_no_movement_loses_the_film(page: Page) -> None:
    for _ in range(4):
        drag(page, 480, 390, button="right")
    stage, film = page.locator(".stage").bounding_box(), page.locator("#film-canvas").bounding_box()
    assert stage and film
    assert film["x"] <= stage["x"] + stage["width"] - 60
    assert film["y"] <= stage["y"] + stage["height"] - 60


def test_double_click_and_space_reset_window_zoom_and_place(page: Page) -> None:
    fitted = camera(page)
    for reset in (lambda: page.mouse.dblclick(*middle(page)), lambda: page.keyboard.press(" ")):
        drag(page, -80, 30)
        drag(page, 50, 50, button="right")
        page.keyboard.press("i")
        page.keyboard.press("+")
        assert window(page) != FULL
        reset()
        assert window(page) == FULL
        assert camera(page) == fitted


def test_one_to_one_fit_and_the_zoom_keys(page: Page) -> None:
    page.keyboard.press("1")
    film = page.locator("#film-canvas").bounding_box()
    assert film
    assert (film["width"], film["height"]) == (150, 200)
    assert film["x"] == int(film["x"])
    assert "zoom 1.00" in readout(page)
    page.keyboard.press("+")
    assert camera(page)["zoom"] == pytest.approx(1.25)
    page.keyboard.press("-")
    assert camera(page)["zoom"] == pytest.approx(1)
    page.keyboard.press("=")
    assert camera(page)["fitted"]


def test_pixels_are_shown_as_they_are_from_four_times_on(page: Page) -> None:
    def rendering() -> str:
        style: str = page.locator("#film-canvas").evaluate("canvas => getComputedStyle(canvas).imageRendering")
        return style

    page.keyboard.press("1")
    assert rendering() == "auto"
    for _ in range(7):
        page.keyboard.press("+")
    assert camera(page)["zoom"] > 4
    assert rendering() == "pixelated"


def test_the_window_and_the_place_can_be_set_by_keys(page: Page) -> None:
    page.keyboard.press("n")
    assert window(page)["width"] < 1
    page.keyboard.press("w")
    assert window(page)["width"] == pytest.approx(1)
    page.keyboard.press(".")
    assert window(page)["level"] > 0.5
    page.keyboard.press(",")
    assert window(page)["level"] == pytest.approx(0.5)
    before = camera(page)
    page.keyboard.press("Shift+ArrowLeft")
    assert camera(page)["x"] > before["x"]
    assert notes(page) == []


def test_arrows_step_through_the_findings(page: Page) -> None:
    for key in ("ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    page.locator("#chosen").focus()
    page.keyboard.press("ArrowDown")
    page.locator("[data-command=invert]").focus()
    page.keyboard.press("ArrowDown")
    assert notes(page) == [["step", step] for step in (1, -1, 1, -1, 1, 1)]


def test_the_slider_keeps_its_arrows_and_only_those(page: Page) -> None:
    heat(page, opinion_payload(np.ones((1, 5, 5), np.float32), 160, (160, 120)))
    slider = page.locator(".opacity input")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert slider.input_value() == "70"
    assert notes(page) == []
    expect(page.locator(".opacity-figure")).to_have_text("70 %")
    assert page.locator("#heat-canvas").evaluate("canvas => getComputedStyle(canvas).opacity") == "0.7"
    page.keyboard.press("i")
    assert window(page)["inverted"]


def test_o_hides_the_map_and_h_asks_to_hide_the_opinion(page: Page) -> None:
    heat(page, opinion_payload(np.ones((1, 5, 5), np.float32), 160, (160, 120)))
    page.keyboard.press("o")
    expect(page.locator("#heat-canvas")).to_be_hidden()
    expect(page.locator(".legend")).to_be_hidden()
    expect(page.locator("[data-command=overlay]")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("o")
    expect(page.locator("#heat-canvas")).to_be_visible()
    page.keyboard.press("h")
    assert notes(page) == [["toggleOpinion"]]


def test_space_presses_buttons_but_resets_on_the_chosen_finding(page: Page) -> None:
    page.keyboard.press("i")
    page.locator("#unchosen").focus()
    page.keyboard.press(" ")
    assert notes(page) == [["pressed"]]
    assert window(page)["inverted"]
    page.locator("[data-command=one]").focus()
    page.keyboard.press(" ")
    assert camera(page)["zoom"] == 1
    page.locator("#chosen").focus()
    page.keyboard.press(" ")
    assert notes(page) == []
    assert window(page) == FULL


@pytest.mark.parametrize("key", ["i", "1", "ArrowDown", " "])
def test_keys_are_left_to_fields_and_to_modifiers(page: Page, key: str) -> None:
    before = camera(page), window(page)
    for place in ("#field", "#select"):
        page.locator(place).focus()
        page.keyboard.press(key)
        page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    if key == "i":
        for modifier in ("Control", "Alt", "Meta"):
            page.keyboard.press(f"{modifier}+i")
    assert (camera(page), window(page)) == before
    assert notes(page) == []


def test_keys_do_nothing_without_a_film_or_behind_another_tab(page: Page) -> None:
    page.evaluate("document.querySelector('.room').style.display = 'none'")
    page.keyboard.press("i")
    page.evaluate("document.querySelector('.room').style.display = ''")
    assert window(page) == FULL
    page.evaluate("lightbox.clear('a')")
    assert page.evaluate("lightbox.enabled") is False
    for key in ("i", "1", "=", " ", "r", "ArrowDown", "?", "x"):
        page.keyboard.press(key)
    assert notes(page) == []
    expect(page.locator(".drop")).to_be_visible()
    expect(page.locator(".toolbar")).to_be_hidden()


def test_the_key_list_takes_the_keys_and_gives_the_focus_back(page: Page) -> None:
    button = page.locator("[data-command=help]")
    button.focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys and gestures")
    expect(dialog).to_be_visible()
    for key in ("i", "ArrowDown", "o"):
        page.keyboard.press(key)
    assert window(page) == FULL
    assert notes(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()


def test_single_keys_can_be_turned_off(page: Page) -> None:
    page.locator("[data-command=help]").click()
    page.get_by_label("Single keys are on").uncheck()
    page.get_by_role("button", name="Close", exact=True).click()
    page.keyboard.press("i")
    assert window(page) == FULL
    page.locator("[data-command=invert]").click()
    assert window(page)["inverted"]


def test_f_fills_the_screen_with_the_film_side(page: Page) -> None:
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement?.matches('.film-side')")
    expect(page.locator("[data-command=full]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("i")
    assert window(page)["inverted"]
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement === null")
    expect(page.locator("[data-command=full]")).to_have_attribute("aria-pressed", "false")
