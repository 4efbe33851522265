"""Projector mode: while labels are hidden nothing tells of them, neither on the page nor in what is sent to it."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.core.findings import FINDINGS
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import Answers, add_filter, hide, next_page, sentence, tiles, wait_until_shown
from tests.ui.windows import Kind, go, windows

pytestmark = pytest.mark.browser
BARE = "#explore?panel=compare"  # with nothing pinned this panel asks the server for nothing
TELLING = re.compile(
    r"\b(miss(es|ed)?|false[ -]alarms?|hits?|correct[ -]rejections?|"
    + "|".join(re.escape(name) for name in FINDINGS)
    + r")\b|0\.\d\d",
    re.IGNORECASE,
)
EVERYTHING = """() => {
    const room = document.querySelector(".explore").cloneNode(true);
    for (const part of room.querySelectorAll("dialog .film-side, .case-covered")) part.remove();
    const ours = (trait) => !["class", "style", "id", "aria-controls", "aria-labelledby"].includes(trait.name);
    const traits = [...room.querySelectorAll("*")].flatMap((part) => [...part.attributes].filter(ours));
    return [room.textContent, document.title, location.href, ...traits.map((trait) => trait.value)].join(" ; ");
}"""


def telling(page: Page) -> list[str]:
    return sorted({match.group() for match in TELLING.finditer(page.evaluate(EVERYTHING))})


def class_link(page: Page) -> str:
    page.evaluate("navigator.clipboard.writeText('')")
    page.get_by_role("button", name="For a class").click()
    page.get_by_role("option", name="Copy a link").click()
    expect(page.locator(".explore-said")).to_contain_text("copied")
    return str(page.wait_for_function("() => navigator.clipboard.readText()").json_value())


@pytest.fixture
def a_pupil(chromium: Browser) -> Iterator[Page]:
    """The window of somebody else, who has not been anywhere yet: what the page asks when it opens can be heard."""
    with windows(chromium).window(1440, 900, Kind()) as page:
        yield page


def test_nothing_on_the_page_tells(new_explorer: NewVisitor) -> None:
    page = new_explorer()
    add_filter(page, "Finding", "Pleural Effusion")
    assert telling(page)  # the search finds what it looks for
    page.locator(".tile").first.click()
    page.locator(".case-row[aria-pressed=true]").wait_for()
    page.keyboard.press("Escape")  # of a case that was looked at nothing stays either
    wait_until_shown(page)
    before = tiles(page)
    hide(page)
    assert telling(page) == []
    assert tiles(page) != before
    assert "shuffled" in sentence(page)
    assert page.locator(".tile-number").all_inner_texts() == [f"Film {n}" for n in range(1, 25)]
    next_page(page, 2)
    assert telling(page) == []
    assert page.locator(".tile-number").all_inner_texts() == [f"Film {n}" for n in range(25, 49)]
    page.locator(".chip-add").click()
    assert telling(page) == []


def test_nothing_that_is_sent_tells(new_explorer: NewVisitor, a_pupil: Page) -> None:
    page = new_explorer()
    add_filter(page, "Finding", "Pleural Effusion")
    link = class_link(page)
    assert re.search(r"#explore\?sealed=[\w-]+$", link)
    code = link.partition("sealed=")[2]
    assert b"effusion" not in base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))  # sealed, not written in code
    pupil, asked_of_the_server = a_pupil, list[str]()
    answers = Answers(pupil)
    pupil.on("request", lambda each: asked_of_the_server.append(each.post_data or ""))
    pupil.goto(link)
    wait_until_shown(pupil)
    next_page(pupil, 2)
    pupil.wait_for_timeout(1000)
    assert "slice_page" in answers.asked
    assert [sent for sent in asked_of_the_server if TELLING.search(sent) or "effusion" in sent] == []
    for name, answer in answers.said:
        if name == "models":  # which models there are to read a film with: the same on every page
            continue
        assert not TELLING.search(answer), (name, answer[:400])
    before = len(answers.said)
    pupil.locator(".tile").first.click()
    pupil.locator(".case .film-side.has-film:not(.waiting)").wait_for()
    pupil.wait_for_timeout(500)
    assert {"case_place", "case_film"} <= {name for name, _ in answers.said[before:]}
    for name, answer in answers.said[before:]:
        if name == "models":
            continue
        without_pixels = re.sub(r'"image":"[^"]+"', "", answer)
        assert not any(re.search(rf"\b{finding}\b", without_pixels) for finding in FINDINGS), (name, without_pixels)


def test_one_film_can_be_revealed_and_then_the_page(new_explorer: NewVisitor) -> None:
    page = new_explorer(BARE)
    hide(page)
    page.locator(".tile-reveal").nth(2).click()
    expect(page.locator(".tile").nth(2).locator(".outcome-badge")).to_be_visible()
    assert page.locator(".outcome-badge").count() == 1
    page.locator(".reveal-all").click()
    expect(page.locator(".tiles .outcome-badge")).to_have_count(24)
    next_page(page, 2)
    assert page.locator(".tiles .outcome-badge").count() == 0


def test_everything_comes_back(new_explorer: NewVisitor) -> None:
    page = new_explorer(BARE)
    said, films = sentence(page), tiles(page)
    hide(page)
    page.locator(".hide-switch").click()
    expect(page.locator(".sentence")).to_have_text(said)
    assert tiles(page) == films


def test_a_class_sees_the_same_films_in_the_same_order(new_explorer: NewVisitor) -> None:
    page = new_explorer(BARE)
    unshuffled, link = tiles(page), class_link(page)
    assert class_link(page) != link
    fragment = link[link.index("#") :]
    pupil = new_explorer(fragment)
    go(page, link)  # the teacher follows it, too
    wait_until_shown(page)
    assert tiles(page) == tiles(pupil) != unshuffled
