"""Calls that no program should make, of every endpoint of the running app: answered in words, none with a failure."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from explorer.ui.gradio_host.wrong_calls import NOT_UNDERSTOOD
from tests.ui.app_server import Server

BODIES: tuple[object, ...] = (
    *(
        None,
        [],
        {},
        "x",
        5,
        10**30,
        [None],
        {"data": None},
        {"data": []},
        {"data": "x"},
        {"data": {}},
        {"data": [1] * 50},
    ),
    *({"fn_index": index, "data": [], "session_hash": "s"} for index in (10**6, "x", -1, None)),
    *({"fn_index": 0, "data": [], "session_hash": session} for session in (5, ["a"])),
    {"fn_index": 0, "data": [[1]], "batched": True, "session_hash": "s"},
    {"session_hash": "s", "fn_index": 0, "event_id": None},
    *({"event_id": 5}, {"film": 5}, {"cohort": 5, "model": []}, {"data": [], "event_id": []}),
)
ADDRESSES = (
    *("info?page=x", "file=%00", "file=" + "a" * 5000, "file=x", "stream/a/0/0/playlist.m3u8", "stream/a/0/0/x.ts"),
    *(
        "call/read/x",
        "queue/data",
        "upload_progress",
        "queue/status",
        "custom_component/a/b/c/d",
        "nobody",
        "vibe-code",
    ),
)


def paths() -> Iterator[str]:
    yield from ("queue/join", "cancel", "reset", "stream/x", "stream/x/close", "login", "x", "component_server")
    for name in ("read", "slice", "nobody", "", "%00", "..%2f", "a" * 5000):
        yield from (f"{kind}/{name}" for kind in ("call", "call/v2", "run", "api"))


@pytest.mark.parametrize("path", list(paths()), ids=lambda path: path[:20])
def test_a_wrong_call_is_refused_in_words(server: Server, path: str) -> None:
    with httpx.Client(base_url=f"{server.url}/gradio_api/", verify=False, timeout=60) as client:
        for body in BODIES:
            answer = client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
            assert answer.status_code < 500 or answer.status_code == 503, (body, answer.text)  # 503: many are waiting
            assert answer.text or answer.status_code == 404, body
        for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
            assert client.post(path, content=b'{"data": []}', headers={"content-type": kind}).status_code < 500


def test_what_gradio_stumbles_over_is_said_in_words(server: Server) -> None:
    for path, body in (("call/nobody", {"data": []}), ("cancel", {}), ("call/v2/nobody", {}), ("queue/join", 5)):
        answer = httpx.post(f"{server.url}/gradio_api/{path}", json=body, verify=False, timeout=60)
        assert (answer.status_code, answer.text) == (400, NOT_UNDERSTOOD), path


def test_a_wrong_address_is_refused(server: Server) -> None:
    with httpx.Client(base_url=server.url, verify=False, timeout=60) as client:
        for address in (*(f"/gradio_api/{each}" for each in ADDRESSES), "/config?page=x", "/assets/%00", "/static/x"):
            with client.stream("GET", address) as answer:
                assert answer.status_code < 500, address
