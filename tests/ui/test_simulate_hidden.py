"""A hidden film in Simulate: nothing tells what it has before the reveal, neither the page nor what is sent to it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.core.findings import FINDINGS
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible_at
from tests.ui.explore_room import Answers
from tests.ui.simulate_room import SLOW, choose, tap, wait_until_said, wait_until_simulated
from tests.ui.windows import Kind, go, windows

pytestmark = pytest.mark.browser
WIDTHS = (1440, 1024, 390)
GOITER = "#simulate?center=A&seed=300041&Pleural+Effusion=left,0.80&Goiter=,0.90"
TELLING = re.compile("|".join((*map(re.escape, FINDINGS), "300041", "phantom://", "mask_", "severity")), re.IGNORECASE)
# All of the page but the lists to choose from, which have every finding's name whatever the film has.
EVERYTHING = """() => {
    const page = document.querySelector("#simulate").cloneNode(true);
    const lists = "option, optgroup, .lessons, .keys, .quiz-head, .answer-form, [data-command=masks]";
    for (const part of page.querySelectorAll(lists)) part.remove();
    const ours = (trait) => !["class", "style", "id"].includes(trait.name);
    const traits = [...page.querySelectorAll("*")].flatMap((part) => [...part.attributes].filter(ours));
    const fields = [...document.querySelectorAll("#simulate input")].map(({ value }) => value);
    return [page.textContent, document.title, decodeURIComponent(location.href), ...fields,
        ...traits.map(({ value }) => value)].join(" ; ");
}"""


@pytest.fixture(scope="module")
def opened(chromium: Browser) -> Iterator[Page]:
    with windows(chromium).window(1440, 900, Kind()) as page:
        page.set_default_timeout(SLOW)
        yield page


@pytest.fixture
def page(opened: Page, phantom_server: Server) -> Page:
    """Where the last test left it, by a link; what that heard of answers it goes on to hear."""
    opened.set_viewport_size({"width": 1440, "height": 900})
    go(opened, f"{phantom_server.url}/{GOITER}")
    wait_until_said(opened)
    return opened


def telling(page: Page) -> list[str]:
    return sorted({match.group() for match in TELLING.finditer(page.evaluate(EVERYTHING))})


def without_pixels(answer: str) -> str:
    """An answer without what is random letters: the film's picture and its sealed name."""
    return re.sub(r'"(image|seal)":"[^"]+"', "", answer)


def sealed(page: Page) -> None:
    """Wait until the film on show is hidden, its name sealed."""
    expect(page.locator(".simulating")).to_have_attribute("data-hidden", "true")
    page.wait_for_url(re.compile(r"#simulate\?sealed=[\w-]+"))
    wait_until_simulated(page)


def test_a_link_that_was_cut_is_refused_and_tells_nothing(page: Page, phantom_server: Server) -> None:
    page.keyboard.press("h")
    sealed(page)
    page.goto(page.url[:-4])
    expect(page.locator(".sim-refusal")).to_contain_text("cannot be opened here")
    assert telling(page) == []


def test_the_same_patient_at_both_centers_side_by_side(page: Page, wording: Wording) -> None:
    page.keyboard.press("c")
    names = page.locator("#simulate .pane-name")
    expect(names).to_have_text([re.compile("Center A"), re.compile("Center B")])
    wording(names.last.inner_text())
    figure = r"\d\.\d\d"
    expect(page.locator(".sim-beside-says").first).to_contain_text(re.compile(rf"Center B: Pleural Effusion {figure}"))
    assert page.url.endswith("&show=film,masks,centers")
    assert_accessible_at(page, *WIDTHS, within="#simulate")
    page.keyboard.press("h")
    sealed(page)
    expect(page.locator("#simulate .view")).to_have_count(1)
    assert telling(page) == []


def test_hidden_neither_page_nor_address_nor_answers_tell(page: Page, phantom_server: Server) -> None:
    assert {"Goiter", "300041"} <= set(telling(page))  # the search finds what it looks for
    page.keyboard.press("h")
    sealed(page)
    assert telling(page) == []
    answers = Answers(page)
    for key in "tdmc":  # views that would tell
        tap(page, key)
        assert telling(page) == []
    expect(page.locator("#simulate .said")).to_contain_text("Reveal the film first")
    link = page.url
    page.keyboard.press("p")  # another patient with the same findings
    page.wait_for_url(lambda url: url != link)
    sealed(page)
    assert telling(page) == []
    page.goto(f"{phantom_server.url}/#read")
    page.goto(link)
    page.reload()
    sealed(page)
    assert telling(page) == []
    page.wait_for_timeout(1000)
    assert {"simulated_hidden", "simulated_hidden_other"} <= set(answers.asked)
    for name, answer in answers.said:
        if name in ("models", "lessons"):  # of no film
            continue
        assert not TELLING.search(without_pixels(answer)), (name, answer[:400])
    page.get_by_role("button", name="Reveal (H)").click()
    wait_until_said(page)
    assert page.url.endswith(GOITER)
    assert {"Goiter", "300041"} <= set(telling(page))


def test_a_quiz_from_question_to_tally(page: Page) -> None:
    page.get_by_role("button", name="Quiz", exact=True).click()
    answers = Answers(page)
    rights = 0
    for n in range(1, 4):
        sealed(page)
        expect(page.locator(".answer-commit")).to_be_disabled()
        assert telling(page) == []
        assert all(not TELLING.search(without_pixels(said)) for name, said in answers.said if name == "quiz_film")
        page.locator(".answer-finding select").select_option("none" if n == 1 else "Goiter")
        choose(page, "probable")
        page.locator(".answer-commit").click()
        expect(page.locator(".quiz-verdict")).to_be_visible()
        rights += page.locator(".quiz-verdict").get_attribute("data-right") == "true"
        expect(page.locator(".quiz-tally")).to_have_text(f"You: {rights} of {n} correct")
        wait_until_said(page)
        expect(page.locator(".answer-commit")).to_be_disabled()  # the first answer stands
        if n < 3:
            page.get_by_role("button", name="Next film").click()
            expect(page.locator(".quiz-verdict")).to_have_count(0)
    assert_accessible_at(page, *WIDTHS, within="#simulate .panel")
    page.locator(".quiz-kind").select_option("present Hernia")
    sealed(page)
    expect(page.locator(".quiz-question")).to_have_text("Is there Hernia?")
    expect(page.locator(".quiz-tally")).to_have_text("No answer yet.")
    for width in WIDTHS:
        assert_accessible_at(page, width, within="#simulate")
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("button", name="End the quiz").click()
    wait_until_simulated(page)
    expect(page.locator(".sim-order")).to_be_visible()
    assert "quiz" not in page.url
