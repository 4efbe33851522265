"""Read beside a cohort: nearest cases under the film, the cohort's rates among the numbers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from explorer.core.findings import Outcome
from explorer.reading.headline import UNLIKE_TITLE
from tests.support.wording import Wording
from tests.ui.held import MOMENT, called
from tests.ui.reading_room import (
    SLOW,
    choose,
    open_sample,
    wait_until_joined,
)
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser
CASES = ".alike-case"


def test_rates_and_nearest_cases_follow_the_finding(masses: Page) -> None:
    wait_until_joined(masses)
    expect(masses.locator(".alike-title")).to_contain_text("nih-oof")
    expect(masses.locator(CASES)).to_have_count(6)
    choose(masses, "Mass")
    numbers = masses.locator(".numbers")
    expect(numbers).to_contain_text("In nih-oof")
    expect(numbers).to_contain_text("rare (CXR-LT 2026)")
    expect(numbers).to_contain_text("21 of 59: 0.36 [0.19\u20130.57]")
    expect(numbers).to_contain_text("1,890 of 3,241: 0.58 [0.54\u20130.63]")
    assert masses.locator(".alike-words").inner_text() == ""
    words = masses.locator(".alike-outcome").all_inner_texts()
    assert all(re.fullmatch(rf"[▼▲●○] ({'|'.join(Outcome)})", text) for text in words)
    choose(masses, "Pneumonia")
    expect(numbers).to_contain_text("missed 55 of 426 with it")
    assert masses.locator(".alike-outcome").all_inner_texts() != words


def test_a_case_without_its_image_names_the_file_and_every_one_leads_to_explore(masses: Page) -> None:
    wait_until_joined(masses)
    expect(masses.locator(".alike-missing")).to_have_count(6)
    assert re.fullmatch(r"\d{8}_\d{3}\.jpg", masses.locator(".alike-missing").first.inner_text())
    choose(masses, "Emphysema")
    link = masses.locator(".alike-link").first
    expect(masses.locator(".alike-distance").first).to_have_text(re.compile(r"\d+ % of pairs"))
    title = str(link.get_attribute("title"))
    assert "Cosine distance" in title and re.search(r"\d+ % of [\d,]+ films", title)
    address = str(link.get_attribute("href"))
    assert re.fullmatch(r"#explore\?cohort=[0-9a-f]{16}&model=[0-9a-f]{16}&case=[0-9a-f]{16}&look=Emphysema", address)
    link.click()
    expect(masses.locator("dialog.case[open]")).to_be_visible(timeout=SLOW)
    expect(masses.locator(".case button[aria-pressed=true]", has_text="Emphysema")).to_be_visible()
    masses.go_back()
    expect(masses.locator(".room[data-state=read]")).to_be_visible()
    expect(masses.locator(CASES)).to_have_count(6)


def test_counts_of_the_cohort_that_the_model_was_measured_on_stand_there_once(masses: Page) -> None:
    wait_until_joined(masses)
    choose(masses, "Mass")
    masses.locator(".numbers-fold").click()
    text = masses.locator(".numbers").inner_text()
    assert [text.count(counts) for counts in ("13 of 47", "570 of 1,603", "Youden")] == [1, 1, 1]
    assert "the counts above" in text


def test_the_film_stays_where_it_is_whatever_comes_below(bare: Page) -> None:
    """From the moment it hangs: while it is scored, when the cases come, when the opinion is hidden."""
    seen = bare.evaluate_handle("""() => {
        const seen = new Set();
        let hangs = false; // in the frame before: the first one measures itself before it is painted
        const look = () => {
            const room = document.querySelector(".room");
            if (hangs) seen.add(room.querySelector(".stage").clientHeight);
            hangs = /scoring|read/.test(room.dataset.state);
            if (!seen.over) requestAnimationFrame(look);
        };
        look();
        return seen;
    }""")
    open_sample(bare)
    expect(bare.locator(CASES)).to_have_count(6, timeout=SLOW)
    bare.keyboard.press("h")
    expect(bare.locator(CASES)).to_have_count(0)
    bare.keyboard.press("h")
    expect(bare.locator(CASES)).to_have_count(6)
    assert len(seen.evaluate("seen => { seen.over = true; return [...seen]; }")) == 1


def test_hidden_opinion_hides_the_cohort_too(bare: Page, wording: Wording) -> None:
    bare.locator(".film-first input").first.check()
    with bare.expect_response(lambda answer: called(answer.request) == "join", timeout=SLOW) as cohort:
        bare.locator("[data-sample=masses]").click()
        bare.get_by_role("button", name="Reveal").wait_for(timeout=SLOW)
    cohort.value.finished()
    bare.wait_for_timeout(MOMENT)  # it would be shown by now
    wording(text_with(bare.locator(".alike")))
    expect(bare.locator(CASES)).to_have_count(0)
    expect(bare.locator(".numbers")).to_be_hidden()
    bare.get_by_role("button", name="Reveal").click()
    wait_until_joined(bare)
    bare.keyboard.press("h")
    expect(bare.locator(CASES)).to_have_count(0)


def test_a_film_that_is_like_none_of_the_cohort_is_told_so(bare: Page, wording: Wording) -> None:
    bare.locator("[data-sample=leg]").click()
    bare.get_by_role("button", name="Read it anyway").click(timeout=SLOW)
    wait_until_joined(bare)
    expect(bare.locator(".word-title")).to_contain_text("Refused, read anyway. ")
    choose(bare, "Mass")
    wording(text_with(bare.locator(".alike-words")))
    expect(bare.locator(".numbers")).to_contain_text(UNLIKE_TITLE)
