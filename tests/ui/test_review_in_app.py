"""From a slice to a benchmark: three readers, each in a context of their own, then Evaluate under their labels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE
from explorer.core.outcomes import Outcome
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.reviews.review import Vote
from explorer.school.reviews.review_files import opened_review
from explorer.school.reviews.serving import ServedReview, serve_review
from explorer.store.filter_kinds import as_word
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.shared.links import cohort_id, model_id
from tests.explorer.cli.command import run
from tests.explorer.school.reviews.made_reviews import next_id
from tests.ui.app_server import Server, start, stop
from tests.ui.axe import assert_accessible, assert_accessible_at
from tests.ui.class_room import PHONE, too_small, too_wide
from tests.ui.evaluate_room import wait_until_compared
from tests.ui.simulate_room import SLOW
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser

FINDINGS = ("Pleural Effusion", "Nodule")
FILMS, READINGS = 4, 5  # one film comes again
# What reaches beyond the right edge of the section, unless it scrolls by itself.
BEYOND = """() => [...document.querySelectorAll(".reviews-section *")]
    .filter((part) => part.checkVisibility() && !part.closest(".review-scroll *"))
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 0.5)
    .map((part) => part.tagName + "." + part.className)"""
DESK = {"width": 1440, "height": 900}
HITS = {"cohort": cohort_id("phantom"), "model": model_id("phantom", "phantom"), "outcome": "hit"}


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The app; commands of this process have the same home."""
    home = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    running = start(tmp_path, home=home)
    yield running
    stop(running)


def make_review(page: Page, app: Server) -> list[str]:
    """Make the review `small` from a slice of Explore, and return its readers' codes."""
    page.set_default_timeout(SLOW)
    page.goto(f"{app.url}/#explore?{urlencode(HITS | {'finding': as_word(FINDINGS[0])})}")
    page.locator(".gallery img").first.wait_for()
    page.get_by_role("button", name="For a class").click()
    page.get_by_text("Review these films").click()
    expect(page.locator(".review-slice")).to_contain_text("Hits of Pleural Effusion by phantom in phantom")
    expect(page.locator(".review-box input:checked")).to_have_value(FINDINGS[0])
    page.locator(".review-name").fill("small")
    page.get_by_label("Films, drawn at random").fill(str(FILMS))
    page.get_by_label("Suggested labels").select_option("model")
    page.locator(".review-box", has_text=FINDINGS[1]).locator("input").check()
    page.get_by_role("button", name="Make the review").click()
    expect(page.locator(".reviews-said")).to_contain_text("Made the review small")
    return page.locator("[data-review=small] .review-codes tbody td:nth-child(2)").all_inner_texts()


@contextmanager
def served(folder: Path) -> Iterator[ServedReview]:
    review = serve_review(opened_review("small"), Images(), ClassSettings(on=True, port=0, bind="127.0.0.1"), folder)
    try:
        yield review
    finally:
        review.close()


def enter(page: Page, served: ServedReview, code: str) -> None:
    page.set_default_timeout(SLOW)
    page.goto(served.urls[0])
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name="Enter").click()
    at_film(page, 1)


def at_film(page: Page, film: int) -> None:
    """Wait until this film is on show."""
    expect(page.locator(".class-number")).to_have_text(f"Film {film} of {READINGS}", timeout=SLOW)
    page.locator(".class-stage[data-loaded]").wait_for()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save and go on").click()


def test_from_a_slice_to_evaluate_under_readers_labels(chromium: Browser, app: Server, tmp_path: Path) -> None:
    with ExitStack() as opened:
        desk = opened.enter_context(windows(chromium).window(1440, 900, Kind()))
        codes = make_review(desk, app)
        assert len(codes) == 3
        assert_accessible(desk, within=".reviews-section")
        review = opened.enter_context(served(tmp_path))
        read_by_three(chromium, review, codes)
        desk.get_by_role("button", name="Agreement").click()
        expect(desk.locator(".review-tables h4").first).to_have_text("Agreement by finding", timeout=SLOW)
        desk.locator(".review-release summary").click()
        for width in (1440, 390):
            assert_accessible_at(desk, width, within=".reviews-section")
            assert desk.evaluate(BEYOND) == []
        desk.set_viewport_size({"width": 1440, "height": 900})

        status = run("review", "status", "small").stdout
        assert f"{3 * READINGS} of {3 * READINGS} readings done" in status and "1 vote was replaced" in status
        desk.get_by_label("Name of the source of labels").fill("readers")
        desk.get_by_label("Into a copy of the cohort, called").fill("read")
        desk.get_by_role("button", name="Release the labels").click()
        expect(desk.locator(".review-released")).to_contain_text(f"{2 * FILMS} labels of {FILMS} films", timeout=SLOW)
        votes = tmp_path / "home" / "reviews" / "small-release-1" / "votes.csv"
        assert len(votes.read_text(encoding="utf-8").splitlines()) == 1 + 3 * READINGS + 1  # a header, a replaced vote
        desk.get_by_role("link", name="See the models under these labels").click()
        wait_until_compared(desk)
        expect(desk.locator(".evaluate")).to_contain_text("labeled by readers")
        expect(desk.locator(".evaluate")).to_contain_text(f"{FILMS} films")
        expect(desk.locator(".board-table tr[data-model='phantom']")).to_be_visible()


def test_ties_go_to_a_third_reader_and_reveals_halves_are_released(chromium: Browser, app: Server) -> None:
    slice_of = (
        "--cohort",
        "phantom",
        "--model",
        "phantom",
        "--where",
        "outcome=hit",
        "--sample",
        "8",
        "--repeats",
        "0",
    )
    two = ("--readers", "2", "--per-film", "2", "--suggest", "model", "--finding", "Mass", "--finding", "Nodule")
    assert run("review", "new", "gold", *slice_of, *two).exit_code == 0
    with closing(opened_review("gold")) as database:
        for reader in range(2):
            for each in database.readings_of(reader):
                suggested = database.review.films[each.film].suggested or ()
                tie = Vote("disagree", frozenset({"Mass"} - set(suggested)), frozenset({"Mass"} & set(suggested)))
                database.vote(reader, each.place, next_id(), tie if reader and each.film < 2 else Vote("agree all"))
    with windows(chromium).window(1440, 900, Kind()) as desk:
        desk.set_default_timeout(SLOW)
        desk.goto(f"{app.url}/#teach?section=reviews")
        line = desk.locator("[data-review=gold]")
        expect(line).to_contain_text("2 films need another reader.")
        line.get_by_role("button", name="Give them to a new reader").click()
        expect(desk.locator(".reviews-said")).to_contain_text("R3 gets 2 more films. The code of the new reader:")
        expect(line).to_contain_text("2 of these wait for a reader")
        expect(line.get_by_role("button", name="Give them")).to_have_count(0)
        with closing(opened_review("gold")) as database:
            for each in database.readings_of(2):
                database.vote(2, each.place, next_id(), Vote("agree all"))
        desk.reload()
        line.locator(".review-release summary").click()
        expect(line).not_to_contain_text("another reader")
        expect(line.get_by_label("Films of both halves")).to_be_hidden()
        line.locator(".review-release select").select_option("reveal")
        line.get_by_label("Films of both halves").fill("6")
        line.get_by_role("checkbox", name="Mass").check()
        line.get_by_label("Into a copy of the cohort, called").fill("halves")
        line.get_by_role("button", name="Release the labels").click()
        expect(line.locator(".review-released")).to_contain_text("6 labels of 3 films", timeout=SLOW)
        expect(line.locator(".review-released h4")).to_have_text(["The two halves", "Balance"])
        for width in (1440, 390):
            assert_accessible_at(desk, width, within=".reviews-section")
            assert desk.evaluate(BEYOND) == []


def test_labels_of_a_file_are_suggested_from_the_page(chromium: Browser, app: Server, tmp_path: Path) -> None:
    with windows(chromium).window(390, 844, Kind()) as desk:
        desk.set_default_timeout(SLOW)
        words = urlencode({"section": "reviews", "slice": urlencode(HITS | {"finding": as_word("Nodule")})})
        desk.goto(f"{app.url}/#teach?{words}")
        expect(desk.locator(".review-box input:checked")).to_have_value("Nodule")
        desk.locator(".review-set").select_option("REVEAL-CXR")
        expect(desk.locator(".review-box input:checked")).to_have_count(12)
        desk.locator(".review-set").select_option(label="the model")
        expect(desk.locator(".review-boxes input:checked")).to_have_value("Nodule")
        desk.locator(".review-more summary").click()
        expect(desk.locator(".review-strata")).to_be_visible()
        desk.locator(".review-name").fill("llm")
        expect(desk.get_by_label("JSON or CSV file")).to_be_hidden()
        desk.get_by_label("Suggested labels").select_option("file")
        broken = tmp_path / "llm.json"
        broken.write_text('{"films": [{"case": "nobody", "findings": {"Nodule": "perhaps"}}]}', encoding="utf-8")
        desk.get_by_label("JSON or CSV file").set_input_files(broken)
        desk.get_by_label("Next film of a reader").select_option("helpful")
        assert_accessible_at(desk, 390, within=".reviews-section")
        assert desk.evaluate(BEYOND) == []
        desk.get_by_role("button", name="Make the review").click()
        expect(desk.locator(".reviews-said")).to_contain_text("2 problems found")
        expect(desk.locator(".reviews-said")).to_contain_text("'nobody' is not a film of the cohort")
        with closing(Store()) as store:
            nodule = Slice("phantom", "phantom", outcomes=(Outcome.HIT,), finding="Nodule")
            (first, *_) = (list(store.patients("phantom"))[int(number)] for number in store.films(nodule))
        films = [{"case": first, "findings": {"Nodule": "uncertain"}}]
        broken.write_text(json.dumps({"films": films}), encoding="utf-8")
        desk.get_by_label("JSON or CSV file").set_input_files(broken)
        desk.get_by_role("button", name="Make the review").click()
        expect(desk.locator(".reviews-said")).to_contain_text("Made the review llm")
    with closing(opened_review("llm")) as database:
        assert [(film.case, film.uncertain) for film in database.review.films] == [(first, ("Nodule",))]
        assert database.review.rules.order == "helpful"


def read_by_three(chromium: Browser, served: ServedReview, codes: list[str]) -> None:
    """One reader by keys, one with corrections and a pause, one on a phone that loses the network."""
    with ExitStack() as opened:
        pages = []
        for viewport in (DESK, DESK, PHONE):
            context = opened.enter_context(closing(chromium.new_context(viewport=viewport, reduced_motion="reduce")))
            pages.append(context.new_page())
        one, two, phone = pages
        for page, code in zip(pages, codes, strict=True):
            enter(page, served, code)
        assert too_wide(phone) == [] and too_small(phone) == []
        assert_accessible(one)

        # The first agrees by keys alone.
        for film in range(1, READINGS + 1):
            at_film(one, film)
            one.keyboard.press("1")
            one.keyboard.press("Enter")
        expect(one.get_by_role("heading", name="All done")).to_be_visible()

        # The second corrects each film, goes back once, and closes the page in the middle.
        two.get_by_role("radio", name="Disagree").check()
        two.get_by_role("checkbox", name="Nodule").set_checked(True)
        two.get_by_role("checkbox", name="Pleural Effusion").set_checked(False)
        two.get_by_role("radio", name="certain").check()
        two.get_by_label("Note (optional)").fill("no meniscus")
        save(two)
        at_film(two, 2)
        two.get_by_role("button", name="Change my last vote").click()
        at_film(two, 1)
        expect(two.get_by_role("checkbox", name="Nodule")).to_be_checked()
        expect(two.get_by_label("Note (optional)")).to_have_value("no meniscus")
        two.get_by_role("radio", name="Agree all").check()
        save(two)
        at_film(two, 2)
        two.context.close()
        context = opened.enter_context(closing(chromium.new_context(viewport=DESK)))
        again = context.new_page()
        again.goto(f"{served.urls[0]}#{codes[1]}")
        again.get_by_role("button", name="Enter").click()
        for film in range(2, READINGS + 1):  # unfinished work waited
            at_film(again, film)
            again.get_by_role("radio", name="Agree all").check()
            save(again)
        expect(again.get_by_role("heading", name="All done")).to_be_visible()

        # The third, on a phone, sees nodules that nobody suggested; while the network is gone, a vote waits.
        for film in range(1, READINGS + 1):
            at_film(phone, film)
            phone.get_by_role("radio", name="Agree mostly").check()
            phone.get_by_role("checkbox", name="Nodule").set_checked(True)
            if film == 2:
                phone.context.set_offline(True)
                save(phone)
                expect(phone.locator(".class-status")).to_contain_text("Connection lost")
                phone.context.set_offline(False)
            else:
                save(phone)
        expect(phone.get_by_role("heading", name="All done")).to_be_visible(timeout=SLOW)
