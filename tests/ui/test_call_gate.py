"""Calls of functions as programs may send them to the running app: known ones, of bounded size, without files."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from explorer.ui.gradio_host.call_gate import MAX_BODY_BYTES, NO_FILES, NOT_OFFERED, TOO_LONG
from tests.ui.app_server import Server


@pytest.fixture(scope="module")
def call(server: Server) -> dict[str, Any]:
    config = httpx.get(f"{server.url}/config", timeout=60).json()
    simulate = next(each["id"] for each in config["components"] if each["props"].get("elem_id") == "simulate")
    return {"component_id": simulate, "fn_name": "simulated_progress", "session_hash": "s", "data": None}


def sent(server: Server, body: object, **headers: str) -> tuple[int, str]:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    address = f"{server.url}/gradio_api/component_server"
    answer = httpx.post(address, content=content, headers={"Content-Type": "application/json"} | headers, timeout=60)
    return answer.status_code, answer.text


def test_a_function_of_the_page_is_called(server: Server, call: dict[str, Any]) -> None:
    assert sent(server, call) == (200, '{"loading":false}')


@pytest.mark.parametrize(
    "changed",
    [
        {"component_id": 10**6},
        {"component_id": []},
        {"component_id": True},
        {"component_id": 10**400},
        {"component_id": "1"},
        {"fn_name": None},
        {"fn_name": "lesson"},
        {"fn_name": "postprocess"},
        {"fn_name": "__class__"},
        {"session_hash": None},
        {"session_hash": ["s"]},
    ],
)
def test_no_other_function_is(server: Server, call: dict[str, Any], changed: dict[str, Any]) -> None:
    assert sent(server, call | changed) == (404, NOT_OFFERED)


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"null", b"{", b"\xff", b"[" * 50_000, b"9" * 5000, b'"\\ud800"'])
def test_what_is_no_call_is_refused(server: Server, body: bytes) -> None:
    assert sent(server, body) == (404, NOT_OFFERED)


@pytest.mark.parametrize(
    "data",
    [10**400, float("nan"), float("inf"), "\ud800", {"\ud800": 1}, ["x"] * 20_000],
    ids=lambda data: str(data)[:20],
)
def test_what_is_no_plain_value_is_refused_in_words(server: Server, call: dict[str, Any], data: object) -> None:
    status, answer = sent(server, call | {"data": data})
    assert (status, json.loads(answer)["stage"]) == (200, "refused")


@pytest.mark.parametrize(
    "path", ["component_server", "component_server/", "queue/join", "call/read", "run/read", "cancel"]
)
def test_a_body_is_bounded_and_brings_no_files(server: Server, path: str) -> None:
    address = f"{server.url}/gradio_api/{path}"
    answer = httpx.post(address, content=b" " * (MAX_BODY_BYTES + 1), timeout=60)
    assert (answer.status_code, answer.text) == (413, TOO_LONG)
    answer = httpx.post(address, files={"files": b"film"}, data={"session_hash": "s"}, timeout=60)
    assert (answer.status_code, answer.text) == (415, NO_FILES)
    assert set(server.temporary.glob("tmp*")) == set()
