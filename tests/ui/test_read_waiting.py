"""A busy model: who waits is told how long, and everybody is served."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.ui.app_server import Server
from tests.ui.conftest import NewVisitor
from tests.ui.reading_room import SLOW, film_of, grey, on_disk, open_sample, upload, wait_until_read, wait_until_said

pytestmark = pytest.mark.browser
LISTEN = """() => {
    window.said = [];
    const word = document.querySelector(".word");
    const note = () => said.push(word.innerText);
    new MutationObserver(note).observe(word, {childList: true, subtree: true, characterData: true});
}"""


@pytest.fixture(scope="module")
def server(models_server: Server) -> Server:
    """To whom a visitor comes here."""
    return models_server


@pytest.fixture
def address(server: Server) -> str:
    """Where a large model reads: a film takes it most of a second."""
    return f"{server.url}/#read?model=slow"


def test_taking_the_first_film_away_while_the_second_is_scored_leaves_the_second(
    address: str, new_visitor: NewVisitor
) -> None:
    page = new_visitor(address)
    open_sample(page)
    with page.expect_file_chooser() as chooser:
        page.locator("[data-command=compare]").click()
    chooser.value.set_files(on_disk("second.png", grey(film_of("masses")[::2, ::-2])))
    page.locator(".film-name[aria-pressed=true]", has_text="second.png").wait_for(timeout=SLOW)
    page.locator(".view[data-slot=a] .close").click()
    expect(page.locator(".film-name")).to_have_text("second.png")
    wait_until_read(page)
    assert page.locator(".finding").count() == 4


def test_films_wait_in_line_and_their_visitors_are_told_so(address: str, new_visitor: NewVisitor) -> None:
    pages = [new_visitor(address) for _ in range(5)]
    for page in pages:
        page.evaluate(LISTEN)
    film = grey(film_of("masses")[::2, ::2])  # of each visitor's own: a sample would be read once for all
    for page in pages:
        upload(page, "film.png", film)
    for page in pages:
        wait_until_said(page)
        assert page.locator(".finding").count() == 4
    said = [" ".join(page.evaluate("said")) for page in pages]
    assert all("Scoring the findings" in each for each in said)
    assert any("before this one" in each for each in said), said
