"""Who asks, of a server that is encrypted and of one that is not; tests/ui/test_guard.py asks the page's guard."""

from __future__ import annotations

import pytest

from explorer.web.answer_headers import with_headers
from explorer.web.asgi import Message
from explorer.web.request_origin import host_name, host_of, is_foreign
from tests.ui.event_loop import run_in_thread


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_origin_is_of_one_scheme(scheme: str) -> None:
    for origin in ("http", "https"):
        headers = [(b"origin", f"{origin}://room-4.local:7861".encode())]
        assert is_foreign("POST", "/join", "room-4.local:7861", headers, scheme) == (origin != scheme)


def test_a_host_is_what_the_one_header_says() -> None:
    assert host_of({"headers": [(b"host", b" Room-4.local:7861 ")]}) == "room-4.local:7861"
    assert host_of({"headers": []}) == "" == host_of({"headers": [(b"host", b"a"), (b"host", b"b")]})
    names = {"Room-4:1": "room-4", "127.0.0.1": "127.0.0.1", "[::1]:7861": "[::1]", "[::1]": "[::1]", "": ""}
    assert {host: host_name(host) for host in names} == names


def test_headers_take_the_place_of_others_and_let_no_origin_read() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    answer = {"type": "http.response.start", "headers": [(b"X-A", b"theirs"), (b"access-control-allow-origin", b"*")]}
    run_in_thread(with_headers(send, [(b"x-a", b"ours"), (b"x-b", b"ours")])(answer))
    assert sent[0]["headers"] == [(b"x-a", b"ours"), (b"x-b", b"ours")]
