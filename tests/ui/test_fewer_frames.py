"""A page at rest asks for no frames, whatever Gradio would do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from explorer.ui.gradio_host.fewer_frames import FEWER_FRAMES_SCRIPT, FewerFrames
from explorer.web.asgi import Message, Receive, Scope, Send, collected_answer
from tests.ui.app_server import Server
from tests.ui.event_loop import run_in_thread
from tests.ui.windows import Kind, windows

COUNTED = """
  const native = window.requestAnimationFrame;
  window.frames_asked_for = 0;
  window.requestAnimationFrame = (step) => (window.frames_asked_for++, native.call(window, step));
"""


async def page_of(scope: Scope, receive: Receive, send: Send) -> None:
    """A page in two pieces."""
    headers = [(b"content-type", b"text/html"), (b"content-length", b"40")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"<html><head><script>", "more_body": True})
    await send({"type": "http.response.body", "body": b"</script></head><he>"})


def answer(**other: Any) -> tuple[dict[bytes, bytes], str]:  # noqa: ANN401 - parts of a scope
    """Headers and body."""

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {"type": "http", "method": "GET", "path": "/"} | other
    start, *parts = run_in_thread(collected_answer(FewerFrames(page_of), scope, receive))
    return dict(start["headers"]), b"".join(part.get("body", b"") for part in parts).decode()


def test_the_script_comes_before_all_others_and_the_length_is_right() -> None:
    headers, body = answer()
    assert body == f"<html><head>{FEWER_FRAMES_SCRIPT}<script></script></head><he>"
    assert headers == {b"content-type": b"text/html", b"content-length": str(len(body)).encode()}


@pytest.mark.parametrize("other", [{"method": "HEAD"}, {"path": "/config"}])
def test_nothing_else_is_changed(other: dict[str, Any]) -> None:
    headers, body = answer(**other)
    assert (headers[b"content-length"], body) == (b"40", "<html><head><script></script></head><he>")


def test_the_served_page_has_it_before_gradios_scripts(server: Server) -> None:
    served = httpx.get(server.url).text
    assert served.count(FEWER_FRAMES_SCRIPT) == 1
    assert served.index(FEWER_FRAMES_SCRIPT) < re.search(r'<script type="module"', served).start()  # type: ignore[union-attr]


UNTIL_FEW = """async () => {
    for (let turn = 0, before = -1; turn < 100 && frames_asked_for > before + 1; turn++) {
        before = frames_asked_for;
        await new Promise((done) => setTimeout(done, 200));
    }
}"""


@pytest.fixture
def counting(chromium: Browser) -> Iterator[Page]:
    """A window whose pages count; those of others who get it do not."""
    with windows(chromium).window(1440, 900, Kind()) as page:
        session = page.context.new_cdp_session(page)
        session.send("Page.enable")
        script = session.send("Page.addScriptToEvaluateOnNewDocument", {"source": COUNTED})
        yield page
        session.send("Page.removeScriptToEvaluateOnNewDocument", script)
        session.detach()


def test_a_page_comes_to_rest(counting: Page, server: Server) -> None:
    page = counting
    page.goto(server.url)
    page.locator(".room[data-state=empty]").wait_for()
    begun = page.evaluate("frames_asked_for")
    page.evaluate(UNTIL_FEW)
    until_few = page.evaluate("frames_asked_for") - begun
    seconds = []
    while len(seconds) < 20 and (not seconds or seconds[-1] > 5):  # it draws its tabs at first
        before = page.evaluate("frames_asked_for")
        page.wait_for_timeout(1000)
        seconds.append(page.evaluate("frames_asked_for") - before)
    assert before > 0
    assert seconds[-1] <= 5, f"sixty a second where Gradio's mark goes on: {seconds}"
    assert until_few < 80  # some two hundred where Gradio's loop goes on
