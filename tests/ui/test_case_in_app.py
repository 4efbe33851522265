"""The case view in the app itself, on the shipped cohort with its real films, and without them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Page, expect

from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.public_ids import opaque_id
from models.radiograph import read_radiograph
from tests.support.wording import Wording
from tests.ui.axe import HEIGHT, assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, Answers, open_explore, state, tiles, wait_until_shown
from tests.ui.reading_room import canvas, open_sample, wait_until_said
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser
COHORT = "nih-oof"
PANEL = "panel=compare"  # with nothing pinned it asks the server for nothing: the table would, of each of these slices
MISSES = f"#explore?finding=mass&outcome=miss&{PANEL}"
WITHHELD = {"case_facts", "case_maps", "case_near", "case_mark"}  # while labels are hidden
(BOX, *_) = pq.read_table(Folder(CACHE / COHORT).boxes).to_pylist()
BOXED = f"#explore?finding={BOX['finding'].lower()}&case={opaque_id(COHORT, 'case', BOX['case'])}&{PANEL}"
FILES = dict(
    zip(*pq.read_table(Folder(CACHE / COHORT).cases, columns=["case", "file"]).to_pydict().values(), strict=True)
)


def wait_for_case(page: Page) -> None:
    page.locator(".case-row[aria-pressed=true]").wait_for(timeout=SLOW)


def wait_for_film(page: Page) -> None:
    page.locator(".case .film-side.has-film:not(.waiting)").wait_for(timeout=SLOW)


def wait_for_map(page: Page) -> None:
    page.locator(".case .legend:visible, .case .evidence:visible").first.wait_for(timeout=SLOW)


def open_first(page: Page) -> None:
    page.locator(".tile").first.click()
    wait_for_case(page)
    wait_for_film(page)


def film_on_page(page: Page) -> np.ndarray:
    return canvas(page, "case-film")[..., 0]


def test_a_click_on_a_film_opens_it_and_its_link_opens_it_again_elsewhere(new_explorer: NewVisitor) -> None:
    page = new_explorer(MISSES)
    (first, *_) = tiles(page)
    open_first(page)
    assert state(page)["case"] == first
    assert page.locator(".case-outcome").inner_text().split()[-2:] == ["miss", "Mass"]
    expect(page.locator(".case-title")).to_have_text("Case 1 of 13")
    page.get_by_role("button", name="Copy link").nth(1).click()
    link = page.evaluate("navigator.clipboard.readText()")
    other = new_explorer(link[link.index("#") :])
    wait_for_case(other)
    wait_for_film(other)
    assert other.locator(".case-scores").inner_text() == page.locator(".case-scores").inner_text()
    assert np.array_equal(film_on_page(other), film_on_page(page))


def test_no_patient_is_named_by_the_page_or_the_server(new_explorer: NewVisitor) -> None:
    page = new_explorer(MISSES)
    answers = Answers(page)
    open_first(page)
    page.locator(".case-near-film").first.wait_for(timeout=SLOW)
    said = "".join(text for name, text in answers.said if name.startswith("case_"))
    assert "case_facts" in answers.asked
    assert not re.search(r'"(patient|study)":', said)
    assert page.locator(".case-about dt").all_inner_texts() == ["Cohort", "Center", "View", "Sex", "Age"]


def test_arrows_go_through_the_slice_over_its_pages_and_back_undoes_them(new_explorer: NewVisitor) -> None:
    page = new_explorer(f"#explore?outcome=miss&{PANEL}")
    last = tiles(page)[-1]
    page.locator(f".tile[data-case='{last}']").click()
    wait_for_case(page)
    expect(page.locator(".case-title")).to_contain_text("Case 24 of")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".case-title")).to_contain_text("Case 25 of", timeout=SLOW)
    assert state(page)["page"] == "2"
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".case-title")).to_contain_text("Case 24 of", timeout=SLOW)
    assert "page" not in state(page)
    page.go_back()
    expect(page.locator(".case-title")).to_contain_text("Case 25 of", timeout=SLOW)
    page.keyboard.press("Escape")
    wait_until_shown(page)
    expect(page.locator(".tile").first).to_be_focused()  # that of case 25, the first of its page


def test_the_box_lies_on_the_film_where_the_radiologist_drew_it(new_explorer: NewVisitor) -> None:
    page = new_explorer(BOXED)
    wait_for_film(page)
    wait_for_case(page)
    wait_for_map(page)  # the film may move when it comes
    film = page.locator("#case-film-canvas").bounding_box()
    line = page.locator(".box-line").bounding_box()
    assert film
    assert line
    for side, begin, length in (("x", film["x"], film["width"]), ("y", film["y"], film["height"])):
        assert line[side] + 0.75 == pytest.approx(begin + BOX[side] * length, abs=0.2)
    assert line["width"] - 1.5 == pytest.approx(BOX["width"] * film["width"], abs=0.2)
    assert line["height"] - 1.5 == pytest.approx(BOX["height"] * film["height"], abs=0.2)
    expect(page.locator(".box-name")).to_have_text(BOX["finding"])
    expect(page.locator(".case-labels")).to_contain_text("drawn by a radiologist")
    page.keyboard.press("b")
    expect(page.locator(".case .boxes")).to_be_hidden()


def test_the_film_is_the_file_and_the_map_is_honest_about_itself(new_explorer: NewVisitor, shared: Path) -> None:
    page = new_explorer(BOXED)
    wait_for_film(page)
    path = Images({"nih": shared / "data" / "nih_cxr14"}).path("nih", FILES[BOX["case"]])
    assert path is not None
    expected = read_radiograph(path.read_bytes()).pixels
    shown = film_on_page(page)
    assert shown.shape == expected.shape
    assert np.abs(shown - expected * 255).max() <= 0.51
    wait_for_map(page)
    notes = page.locator(".case-notes").inner_text()
    assert "out of fold" in notes and "in-sample" in notes
    own = page.locator(".case-row[aria-pressed=true] .case-row-score").inner_text()
    live = re.findall(r"score here is (\d\.\d\d)", notes)
    assert live and own not in live  # out of fold and live are different models
    if page.locator(".case .evidence-show").is_visible():
        page.locator(".case .evidence-show").click()
    assert canvas(page, "case-heat")[..., 3].max() > 0


def test_a_nearest_case_opens_and_there_is_a_way_back(new_explorer: NewVisitor) -> None:
    page = new_explorer(MISSES)
    open_first(page)
    first = state(page)["case"]
    near = page.locator(".case-near-film")
    near.first.wait_for(timeout=SLOW)
    assert near.count() == 6
    expect(near.first.locator(".outcome-badge")).to_be_visible()
    picture = near.first.locator("img")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('.case-near-film img').naturalWidth >= 64")
    near.first.click()
    expect(page.locator(".case-title")).not_to_contain_text("Case 1 of")
    wait_for_film(page)
    assert state(page)["case"] != first
    page.get_by_role("button", name="Back to the slice").click()
    expect(page.locator(".case-title")).to_have_text("Case 1 of 13", timeout=SLOW)


def test_hidden_the_server_is_asked_for_the_film_alone(new_explorer: NewVisitor) -> None:
    page = new_explorer(MISSES + "&hide=1", anew=True)  # who looked at maps before is asked for them again
    answers = Answers(page)
    page.locator(".tile").first.click()
    wait_for_film(page)
    expect(page.locator(".case-reveal")).to_be_visible()
    page.wait_for_timeout(300)
    assert not WITHHELD & set(answers.asked)
    film = "".join(text for name, text in answers.said if name == "case_film")
    assert "Mass" not in film
    page.get_by_role("button", name="Reveal", exact=True).last.click()
    wait_for_case(page)
    wait_for_map(page)
    page.locator(".case-near-film").first.wait_for(timeout=SLOW)
    assert WITHHELD <= set(answers.asked)


def test_keys_of_the_case_do_not_reach_read_nor_those_of_read_the_case(new_explorer: NewVisitor) -> None:
    page = new_explorer("")
    open_sample(page)
    before = canvas(page, "film")
    open_explore(page)
    page.keyboard.press("i")  # no case is open, and Read is behind
    open_first(page)
    film = film_on_page(page)
    for key in ("i", "h", "n", "ArrowDown"):
        page.keyboard.press(key)
    page.wait_for_timeout(100)
    assert not np.array_equal(film_on_page(page), film)
    page.keyboard.press("Escape")
    wait_until_shown(page)
    page.get_by_role("tab", name="Read", exact=True).click()
    assert np.array_equal(canvas(page, "film"), before)
    expect(page.locator(".finding").first).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("i")
    page.wait_for_timeout(100)
    assert np.array_equal(canvas(page, "film")[..., 0], 255 - before[..., 0])


@pytest.mark.shared
def test_a_patients_film_of_a_folder_is_read_too(new_explorer: NewVisitor) -> None:
    page = new_explorer(MISSES, anew=True)
    page.set_default_timeout(SLOW)
    page.locator(".tile").first.click()
    page.locator(".case .film-side.has-film:not(.waiting)").wait_for()
    expect(page.locator(".case-onward")).to_have_count(3)
    page.get_by_role("button", name="Read this film").click()
    without_its_folder = re.compile(r"^[0-9]{8}_[0-9]{3}\.(png|jpg)$")
    expect(page.locator("#read .film-name")).to_have_text(without_its_folder)
    wait_until_said(page)
    expect(page.locator("#read .simulated-mark")).to_be_empty()
    expect(page.locator("#read .made-as")).to_be_hidden()


def test_a_link_to_a_case_that_is_not_there_says_so(new_explorer: NewVisitor, wording: Wording) -> None:
    page = new_explorer(MISSES + "&case=0123456789abcdef")
    gone = text_with(page.locator(".no-film-title"), timeout=SLOW)
    wording(gone)
    expect(page.locator(".case-outcome")).to_have_text(gone)
    page.keyboard.press("Escape")
    expect(page.locator("dialog.case")).to_be_hidden()


def revealed(page: Page) -> None:
    """As it opens, with its map."""
    wait_for_map(page)
    page.locator(".case-near-film").first.wait_for(timeout=SLOW)
    page.locator(".case-sql summary").click()
    closed = page.locator(".case-fold:not([open]) > summary")
    while closed.count():
        closed.first.click()


def covered(page: Page) -> None:
    page.keyboard.press("h")
    expect(page.locator(".case-reveal")).to_be_visible()


def test_axe_finds_nothing_on_a_phone_either(new_explorer: NewVisitor) -> None:
    page = new_explorer(BOXED)
    wait_for_case(page)
    wait_for_film(page)
    for reach in (revealed, covered):
        page.set_viewport_size({"width": 1440, "height": HEIGHT})
        reach(page)
        assert_accessible_at(page, 1440, 390, within="dialog.case")  # the page below it is tested at rest
        assert page.evaluate("document.querySelector('dialog.case').scrollWidth") <= 390  # it never grows wider
