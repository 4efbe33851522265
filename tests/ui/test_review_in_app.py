"""From a slice to a benchmark: three readers, each in a context of their own, then Evaluate under their labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE
from explorer.cohorts.public_ids import opaque_id
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.reviews.review_files import opened_review
from explorer.school.reviews.serving import ServedReview, serve_review
from explorer.ui.shared.links import cohort_id
from tests.explorer.cli.command import run
from tests.ui.app_server import start, stop
from tests.ui.axe import assert_accessible
from tests.ui.class_room import PHONE, too_small, too_wide
from tests.ui.evaluate_room import wait_until_compared
from tests.ui.simulate_room import SLOW
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser

FINDINGS = ("Pleural Effusion", "Nodule")
FILMS = 4
DESK = {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with the review `small`: four films that the model flags, with the model's labels suggested."""
    place = tmp_path_factory.mktemp("review") / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME_VARIABLE, str(place))
        asked = [word for finding in FINDINGS for word in ("--finding", finding)]
        slice_of = ("--cohort", "phantom", "--model", "phantom", "--where", "finding=Pleural Effusion, outcome=hit")
        made = run(
            "review", "new", "small", *slice_of, *asked, "--sample", str(FILMS), "--suggest", "model", "--repeats", "0"
        )
        assert made.exit_code == 0, made.output
        yield place


@pytest.fixture
def served(home: Path, tmp_path: Path) -> Iterator[ServedReview]:
    review = serve_review(opened_review("small"), Images(), ClassSettings(on=True, port=0, bind="127.0.0.1"), tmp_path)
    yield review
    review.close()


def enter(page: Page, served: ServedReview, code: str) -> None:
    page.set_default_timeout(SLOW)
    page.goto(served.urls[0])
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name="Enter").click()
    at_film(page, 1)


def at_film(page: Page, film: int) -> None:
    """Wait until this film is on show."""
    expect(page.locator(".class-number")).to_have_text(f"Film {film} of {FILMS}", timeout=SLOW)
    page.locator(".class-stage[data-loaded]").wait_for()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save and go on").click()


def test_from_a_slice_to_evaluate_under_readers_labels(
    chromium: Browser, home: Path, served: ServedReview, tmp_path: Path
) -> None:
    with closing(opened_review("small")) as database:
        codes = database.codes
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
        for film in range(1, FILMS + 1):
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
        for film in range(2, FILMS + 1):  # unfinished work waited
            at_film(again, film)
            again.get_by_role("radio", name="Agree all").check()
            save(again)
        expect(again.get_by_role("heading", name="All done")).to_be_visible()

        # The third, on a phone, sees nodules that nobody suggested; while the network is gone, a vote waits.
        for film in range(1, FILMS + 1):
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

    agreement = run("review", "status", "small").stdout
    assert f"{3 * FILMS} of {3 * FILMS} readings done" in agreement and "1 vote was replaced" in agreement
    done = run(
        "review", "release", "small", "--to", "read", "--out", str(tmp_path / "benchmark"), "--source", "readers"
    )
    assert f"{2 * FILMS} labels of {FILMS} films" in done.stdout, done.output

    app = start(tmp_path, home=home)
    try:
        with windows(chromium).window(1440, 900, Kind()) as page:
            page.set_default_timeout(SLOW)
            words = {"cohort": cohort_id("read"), "labels": opaque_id("read", "labels", "readers")}
            page.goto(f"{app.url}/#evaluate?{urlencode(words)}")
            wait_until_compared(page)
            expect(page.locator(".evaluate")).to_contain_text("labeled by readers")
            expect(page.locator(".evaluate")).to_contain_text(f"{FILMS} films")
            expect(page.locator(".board-table tr[data-model='phantom']")).to_be_visible()
    finally:
        stop(app)
