"""The page is made once for each name it is asked for by, and nothing else is kept."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.ui.gradio_host.front_page import MAX_CACHED_HOSTS, FrontPage
from explorer.ui.gradio_host.visitor_cookie import visitor_of
from explorer.web.asgi import Message, Receive, Scope, Send, collected_answer
from tests.ui.event_loop import run_in_thread


class Pages:
    """Answers with the number of the request."""

    def __init__(self, status: int = 200) -> None:
        self.asked = 0
        self._status = status

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        await send({"type": "http.response.start", "status": self._status, "headers": []})
        await send({"type": "http.response.body", "body": str(self.asked).encode(), "more_body": True})
        await send({"type": "http.response.body", "body": b"."})


SCOPE = {"type": "http", "method": "GET", "path": "/", "query_string": b""}


async def receive() -> Message:
    return {"type": "http.request"}


def body(page: FrontPage, host: str = "127.0.0.1:7860", **other: Any) -> str:  # noqa: ANN401 - parts of a scope
    sent = run_in_thread(collected_answer(page, SCOPE | {"headers": [(b"host", host.encode())]} | other, receive))
    return b"".join(message.get("body", b"") for message in sent).decode()


def test_the_page_is_made_once() -> None:
    pages = Pages()
    page = FrontPage(pages)
    assert [body(page) for _ in range(3)] == ["1."] * 3
    assert (body(page, "localhost:7860"), body(page), pages.asked) == ("2.", "1.", 2)


@pytest.mark.parametrize(
    "other", [{"method": "POST"}, {"method": "HEAD"}, {"path": "/config"}, {"query_string": b"view=api"}]
)
def test_nothing_else_is_kept(other: dict[str, Any]) -> None:
    page = FrontPage(Pages())
    assert [body(page), body(page, **other), body(page, **other), body(page)] == ["1.", "2.", "3.", "1."]


def test_a_failure_is_not_kept() -> None:
    page = FrontPage(Pages(500))
    assert [body(page), body(page)] == ["1.", "2."]


def test_a_caller_with_many_names_fills_no_memory() -> None:
    pages = Pages()
    page = FrontPage(pages)
    for number in range(MAX_CACHED_HOSTS + 5):
        body(page, f"localhost:{number}")
    assert len(page._kept) == MAX_CACHED_HOSTS


def test_each_browser_gets_a_word_of_its_own() -> None:
    page = FrontPage(Pages())

    def given(cookie: bytes = b"") -> list[str]:
        headers = [(b"host", b"localhost:7860"), *([(b"cookie", cookie)] if cookie else [])]
        start, *_ = run_in_thread(collected_answer(page, SCOPE | {"headers": headers}, receive))
        return [value.decode() for name, value in start["headers"] if name == b"set-cookie"]

    (first,), (second,) = given(), given()
    assert first != second and first.endswith("; Path=/; HttpOnly; SameSite=Strict")
    word = first.partition(";")[0]
    assert given(word.encode()) == []
    assert visitor_of({"headers": [(b"cookie", f"other=1; {word}".encode())]}) == word.partition("=")[2]
    assert visitor_of({"headers": [(b"cookie", b"[=;=")]}) == visitor_of({"headers": []}) == ""
