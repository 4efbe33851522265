"""A busy model: who waits is told how long, and everybody is served."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.models.builders import write_model
from tests.ui.conftest import NewVisitor, Server, start, stop
from tests.ui.reading_room import wait_until_said

pytestmark = pytest.mark.browser
LISTEN = """() => {
    window.said = [];
    const word = document.querySelector(".word");
    const note = () => said.push(word.innerText);
    new MutationObserver(note).observe(word, {childList: true, subtree: true, characterData: true});
}"""


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Server]:
    """The app with a large model: a film takes it about a second."""
    server = start(
        tmp_path, "--model", str(write_model(tmp_path, "resnet18", size=1024, views=["PA", "AP", "unknown"]))
    )
    yield server
    stop(server)


def test_films_wait_in_line_and_their_visitors_are_told_so(slow: Server, new_visitor: NewVisitor) -> None:
    pages = [new_visitor(slow.url) for _ in range(4)]
    for page in pages:
        page.evaluate(LISTEN)
    for page in pages:
        page.evaluate("document.querySelector('[data-sample=masses]').click()")
    for page in pages:
        wait_until_said(page)
        assert page.locator(".finding").count() == 4
    said = [" ".join(page.evaluate("said")) for page in pages]
    assert all("Scoring the findings" in each for each in said)
    assert any("before this one" in each for each in said), said
