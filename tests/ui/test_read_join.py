"""Read beside a cohort: nearest cases under the film, the cohort's rates among the numbers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from explorer.cohorts.layout import CACHE
from tests.ui.conftest import NewVisitor, Server
from tests.ui.reading_room import (
    SLOW,
    choose,
    open_sample,
    show_map,
    upload,
    wait_until_joined,
    wait_until_read,
)

pytestmark = pytest.mark.browser
CASES = ".alike-case"


def test_rates_and_nearest_cases_follow_the_finding(masses: Page) -> None:
    wait_until_joined(masses)
    expect(masses.locator(".alike-title")).to_have_text("Nearest cases in nih-oof")
    expect(masses.locator(CASES)).to_have_count(6)
    choose(masses, "Mass")
    numbers = masses.locator(".numbers")
    expect(numbers).to_contain_text("In nih-oof this model version")
    expect(numbers).to_contain_text("rare (CXR-LT 2026)")
    expect(numbers).to_contain_text(
        "2 findings: missed 16 of 59: 0.27 [0.17\u20130.40]; falsely called 2,305 of 3,241: 0.71 [0.70\u20130.73]"
    )
    words = masses.locator(".alike-outcome").all_inner_texts()
    assert all(re.fullmatch(r"[▼▲●○] (miss|false alarm|hit|correct rejection)", text) for text in words)
    choose(masses, "Pneumonia")
    expect(numbers).to_contain_text("missed 118 of 426 with it")
    assert masses.locator(".alike-outcome").all_inner_texts() != words


def test_a_case_without_its_image_names_the_file_and_every_one_leads_to_explore(masses: Page) -> None:
    wait_until_joined(masses)
    expect(masses.locator(".alike-missing")).to_have_count(6)
    assert re.fullmatch(r"\d{8}_\d{3}\.jpg", masses.locator(".alike-missing").first.inner_text())
    choose(masses, "Emphysema")
    link = masses.locator(".alike-link").first
    expect(masses.locator(".alike-distance").first).to_have_text(re.compile(r"more alike than \d+ % of pairs"))
    title = str(link.get_attribute("title"))
    assert "Cosine distance" in title and "are to their own nearest of another patient" in title
    address = str(link.get_attribute("href"))
    assert re.fullmatch(r"#explore\?cohort=[0-9a-f]{16}&model=[0-9a-f]{16}&case=[0-9a-f]{16}&look=Emphysema", address)
    link.click()
    expect(masses.locator("dialog.case[open]")).to_be_visible(timeout=SLOW)
    expect(masses.locator(".case button[aria-pressed=true]", has_text="Emphysema")).to_be_visible()
    masses.go_back()
    expect(masses.locator(".room[data-state=read]")).to_be_visible()
    expect(masses.locator(CASES)).to_have_count(6)


def test_hidden_opinion_hides_the_cohort_too(visitor: Page) -> None:
    visitor.locator(".film-first input").first.check()
    visitor.locator("[data-sample=masses]").click()
    visitor.get_by_role("button", name="Reveal").wait_for(timeout=SLOW)
    visitor.wait_for_timeout(1500)  # the cohort has answered by now
    expect(visitor.locator(".alike")).to_contain_text("Hidden with the model's opinion")
    expect(visitor.locator(CASES)).to_have_count(0)
    expect(visitor.locator(".numbers")).to_be_hidden()
    visitor.get_by_role("button", name="Reveal").click()
    wait_until_joined(visitor)
    visitor.keyboard.press("h")
    expect(visitor.locator(CASES)).to_have_count(0)


def test_counts_of_the_cohort_that_the_model_was_measured_on_stand_there_once(masses: Page) -> None:
    wait_until_joined(masses)
    choose(masses, "Mass")
    masses.locator(".numbers-fold").click()
    text = masses.locator(".numbers").inner_text()
    assert [text.count(counts) for counts in ("9 of 47", "941 of 1,603", "Youden")] == [1, 1, 1]
    assert "the counts above" in text


def test_every_finding_above_threshold_can_be_seen(new_visitor: NewVisitor) -> None:
    page = new_visitor(width=1440, height=900)
    open_sample(page)
    wait_until_joined(page)
    last = page.locator(".finding[data-state=above]").last.bounding_box()
    numbers = page.locator(".numbers").bounding_box()
    assert last is not None and numbers is not None
    assert last["y"] + last["height"] <= numbers["y"]


def test_the_film_stays_where_it_is_whatever_comes_below(visitor: Page) -> None:
    """From the moment it hangs: while it is scored, when the cases come, when the opinion is hidden."""
    seen = visitor.evaluate_handle("""() => {
        const seen = new Set();
        let hangs = false; // in the frame before: the first one measures itself before it is painted
        const look = () => {
            const room = document.querySelector(".room");
            if (hangs) seen.add(room.querySelector(".stage").clientHeight);
            hangs = /scoring|read/.test(room.dataset.state);
            requestAnimationFrame(look);
        };
        look();
        return seen;
    }""")
    open_sample(visitor)
    expect(visitor.locator(CASES)).to_have_count(6, timeout=SLOW)
    visitor.keyboard.press("h")
    expect(visitor.locator(CASES)).to_have_count(0)
    visitor.keyboard.press("h")
    expect(visitor.locator(CASES)).to_have_count(6)
    assert len(seen.evaluate("seen => [...seen]")) == 1


@pytest.mark.parametrize(("width", "height", "least"), [(1440, 900, 620), (1024, 768, 470), (390, 844, 400)])
def test_the_film_keeps_its_room(new_visitor: NewVisitor, width: int, height: int, least: int) -> None:
    page = new_visitor(width=width, height=height)
    open_sample(page)
    wait_until_joined(page)
    stage = page.locator(".stage").bounding_box()
    assert stage is not None and stage["height"] >= least
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    before = stage["height"]
    page.locator(".alike-head").click()
    expect(page.locator(CASES).first).to_be_hidden()
    if width > 760:
        assert page.evaluate("document.querySelector('.stage').clientHeight") > before


def store_score(case: str, finding: str) -> float:
    said = pd.read_parquet(CACHE / "nih-oof" / "predictions" / "nih-ensemble").set_index(["case", "finding"]).score
    return float(said.loc[(case, finding)])


@pytest.mark.shared
def test_a_film_of_the_cohort_finds_itself_and_its_picture(
    cohort_server: Server, new_visitor: NewVisitor, shared: Path
) -> None:
    page = new_visitor(cohort_server.url)
    (film,) = (shared / "data" / "nih_cxr14").rglob("00000150_002.jpg")
    upload(page, "film.jpg", film.read_bytes())
    wait_until_read(page)
    wait_until_joined(page)
    expect(page.locator(".alike-words")).to_have_text("The first one is this film, or a copy of it.")
    expect(page.locator(".training-film")).to_contain_text(
        "The model was trained on this film: its scores are in-sample"
    )
    choose(page, "Hernia")
    unseen = store_score("00000150_002", "Hernia")
    expect(page.locator(".numbers")).to_contain_text(
        f"A model that was not trained on this film gives it {unseen:.2f}, which tells as little."
    )
    expect(page.locator(".finding[data-finding=Edema] .bar-unseen")).to_be_attached()
    page.get_by_role("tab", name="Ask", exact=True).click()
    page.locator("#ask-text").fill("hernia")
    page.locator("#ask-text").press("Enter")
    expect(page.locator("#ask .answer-caution").last).to_have_text(
        "These scores are of the features of nih-ensemble, which was trained on this film: "
        "expect less on one it has not seen.",
        timeout=SLOW,
    )
    page.get_by_role("tab", name="Read", exact=True).click()
    image = page.locator("img.alike-film").first
    expect(image).to_be_visible()
    page.wait_for_function("image => image.naturalWidth > 0", arg=image.element_handle())


@pytest.mark.shared
def test_another_cohort_can_be_chosen_and_its_centers_are_told(cohort_server: Server, new_visitor: NewVisitor) -> None:
    page = new_visitor(cohort_server.url)
    open_sample(page)
    wait_until_joined(page)
    choose(page, "Mass")
    page.get_by_label("Cohort to compare with").select_option("own")
    expect(page.locator(".alike-title")).to_have_text("Nearest cases in own")
    numbers = page.locator(".numbers")
    expect(numbers).to_contain_text("In own this model")
    expect(numbers).to_contain_text("missed 1 of 1: 1.00 [0.21\u20131.00]; no negatives")
    expect(numbers).to_contain_text("South (in-sample)")
    expect(numbers).to_contain_text("Overall (part in-sample)")
    expect(page.locator(CASES)).to_have_count(2)
    choose(page, "Hernia")
    expect(numbers).to_contain_text("has no score for Hernia")
    assert np.all([text == "not scored" for text in page.locator(".alike-outcome").all_inner_texts()])


def test_a_film_that_is_like_none_of_the_cohort_is_told_so(visitor: Page) -> None:
    visitor.locator("[data-sample=leg]").click()
    visitor.get_by_role("button", name="Read it anyway").click(timeout=SLOW)
    wait_until_joined(visitor)
    choose(visitor, "Mass")
    expect(visitor.locator(".alike-words")).to_contain_text("Farther from this cohort than 99 % of its films")
    expect(visitor.locator(".numbers")).to_contain_text("its rates may say little about this film")


CUT = """parts => parts.flatMap(name => [...document.querySelectorAll(name)])
    .filter(part => part.getClientRects().length && part.scrollWidth > part.clientWidth + 1)
    .map(part => part.className + ": " + part.textContent)"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_nothing_that_says_a_figure_or_a_finding_is_cut(new_visitor: NewVisitor, width: int, height: int) -> None:
    page = new_visitor(width=width, height=height)
    open_sample(page, "phantom-hydropneumothorax")
    wait_until_joined(page)
    choose(page, "Hydropneumothorax")
    show_map(page)
    expect(page.locator(".legend-worth")).to_contain_text("its usual place")
    parts = [".legend-finding", ".legend-worth", ".alike-words", ".alike-distance", ".finding-name", ".numbers dd"]
    page.locator(".numbers-fold").click()
    assert page.evaluate(CUT, parts) == []
    name = page.locator(".finding[data-finding=Hydropneumothorax] .finding-name")
    assert name.evaluate("name => name.offsetHeight") < 20, "the longest word of the list is not broken"
    side = page.locator(".under-film").first.bounding_box()
    worth = page.locator(".legend-worth").first.bounding_box()
    assert side is not None and worth is not None
    assert worth["x"] + worth["width"] <= side["x"] + side["width"] + 1
