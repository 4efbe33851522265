"""What the guard refuses, as a table; tests/ui/test_server.py asks the running server."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from explorer.ui.gradio_host.guard import FOREIGN_REFUSAL, Guard, request_refusal

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
    status, said = request_refusal("127.0.0.1:7860", path) or (0, "")
    assert status == 403 and "fetch addresses" in said


@pytest.mark.parametrize("path", CLOSED)
def test_what_nobody_needs_is_closed(path: str) -> None:
    assert request_refusal("localhost:7860", path) == (404, "There is nothing here.")


@pytest.mark.parametrize("path", OPEN)
def test_what_the_page_needs_is_open(path: str) -> None:
    assert request_refusal("127.0.0.1:7860", path) is None


@pytest.mark.parametrize("host", ["", "evil.example", "evil.example:7860", "127.0.0.1.evil.example", "0.0.0.0:7860"])
def test_other_names_are_not_answered(host: str) -> None:
    answer = request_refusal(host, "/")
    assert answer is not None and answer[0] == 421


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:7860", "LOCALHOST:7860"])
def test_our_names_are_answered(host: str) -> None:
    assert request_refusal(host, "/") is None


OURS, THEIRS = {"origin": "http://127.0.0.1:7860"}, (403, FOREIGN_REFUSAL)
LINK = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


def asks(method: str, path: str, headers: dict[str, str], host: str = "127.0.0.1:7860") -> tuple[int, str] | None:
    return request_refusal(host, path, method, [(name.encode(), value.encode()) for name, value in headers.items()])


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://127.0.0.1:7861",
        "http://127.0.0.1",
        "http://localhost:7860",
        "https://127.0.0.1:7860",
        "http://127.0.0.1:7860.evil.example",
        "http://127.0.0.1:7860/",
        "http://evil.example@127.0.0.1:7860",
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_pages_of_other_origins_are_not_answered(origin: str, method: str) -> None:
    assert asks(method, "/gradio_api/upload", {"origin": origin}) == THEIRS
    assert asks(method, "/", {"origin": origin} | LINK) == THEIRS


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "anything"])
def test_what_crosses_sites_is_not_answered(site: str) -> None:
    for method, path in (("POST", "/gradio_api/component_server"), ("GET", "/gradio_api/info"), ("GET", "/")):
        for mode in ("cors", "no-cors", "websocket", "navigate"):
            assert asks(method, path, {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": "empty"})
    assert asks("POST", "/gradio_api/upload", OURS | {"sec-fetch-site": site}) == THEIRS


@pytest.mark.parametrize(
    ("method", "path", "changed"),
    [
        pytest.param("POST", "/", {}, id="a form that is sent"),
        pytest.param("GET", "/gradio_api/heartbeat/abc", {}, id="what is not the page"),
        pytest.param("GET", "/", {"sec-fetch-dest": "iframe"}, id="a frame"),
        pytest.param("GET", "/", {"sec-fetch-dest": "image", "sec-fetch-mode": "no-cors"}, id="an image"),
    ],
)
def test_a_link_from_elsewhere_opens_the_page_and_no_more(method: str, path: str, changed: dict[str, str]) -> None:
    assert asks("GET", "/", LINK) is None
    assert asks("GET", "/", LINK | {"sec-fetch-site": "same-site"}) is None
    assert asks(method, path, LINK | changed) == THEIRS


def test_two_origins_are_none() -> None:
    headers = [(b"origin", b"http://127.0.0.1:7860")] * 2
    assert request_refusal("127.0.0.1:7860", "/gradio_api/upload", "POST", headers) == THEIRS


@pytest.mark.parametrize("headers", [{}, OURS, OURS | {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_page_and_programs_are_answered(method: str, headers: dict[str, str]) -> None:
    assert asks(method, "/gradio_api/component_server", headers) is None


def test_the_page_may_be_called_localhost() -> None:
    assert asks("POST", "/gradio_api/upload", {"origin": "http://localhost"}, host="LOCALHOST") is None
    assert asks("POST", "/gradio_api/upload", OURS, host="localhost:7860") == THEIRS


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text(str(socket.url))
    await socket.close()


def test_a_web_socket_is_for_the_page_too() -> None:
    app = Guard(Starlette(routes=[WebSocketRoute("/echo", echo)]))
    with TestClient(app, base_url="http://127.0.0.1:7860") as client:
        address = "ws://127.0.0.1:7860/echo"
        with client.websocket_connect(address, headers={"Origin": "http://127.0.0.1:7860"}) as socket:
            assert socket.receive_text() == address
        for headers in ({"Origin": "http://localhost:9"}, {"Sec-Fetch-Site": "same-site"}, {"Host": "evil.example"}):
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(address, headers=headers):
                pass
