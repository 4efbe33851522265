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


def test_every_key_does_in_the_app_what_the_list_says(bare: Page) -> None:
    open_sample(bare)
    press = bare.keyboard.press
    film, fitted = canvas(bare, "film")[..., 0], width(bare)

    press("i")
    bare.wait_for_timeout(100)
    assert np.array_equal(canvas(bare, "film")[..., 0], 255 - film)
    press(" ")
    bare.wait_for_timeout(100)
    assert np.array_equal(canvas(bare, "film")[..., 0], film)

    press("1")
    assert width(bare) == pytest.approx(film.shape[1])
    press("=")
    assert width(bare) == pytest.approx(fitted)

    bare.locator(".finding").first.click()
    show_map(bare)
    press("o")
    expect(bare.locator("#heat-canvas")).to_be_hidden()
    press("o")

    rows = bare.locator(".finding")
    press("ArrowDown")
    expect(rows.nth(1)).to_have_attribute("aria-pressed", "true")
    press("ArrowUp")
    expect(rows.nth(0)).to_have_attribute("aria-pressed", "true")
    press("ArrowUp")  # the first stays the first
    expect(rows.nth(0)).to_have_attribute("aria-pressed", "true")

    press("f")
    bare.wait_for_function("document.fullscreenElement !== null")
    press("f")
    bare.wait_for_function("document.fullscreenElement === null")

    press("?")
    expect(bare.get_by_role("dialog", name="Keys and gestures")).to_be_visible()
    press("i")  # a dialog is open: the film is left alone
    press("Escape")
    bare.wait_for_timeout(100)
    assert np.array_equal(canvas(bare, "film")[..., 0], film)


def test_space_on_the_chosen_finding_resets_the_view_and_presses_any_other(bare: Page) -> None:
    open_sample(bare)
    choose(bare, "Pleural Effusion")
    fitted = width(bare)
    bare.keyboard.press("1")
    bare.keyboard.press(" ")
    assert width(bare) == pytest.approx(fitted)
    other = bare.locator(".finding[data-finding=Fibrosis]")
    other.focus()
    bare.keyboard.press(" ")
    expect(other).to_have_attribute("aria-pressed", "true")


def test_the_keyboard_alone_leads_from_a_sample_to_the_film_and_its_findings(bare: Page) -> None:
    bare.locator("[data-sample=masses]").focus()
    bare.keyboard.press("Enter")
    wait_until_read(bare)
    expect(bare.locator(".stage")).to_be_focused()
    bare.keyboard.press("h")
    bare.locator(".way-reveal").focus()
    bare.keyboard.press("Enter")
    expect(bare.locator(".word-title")).to_be_focused()
    bare.locator(".finding[aria-pressed=true]").focus()
    bare.keyboard.press("ArrowDown")
    expect(bare.locator(".finding[aria-pressed=true]")).to_be_focused()
