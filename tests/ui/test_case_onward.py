"""From a case of Explore to the models: its film hangs in Read or Ask, as the visitor's own would."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.insertion.burned_mark import MARK_ON_SIMULATED
from explorer.insertion.insertable import INSERTABLE
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import Reader
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.explore.tab import case_opener
from explorer.ui.read.handlers import OpenedFilms, ReadHandlers
from explorer.ui.read.joiner import Joiner
from explorer.ui.shared.links import cohort_id
from explorer.ui.shared.services import Services
from explorer.ui.shared.uploads import Uploads
from tests.support.small_phantom import write_phantom
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible
from tests.ui.explore_room import wait_until_shown
from tests.ui.reading_room import SLOW, canvas, wait_until_said
from tests.ui.viewer_harness import viewer_page
from tests.ui.windows import go

COHORT = "phantom-small"


class Counter:
    """Asks for the films of a small simulated cohort."""

    def __init__(self, place: Path) -> None:
        folder = write_phantom(place / "cohorts", COHORT)
        store = Store(lambda: [folder])
        services = Services(store, Images({}), None, cast(IntervalsJob, None))
        self.films, self.store = OpenedFilms(), store
        none = ByProvenance.one(cast(Reader, None))
        self._open = case_opener(
            services, ReadHandlers(none, self.films, Uploads(place), Joiner(store, services.images)), lambda sent: sent
        )

    def ask(self, case: object) -> dict[str, Any]:
        sent = {"state": {"cohort": cohort_id(COHORT)}, "case": case, "request": 7}
        event, request = SimpleNamespace(_data=sent), SimpleNamespace(session_hash="somebody")
        return self._open(cast(Any, event), cast(Any, request))


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Counter:
    return Counter(tmp_path_factory.mktemp("counter"))


def test_a_case_is_put_on_the_shelf_and_the_answer_says_whose_request_it_is(counter: Counter) -> None:
    (film, *_) = counter.store.page(Slice(COHORT, "phantom"))
    answer = counter.ask(film.id)
    assert (answer["stage"], answer["request"]) == ("film", 7)
    opened = counter.films.get(answer["token"])
    assert opened is not None and opened.film.unpacked().radiograph.simulated


@pytest.mark.parametrize("case", ["gone", None, 3, {"id": 1}])
def test_a_case_that_is_not_there_is_refused_in_words(counter: Counter, case: object) -> None:
    answer = counter.ask(case)
    assert (answer["stage"], answer["request"]) == ("refused", 7)


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    """The same one for all: each test goes to the case from wherever the one before it ended."""
    with viewer_page(chromium, 1440, 900) as page:
        page.set_default_timeout(SLOW)
        yield page


@pytest.fixture
def page(window: Page, phantom_server: Server) -> Page:
    """A case of the small simulated cohort."""
    go(window, f"{phantom_server.url}/#explore?{urlencode({'cohort': cohort_id(COHORT), 'panel': 'compare'})}")
    wait_until_shown(window)
    window.locator(".tile").first.click()
    window.locator(".case .film-side.has-film:not(.waiting)").wait_for()
    return window


@pytest.mark.browser
def test_the_film_of_a_case_is_read_and_back_leads_to_its_slice(page: Page) -> None:
    film, slice_address = canvas(page, "case-film")[..., 0], page.url
    page.get_by_role("button", name="Read this film").click()
    expect(page.get_by_role("tab", name="Read", exact=True)).to_have_attribute("aria-selected", "true")
    expect(page.locator("dialog.case")).to_be_hidden()
    expect(page.locator("#read .film-name")).to_contain_text("(simulated)")
    wait_until_said(page)
    assert (canvas(page, "film")[..., 0] == film).all()
    expect(page.locator("#read .made-as")).to_be_visible()
    page.go_back()
    wait_until_shown(page)
    page.go_back()
    page.locator(".case .film-side.has-film:not(.waiting)").wait_for()
    assert page.url == slice_address


@pytest.mark.browser
def test_a_finding_is_put_into_the_film_of_a_case(page: Page) -> None:
    before = canvas(page, "case-film")
    slice_address = page.url
    chosen = page.locator(".case-outcome strong").inner_text()
    page.get_by_role("button", name="Put a finding into it").click()
    panel = page.locator("#case-insertion")
    expect(panel.locator(".insertion-score")).to_have_text(
        re.compile(r"^phantom: score 0\.\d\d, without it 0\.\d\d\."), timeout=SLOW
    )
    first = chosen if chosen in INSERTABLE else "Mass"
    expect(panel.locator(".insertion-details p").first).to_contain_text(f"{MARK_ON_SIMULATED}: {first}, right")
    panel.locator(".insertion-finding").select_option("Mass")
    expect(panel.locator(".insertion-details p").first).to_contain_text(": Mass, right ", timeout=SLOW)
    expect(page.locator(".case .simulated-mark")).to_have_text("SIMULATED FINDING")
    shown = canvas(page, "case-film")
    assert (shown != before).any()
    page.keyboard.press("t")
    assert (canvas(page, "case-film") == before).all()
    page.keyboard.press("t")
    assert (canvas(page, "case-film") == shown).all()
    film = page.locator("#case-film-canvas").bounding_box()
    assert film
    page.mouse.click(film["x"] + 0.72 * film["width"], film["y"] + 0.4 * film["height"])
    expect(panel.locator(".insertion-details p").first).to_contain_text(": Mass, left ", timeout=SLOW)
    panel.get_by_role("button", name="Where would it be missed?").click()
    expect(panel.locator(".insertion-answer")).to_contain_text("flagged at ", timeout=SLOW)
    expect(page.locator(".case .place-dot").first).to_be_visible()
    assert page.url == slice_address
    page.locator(".case-next").click()
    expect(panel).to_be_hidden()
    expect(page.locator(".case .simulated-mark")).to_have_text("SIMULATED")


@pytest.mark.browser
def test_at_a_phone_the_film_stays_in_sight_of_the_finding(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Put a finding into it").click()
    panel = page.locator("#case-insertion")
    panel.locator(".insertion-score").wait_for(timeout=SLOW)
    slider = panel.locator(".insertion-severity input")
    slider.scroll_into_view_if_needed()
    box, film = slider.bounding_box(), page.locator("#case-film-canvas").bounding_box()
    assert box and film
    assert 0 <= film["y"] and film["y"] + film["height"] <= box["y"] + 1 and box["y"] < 844
    assert_accessible(page, within="dialog.case")
    page.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.browser
def test_the_film_of_a_case_is_asked_about(page: Page) -> None:
    page.get_by_role("button", name="Ask about this film").click()
    expect(page.get_by_role("tab", name="Ask", exact=True)).to_have_attribute("aria-selected", "true")
    expect(page.locator("#ask .film-name")).to_contain_text("(simulated)")
    expect(page.locator("#ask .simulated-mark")).to_have_text("SIMULATED")
    page.locator("#ask-text").fill("effusion")
    page.keyboard.press("Enter")
    expect(page.locator("#ask .answer-verdict, #ask .way-anyway").first).to_be_visible()


@pytest.mark.browser
def test_axe_finds_nothing_and_the_page_is_no_wider_than_the_window(page: Page) -> None:
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.locator(".case-onward").first).to_be_visible()
        assert_accessible(page, within="dialog.case")  # the page below it is tested at rest
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
    page.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.browser
def test_while_labels_are_hidden_nothing_leads_on(page: Page) -> None:
    expect(page.locator(".case-onward")).to_have_count(4)
    before = canvas(page, "case-film")
    page.get_by_role("button", name="Put a finding into it").click()
    page.locator("#case-insertion .insertion-score").wait_for(timeout=SLOW)
    page.keyboard.press("h")
    expect(page.locator(".case-onward")).to_have_count(0)
    expect(page.locator("#case-insertion")).to_be_hidden()
    assert (canvas(page, "case-film") == before).all()
    page.keyboard.press("h")
    expect(page.locator("#case-insertion .insertion-score")).to_be_visible()
    expect(page.locator(".case-onward")).to_have_count(4)  # the last test: the next case would be hidden, too
