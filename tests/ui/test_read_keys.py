"""The viewer's keys in the app itself, one after the other; test_viewer*.py look at each of them closely."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.ui.reading_room import canvas, choose, open_sample, show_map, wait_until_read

pytestmark = pytest.mark.browser


def width(page: Page) -> float:
    box = page.locator("#film-canvas").bounding_box()
    assert box is not None
    return box["width"]


def test_every_key_does_in_the_app_what_the_list_says(visitor: Page) -> None:
    open_sample(visitor)
    press = visitor.keyboard.press
    film, fitted = canvas(visitor, "film")[..., 0], width(visitor)

    press("i")
    visitor.wait_for_timeout(100)
    assert np.array_equal(canvas(visitor, "film")[..., 0], 255 - film)
    press(" ")
    visitor.wait_for_timeout(100)
    assert np.array_equal(canvas(visitor, "film")[..., 0], film)

    press("1")
    assert width(visitor) == pytest.approx(film.shape[1])
    press("=")
    assert width(visitor) == pytest.approx(fitted)

    visitor.locator(".finding").first.click()
    show_map(visitor)
    press("o")
    expect(visitor.locator("#heat-canvas")).to_be_hidden()
    press("o")

    rows = visitor.locator(".finding")
    press("ArrowDown")
    expect(rows.nth(1)).to_have_attribute("aria-pressed", "true")
    press("ArrowUp")
    expect(rows.nth(0)).to_have_attribute("aria-pressed", "true")
    press("ArrowUp")  # the first stays the first
    expect(rows.nth(0)).to_have_attribute("aria-pressed", "true")

    press("f")
    visitor.wait_for_function("document.fullscreenElement !== null")
    press("f")
    visitor.wait_for_function("document.fullscreenElement === null")

    press("?")
    expect(visitor.get_by_role("dialog", name="Keys and gestures")).to_be_visible()
    press("i")  # a dialog is open: the film is left alone
    press("Escape")
    visitor.wait_for_timeout(100)
    assert np.array_equal(canvas(visitor, "film")[..., 0], film)


def test_space_on_the_chosen_finding_resets_the_view_and_presses_any_other(visitor: Page) -> None:
    open_sample(visitor)
    choose(visitor, "Pleural Effusion")
    fitted = width(visitor)
    visitor.keyboard.press("1")
    visitor.keyboard.press(" ")
    assert width(visitor) == pytest.approx(fitted)
    other = visitor.locator(".finding[data-finding=Fibrosis]")
    other.focus()
    visitor.keyboard.press(" ")
    expect(other).to_have_attribute("aria-pressed", "true")


def test_the_keyboard_alone_leads_from_a_sample_to_the_film_and_its_findings(visitor: Page) -> None:
    visitor.locator("[data-sample=masses]").focus()
    visitor.keyboard.press("Enter")
    wait_until_read(visitor)
    expect(visitor.locator(".stage")).to_be_focused()
    visitor.keyboard.press("h")
    visitor.locator(".way-reveal").focus()
    visitor.keyboard.press("Enter")
    expect(visitor.locator(".word-title")).to_be_focused()
    visitor.locator(".finding[aria-pressed=true]").focus()
    visitor.keyboard.press("ArrowDown")
    expect(visitor.locator(".finding[aria-pressed=true]")).to_be_focused()
