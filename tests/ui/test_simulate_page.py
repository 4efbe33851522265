"""A visitor simulates films: in the app itself, with phantom models of random weights."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from explorer.phantom import render
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible_at
from tests.ui.held import HeldAnswers, asks
from tests.ui.reading_room import canvas
from tests.ui.simulate_room import SLOW, add, choose_center, line, tap, wait_until_said, wait_until_simulated
from tests.ui.text_shown import text_with
from tests.ui.windows import Kind, go, windows

pytestmark = pytest.mark.browser
WIDTHS = (1440, 1024, 390)
EFFUSION = "#simulate?center=A&seed=300041&Pleural+Effusion=left,0.80"


@pytest.fixture
def page(chromium: Browser, phantom_server: Server) -> Iterator[Page]:
    """Where the last test left it, by a link: the address holds what is shown, but for what `own_page` is for."""
    with windows(chromium).window(1440, 900, Kind(), stays=True) as page:
        page.set_default_timeout(SLOW)
        go(page, f"{phantom_server.url}/{EFFUSION}")
        wait_until_simulated(page)
        yield page


@pytest.fixture(scope="module")
def opened(chromium: Browser) -> Iterator[Page]:
    with windows(chromium).window(1440, 900, Kind()) as page:
        page.set_default_timeout(SLOW)
        yield page


@pytest.fixture
def own_page(opened: Page, phantom_server: Server) -> Page:
    """Of tests that count what is asked, or leave gray values, zoom, lessons or Read otherwise: one window for all."""
    go(opened, f"{phantom_server.url}/{EFFUSION}")
    wait_until_simulated(opened)
    return opened


def levels(page: Page) -> np.ndarray:
    """What the film's canvas shows, (h, w)."""
    return canvas(page, "sim-film")[..., 0].astype(float)


def test_a_link_is_a_film_and_the_film_says_that_it_is_simulated(page: Page) -> None:
    shown, pixels = levels(page), render(300_041, ["Pleural Effusion"], "A", 512)[0]
    assert shown.shape == pixels.shape == (512, 512)
    expect(page.locator("#simulate .simulated-mark")).to_have_text("SIMULATED")
    expect(page.locator("#simulate .facts")).to_contain_text("SIMULATED")
    expect(page.locator(".sim-patient")).to_contain_text("A-300041")
    expect(page.locator(".sim-figure")).to_have_text("0.80")
    expect(page.get_by_label("Side of Pleural Effusion")).to_have_value("left")


def test_findings_are_added_changed_and_removed(page: Page) -> None:
    before = levels(page)
    add(page, "Scoliosis")
    expect(page.locator(".sim-request")).to_have_count(2)
    expect(page.locator(".sim-finding[aria-pressed=true]")).to_have_text("Scoliosis")
    assert re.search(r"Scoliosis=(left|right),[01]\.\d\d", page.url)
    bent = levels(page)
    assert np.abs(bent - before).mean() > 1
    page.get_by_label("Without Scoliosis").click()
    expect(page.locator(".sim-request")).to_have_count(1)
    wait_until_simulated(page)
    assert np.array_equal(levels(page), before)
    choose_center(page, "B")
    wait_until_simulated(page)
    assert "center=B" in page.url
    page.go_back()
    expect(page.locator(".sim-patient")).to_contain_text("A-300041")
    wait_until_simulated(page)
    assert np.array_equal(levels(page), before)


def test_another_patient_has_the_same_findings(page: Page) -> None:
    page.keyboard.press("p")
    expect(page.locator(".sim-patient")).not_to_contain_text("300041")
    wait_until_simulated(page)
    assert "Pleural+Effusion=left,0.80" in page.url
    page.locator("#sim-seed").fill("41")
    page.locator("#sim-seed").press("Enter")
    expect(page.locator(".sim-patient")).to_contain_text("A-000041")


def test_a_moving_slider_asks_for_one_film_at_a_time_and_ends_at_full_size(own_page: Page) -> None:
    wait_until_said(own_page)
    asked, held = asks(own_page, "simulated_preview"), HeldAnswers(own_page, "simulated_preview", only={0})
    slider = own_page.get_by_label("Severity of Pleural Effusion")
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    own_page.mouse.move(box["x"] + box["width"] * 0.8, middle)
    own_page.mouse.down()
    for share in np.linspace(0.8, 0.1, 25):
        own_page.mouse.move(box["x"] + box["width"] * share, middle)
        own_page.wait_for_timeout(30)
    held.wait()
    assert len(asked) == 1  # what was wanted meanwhile waits, and only the newest of it
    held.end()
    own_page.mouse.up()
    expect(own_page.locator(".sim-figure")).to_have_text(re.compile(r"0\.[01]\d"))
    wait_until_simulated(own_page)
    assert len(asked) <= 3
    severity = float(own_page.locator(".sim-figure").inner_text())
    assert f"left,{severity:.2f}" in own_page.url
    wait_until_said(own_page)
    assert levels(own_page).shape == (512, 512)


def test_masks_twin_and_difference_are_a_key_away(page: Page) -> None:
    film = levels(page)
    masks = page.locator("#simulate .masks")
    expect(masks).to_be_visible()
    assert masks.locator(".mask-line").count() == 1
    expect(page.locator("#simulate .mask-chip")).to_have_text("Pleural Effusion")
    expect(page.locator("#simulate .sim-request.masked-row")).to_have_count(1)
    page.keyboard.press("m")
    expect(masks).to_be_hidden()
    expect(page.locator("#simulate .mask-key")).to_be_hidden()
    page.keyboard.press("m")
    wait_until_said(page)  # then the twin is there
    tap(page, "t")
    expect(page.locator("[data-command=twin]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#simulate .facts")).to_contain_text("TWIN")
    twin = levels(page)
    assert np.abs(twin - film).max() > 20 and (twin == film).mean() > 0.5
    page.keyboard.press("d")
    expect(page.locator("#simulate .facts")).to_contain_text("DIFFERENCE")
    assert np.median(levels(page)) == pytest.approx(128, abs=1)
    page.keyboard.press("d")
    assert np.array_equal(levels(page), film)


def pressed(page: Page, command: str) -> Locator:
    """The button of a view, where it is the one on show."""
    return page.locator(f"#simulate [data-command={command}][aria-pressed=true]")


@pytest.mark.parametrize(("view", "seed"), [("twin", "300042"), ("difference", "300043")])
def test_a_link_to_the_twin_shows_it_once_it_is_drawn(page: Page, phantom_server: Server, view: str, seed: str) -> None:
    go(page, f"{phantom_server.url}/{EFFUSION.replace('300041', seed)}&show={view},masks")
    pressed(page, view).wait_for(timeout=SLOW)
    expect(page.locator("#simulate .facts")).to_contain_text(view.upper())
    expect(page.locator("#simulate .mask-line")).to_be_visible()
    assert page.url.endswith(f"&show={view},masks")


def test_a_twin_that_is_asked_for_early_is_shown_when_it_comes(
    page: Page, phantom_server: Server, wording: Wording
) -> None:
    held = HeldAnswers(page, "simulated_twin")
    go(page, f"{phantom_server.url}/{EFFUSION.replace('300041', '300044')}")
    held.wait()
    wait_until_simulated(page)
    tap(page, "t")
    wording(text_with(page.locator("#simulate .said"), "not ready"))
    expect(pressed(page, "twin")).to_have_count(0)
    held.end()
    pressed(page, "twin").wait_for(timeout=SLOW)


def test_the_address_holds_the_view_and_the_masks(page: Page) -> None:
    wait_until_said(page)
    tap(page, "t")
    assert page.url.endswith("&show=twin,masks")
    page.keyboard.press("m")
    assert page.url.endswith("&show=twin")
    tap(page, "t")
    assert page.url.endswith("&show=film")
    page.reload()
    wait_until_said(page)
    expect(page.locator("#simulate .masks")).to_be_hidden()
    page.keyboard.press("m")
    assert page.url.endswith(EFFUSION)


def test_another_patient_is_shown_as_a_film_first(page: Page) -> None:
    wait_until_said(page)
    tap(page, "t")
    pressed(page, "twin").wait_for()
    page.locator("#sim-seed").fill("41")
    page.locator("#sim-seed").press("Enter")
    expect(page.locator(".sim-patient")).to_contain_text("A-000041")
    wait_until_said(page)
    expect(pressed(page, "twin")).to_have_count(0)
    assert "show=" not in page.url


def test_a_held_key_shows_the_twin_as_long_as_it_is_held(page: Page) -> None:
    wait_until_said(page)
    twin = page.locator("[data-command=twin]")
    tap(page, "t")
    expect(twin).to_have_attribute("aria-pressed", "true")
    tap(page, "t")
    expect(twin).to_have_attribute("aria-pressed", "false")
    page.keyboard.down("t")
    expect(twin).to_have_attribute("aria-pressed", "true")
    page.wait_for_timeout(400)
    page.keyboard.up("t")
    expect(twin).to_have_attribute("aria-pressed", "false")


def test_window_and_zoom_stay_while_the_film_changes(own_page: Page) -> None:
    own_page.keyboard.press("n")
    own_page.keyboard.press("+")
    kept = own_page.locator("#simulate .readout").inner_text()
    own_page.get_by_label("Side of Pleural Effusion").select_option("right")
    wait_until_simulated(own_page)
    assert own_page.locator("#simulate .readout").inner_text() == kept


def test_the_models_are_set_beside_the_truth(page: Page) -> None:
    wait_until_said(page)
    expect(page.locator(".sim-model").first).to_have_text("phantomRandom weights")
    second = page.locator(".sim-second")
    expect(second.locator("summary")).to_have_text(re.compile("^phantom-vlm[A-Z]"))
    expect(second.locator(".sim-table")).to_be_hidden()
    second.locator("summary").click()
    expect(second.locator(".sim-note")).to_have_text("Random weights, too")
    expect(second.locator(".sim-table tbody tr")).to_have_count(1)
    first = page.locator(".sim-table").first
    expect(first.locator("tbody tr")).to_have_count(1)
    score, twin = first.locator(".sim-score").all_inner_texts()
    words = first.locator(".sim-outcome").all_inner_texts()
    assert words[0].endswith("hit" if float(score) >= 0.5 else "miss")
    assert words[1].endswith("false alarm" if float(twin) >= 0.5 else "correct rejection")
    share, rate = r"\d+(\.\d)?\s%", r"[01]\.\d\d"
    heat = line(page, "Heat in the mask")
    assert re.match(rf"{share}; by chance {share}", heat) or "no heat" in heat
    assert re.match(rf"missed [01] of 1: {rate} \[{rate}\u2013{rate}\]", line(page, "Center A"))
    assert line(page, "Also flagged")


def test_a_finding_that_the_classifier_was_not_taught_is_said_and_left_to_the_words(page: Page) -> None:
    add(page, "Scoliosis")
    wait_until_said(page)
    expect(page.locator(".sim-answer > .sim-note")).to_contain_text("Scoliosis")
    expect(page.locator(".sim-second .sim-table")).to_be_visible()  # unfolded: the first model has no row of it
    expect(page.locator(".sim-second .sim-table")).to_contain_text("Scoliosis")


def test_findings_and_scores_can_be_hidden(page: Page) -> None:
    wait_until_said(page)
    page.keyboard.press("h")
    expect(page.locator(".sim-table")).to_have_count(0)
    expect(page.locator(".sim-requests")).to_be_hidden()
    expect(page.locator("#simulate .masks")).to_be_hidden()
    page.keyboard.press("h")
    expect(page.locator(".sim-table").first).to_be_visible()


@pytest.mark.journey
def test_the_film_goes_on_to_read(own_page: Page) -> None:
    own_page.locator(".sim-read").click()
    expect(own_page.locator(".sim-said")).to_have_text("", timeout=SLOW)  # whatever kept it from opening is said there
    expect(own_page.get_by_role("tab", name="Read", exact=True)).to_have_attribute("aria-selected", "true")
    expect(own_page.locator("#read .film-name")).to_contain_text("A-300041")
    expect(own_page.locator("#read .simulated-mark")).to_have_text("SIMULATED")
    own_page.get_by_role("tab", name="Simulate", exact=True).click()
    assert EFFUSION in own_page.url


@pytest.mark.parametrize("words", ["center=C&seed=1&Mass=left,0.50", "center=A&seed=x", "center=A&seed=1&Cough=,0.50"])
def test_a_damaged_link_is_refused_in_words(page: Page, phantom_server: Server, words: str) -> None:
    page.goto(f"{phantom_server.url}/#simulate?{words}")
    expect(page.locator(".sim-refusal")).to_be_visible()
    choose_center(page, "A")
    for away in page.locator(".sim-away").all():
        away.click()
    page.locator(".sim-another").click()
    wait_until_simulated(page)
    expect(page.locator(".sim-refusal")).to_be_hidden()


def test_axe_finds_nothing_and_the_page_is_no_wider_than_the_window(own_page: Page) -> None:
    own_page.locator(".lessons-head").click()
    add(own_page, "Scoliosis")
    wait_until_said(own_page)
    for width in WIDTHS:
        assert_accessible_at(own_page, width)
        assert own_page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    tap(own_page, "t")
    assert_accessible_at(own_page, *WIDTHS, within="#simulate .film-side")
    own_page.goto(own_page.url.replace("center=A", "center=C"))
    expect(own_page.locator(".sim-refusal")).to_be_visible()
    assert_accessible_at(own_page, *WIDTHS, within="#simulate")
