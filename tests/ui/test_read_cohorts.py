"""Read beside a cohort that the visitor chose, and a film that is in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.cohorts.layout import CACHE
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.conftest import NewVisitor
from tests.ui.held import HeldAnswers
from tests.ui.reading_room import SLOW, choose, open_sample, upload, wait_until_joined, wait_until_read
from tests.ui.text_shown import text_with
from tests.ui.windows import Kind, windows

pytestmark = [pytest.mark.browser, pytest.mark.shared]
CASES = ".alike-case"


@pytest.fixture(scope="module")
def masses_beside(chromium: Browser, cohort_server: Server) -> Iterator[Page]:
    """RG1 read beside the first of several cohorts."""
    with windows(chromium).window(1440, 900, Kind()) as page:
        page.goto(cohort_server.url)
        page.locator(".room[data-state=empty]").wait_for()
        open_sample(page)
        wait_until_joined(page)
        yield page


def test_the_cohort_that_was_chosen_last_is_shown(masses_beside: Page) -> None:
    page = masses_beside
    cohorts = page.locator(".alike-cohort")
    one, two = cohorts.locator("option").all_inner_texts()[1:3]
    held = HeldAnswers(page, "join")
    cohorts.select_option(label=one)
    held.wait()
    cohorts.select_option(label=two)
    held.wait(2)
    held.let_go(1)
    title = page.locator(".alike-title")
    expect(title).to_contain_text(two.split(" (")[0])
    words = title.inner_text()
    held.arrive()
    expect(title).to_have_text(words)


def test_another_cohort_can_be_chosen_and_its_centers_are_told(masses_beside: Page) -> None:
    page = masses_beside
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
    expect(numbers).to_contain_text("no score for Hernia")
    assert np.all([text == "not scored" for text in page.locator(".alike-outcome").all_inner_texts()])


def store_score(case: str, finding: str) -> float:
    said = pd.read_parquet(CACHE / "nih-oof" / "predictions" / "nih-ensemble").set_index(["case", "finding"]).score
    return float(said.loc[(case, finding)])


def test_a_film_of_the_cohort_finds_itself_and_its_picture(
    new_explorer: NewVisitor, shared: Path, wording: Wording
) -> None:
    page = new_explorer("")
    (film,) = (shared / "data" / "nih_cxr14").rglob("00000150_002.jpg")
    upload(page, "film.jpg", film.read_bytes())
    wait_until_read(page)
    wait_until_joined(page)
    wording(text_with(page.locator(".alike-words")))
    wording(text_with(page.locator(".training-film"), "in-sample"))
    choose(page, "Hernia")
    unseen = store_score("00000150_002", "Hernia")
    expect(page.locator(".numbers")).to_contain_text(f"gives it {unseen:.2f}")
    expect(page.locator(".finding[data-finding=Edema] .bar-unseen")).to_be_attached()
    page.get_by_role("tab", name="Ask", exact=True).click()
    page.locator("#ask-text").fill("hernia")
    page.locator("#ask-text").press("Enter")
    wording(text_with(page.locator("#ask .answer-caution").last, "nih-ensemble", SLOW))
    page.get_by_role("tab", name="Read", exact=True).click()
    image = page.locator("img.alike-film").first
    expect(image).to_be_visible()
    page.wait_for_function("image => image.naturalWidth > 0", arg=image.element_handle())
