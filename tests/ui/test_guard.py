"""What the guard refuses, as a table; tests/ui/test_server.py asks the running server."""

from __future__ import annotations

import pytest

from explorer.ui.guard import refused

FETCHES = [
    "/gradio_api/file=http://example.org/x",
    "/gradio_api/file=https://example.org/x",
    "/gradio_api/file=HTTP://example.org/x",
    "/gradio_api/file=%68ttp://example.org/x",
    "/gradio_api/file=%2568ttp%3A%2F%2Fexample.org",
    "/gradio_api/file=http:/example.org",
    "/gradio_api/file=//http://example.org",
    "/gradio_api/file= http://example.org",
    "/gradio_api/file=ftp://example.org/x",
    "/gradio_api/file/http://example.org/x",
    "/gradio_api//file=http://example.org/x",
    "//gradio_api/file=http://example.org/x",
    "/gradio_api%2ffile=http://example.org",
    "/file=http://example.org/x",
]
CLOSED = [
    "/gradio_api/proxy=http://example.org/x",
    "/proxy=https://x.hf.space/",
    "/GRADIO_API/Proxy=x",
    "/gradio_api/deep_link",
    "/gradio_api/openapi.json",
    "/openapi.json",
    "/docs",
    "/redoc",
    "/gradio_api/process_recording",
    "/gradio_api/vibe-edit",
    "/gradio_api/undo-vibe-edit/",
    "/monitoring/summary",
    "/gradio_api/runs",
    "/gradio_api/run-history/connect",
]
OPEN = ["/", "/config", "/theme.css", "/assets/index.js", "/gradio_api/info", "/gradio_api/queue/join"]
OPEN += ["/gradio_api/upload", "/gradio_api/run/read", "/gradio_api/file=/tmp/x/thumb.png", "/gradio_api/heartbeat/abc"]


@pytest.mark.parametrize("path", FETCHES)
def test_no_address_is_fetched(path: str) -> None:
    assert refused("127.0.0.1:7860", path) == (403, "Tailscope fetches no addresses.")


@pytest.mark.parametrize("path", CLOSED)
def test_what_nobody_needs_is_closed(path: str) -> None:
    assert refused("localhost:7860", path) == (404, "There is nothing here.")


@pytest.mark.parametrize("path", OPEN)
def test_what_the_page_needs_is_open(path: str) -> None:
    assert refused("127.0.0.1:7860", path) is None


@pytest.mark.parametrize("host", ["", "evil.example", "evil.example:7860", "127.0.0.1.evil.example", "0.0.0.0:7860"])
def test_other_names_are_not_answered(host: str) -> None:
    answer = refused(host, "/")
    assert answer is not None and answer[0] == 421


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:7860", "LOCALHOST:7860"])
def test_our_names_are_answered(host: str) -> None:
    assert refused(host, "/") is None
