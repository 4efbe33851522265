"""Simulate while answers are late: the page is of the film that the address says, whatever comes when."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.held import CALLS, HeldAnswers, called, refused
from tests.ui.reading_room import canvas
from tests.ui.simulate_room import SLOW, close_lesson, tap, wait_until_said, wait_until_simulated
from tests.ui.text_shown import text_with
from tests.ui.viewer_harness import viewer_page
from tests.ui.windows import Kind, go, windows

pytestmark = pytest.mark.browser
EFFUSION = "#simulate?center=A&seed=300041&version=2&Pleural+Effusion=left,0.80"
FAINT = "#simulate?center=A&seed=300041&Nodule=left,0.10"
OTHERS = [EFFUSION.replace("300041", str(seed)) for seed in (300_042, 300_043)]  # patients without a twin on the page


@pytest.fixture
def page(chromium: Browser, phantom_server: Server) -> Iterator[Page]:
    """Where the last test left it, by a link; no lesson is left open."""
    with windows(chromium).window(1440, 900, Kind(), stays=True) as page:
        page.set_default_timeout(SLOW)
        go(page, f"{phantom_server.url}/{EFFUSION}")
        wait_until_said(page)
        yield page
        close_lesson(page)


@pytest.fixture
def own_page(chromium: Browser, phantom_server: Server) -> Iterator[Page]:
    """Of a test that is about what is asked while the page loads, or leaves a film in the other tabs."""
    with viewer_page(chromium, 1440, 900) as page:
        page.set_default_timeout(SLOW)
        yield page


def tab(page: Page, name: str) -> None:
    """Wait until a tab is in front."""
    expect(page.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")


def lesson(page: Page, title: str) -> None:
    page.locator(".lessons-head").click()
    page.get_by_role("link", name=title).click()


def test_a_film_that_was_left_does_not_take_the_place_of_the_one_gone_back_to(page: Page) -> None:
    before = canvas(page, "sim-film")
    held = HeldAnswers(page, "simulated_film")
    page.keyboard.press("p")
    held.wait()
    page.go_back()
    wait_until_said(page)  # the film that is there is the one that is wanted
    held.arrive()
    assert page.url.endswith(EFFUSION)
    expect(page.locator(".sim-patient")).to_contain_text("A-300041")
    assert np.array_equal(canvas(page, "sim-film"), before)


def test_a_film_that_was_left_and_fails_refuses_nothing(page: Page) -> None:
    held = HeldAnswers(page, "simulated_film")
    page.keyboard.press("p")
    held.wait()
    page.go_back()
    held.refuse()
    page.wait_for_timeout(500)
    wait_until_said(page)
    expect(page.locator(".sim-refusal")).to_be_hidden()


def test_a_slider_that_comes_back_leaves_the_film_that_was_there(page: Page) -> None:
    before = canvas(page, "sim-film")
    held = HeldAnswers(page, "simulated_preview", "simulated_film")
    page.get_by_label("Severity of Pleural Effusion").focus()
    page.keyboard.press("ArrowRight")
    held.wait()
    page.keyboard.press("ArrowLeft")
    held.arrive()
    wait_until_said(page)
    expect(page.locator(".simulating")).not_to_have_attribute("aria-busy", "true")
    assert page.url.endswith(EFFUSION)
    assert np.array_equal(canvas(page, "sim-film"), before)


def test_back_to_a_patient_whose_twin_was_still_on_its_way_brings_it(page: Page) -> None:
    page.locator("#sim-seed").fill("41")
    held = HeldAnswers(page, "simulated_twin", only={0})
    page.locator("#sim-seed").press("Enter")
    held.wait()
    expect(page.locator(".sim-patient")).to_contain_text("A-000041")
    page.go_back()
    expect(page.locator(".sim-patient")).to_contain_text("A-300041")
    held.end()
    wait_until_said(page)
    expect(page.locator("#sim-seed")).to_have_value("300041")  # though it has the focus
    page.locator("#simulate [data-command=twin]").click()
    expect(page.locator("#simulate .facts")).to_contain_text("TWIN")


def test_a_twin_that_comes_while_another_film_is_made_leaves_that_to_be_read(
    page: Page, phantom_server: Server, wording: Wording
) -> None:
    twins = HeldAnswers(page, "simulated_twin")
    go(page, f"{phantom_server.url}/{OTHERS[0]}")
    wait_until_simulated(page)
    twins.wait()
    films = HeldAnswers(page, "simulated_film")
    page.get_by_label("Add a finding").select_option("Scoliosis")
    films.wait()
    twins.arrive()
    films.end()
    wait_until_said(page)
    wording(text_with(page.locator(".sim-answer > .sim-note"), "Scoliosis"))


def test_a_twin_that_cannot_be_had_costs_only_the_twin(page: Page, phantom_server: Server, wording: Wording) -> None:
    refused(page, "simulated_twin", 1)
    go(page, f"{phantom_server.url}/{OTHERS[1]}")
    wait_until_said(page)
    wording(text_with(page.locator("#simulate .said"), "twin"))
    expect(page.locator(".sim-refusal")).to_be_hidden()
    tap(page, "t")  # and it is tried again
    expect(page.locator("#simulate .facts")).to_contain_text("TWIN")


def test_what_is_hidden_stays_hidden_while_a_model_is_loading(own_page: Page, phantom_server: Server) -> None:
    held = HeldAnswers(own_page, "simulated_text_model")
    polls = 0

    def loading(route: Route) -> None:
        nonlocal polls
        if called(route.request) != "simulated_progress":
            return route.fallback()
        polls += 1
        return route.fulfill(json={"loading": True})

    own_page.route(CALLS, loading)
    own_page.goto(f"{phantom_server.url}/{EFFUSION}")
    own_page.locator(".sim-table").first.wait_for()
    held.wait()
    expect(own_page.locator(".sim-answer")).to_contain_text("Waiting for the models")
    own_page.keyboard.press("h")
    before = polls
    own_page.wait_for_timeout(3500)
    assert polls <= before + 1  # one may have been on its way
    expect(own_page.locator(".sim-table")).to_have_count(0)
    held.end()


def test_a_map_that_was_asked_for_stays(page: Page, phantom_server: Server) -> None:
    held = HeldAnswers(page, "simulated_text_model")
    go(page, f"{phantom_server.url}/{FAINT}")
    wait_until_simulated(page)
    page.locator(".sim-table").first.wait_for()
    show = page.locator("#simulate .evidence-show")
    show.click()  # the model of these weights does not call it
    drawn = page.locator("#simulate .heat-canvas")
    expect(drawn).to_be_visible()
    held.wait()
    held.end()
    wait_until_said(page)
    expect(drawn).to_be_visible()
    page.keyboard.press("m")
    expect(page.locator("#simulate .masks")).to_be_hidden()
    expect(drawn).to_be_visible()


def test_the_lesson_that_was_clicked_last_is_told(page: Page) -> None:
    held = HeldAnswers(page, "lesson")
    lesson(page, "Why accuracy misleads on the tail")
    held.wait()
    lesson(page, "What zero-shot knows")
    held.wait(2)
    held.let_go(1)
    title = page.locator("#lesson-title")
    expect(title).to_have_text("What zero-shot knows")
    held.arrive()
    expect(title).to_have_text("What zero-shot knows")


def test_a_lesson_does_not_pull_back_whoever_went_on(page: Page) -> None:
    held, title = HeldAnswers(page, "lesson"), "Why accuracy misleads on the tail"
    lesson(page, title)
    held.wait()
    page.get_by_role("tab", name="Read", exact=True).click()
    held.arrive()
    tab(page, "Read")
    expect(page.locator(".lesson")).to_be_hidden()
    page.get_by_role("tab", name="Simulate", exact=True).click()  # where it was left
    expect(page.locator("#lesson-title")).to_have_text(title)


def test_back_in_a_lesson_is_the_step_before(page: Page) -> None:
    lesson(page, "The heat map that misleads")
    place = page.locator(".lesson-place")
    expect(place).to_have_text("1 of 5")
    page.locator(".lesson-next").click()
    expect(place).to_have_text("2 of 5")
    page.go_back()
    expect(place).to_have_text("1 of 5")
    wait_until_simulated(page)
    expect(page.locator("#simulate .facts")).not_to_contain_text("TWIN")


def test_read_then_ask_opens_the_film_in_ask(own_page: Page, phantom_server: Server) -> None:
    own_page.goto(f"{phantom_server.url}/{EFFUSION}")
    wait_until_said(own_page)
    # At once: the film may open faster than the second click of a test comes.
    own_page.evaluate("() => ['.sim-read', '.sim-ask'].forEach((way) => document.querySelector(way).click())")
    tab(own_page, "Ask")
    expect(own_page.locator("#ask .film-name").first).to_contain_text("A-300041")


def test_copy_twice_is_a_button_to_copy_again(page: Page) -> None:
    copy = page.locator(".sim-copy")
    words = copy.inner_text()
    copy.click()
    copy.click()
    expect(copy).to_have_text(words)
