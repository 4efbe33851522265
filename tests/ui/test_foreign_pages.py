"""Pages of other origins, other ports of this machine among them, and what they can make of the running app."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from explorer.ui.gradio_host.guard import FOREIGN_REFUSAL
from tests.ui import plain_http
from tests.ui.app_server import Server, component_of
from tests.ui.reading_room import film_of, grey, upload, wait_until_read

pytestmark = pytest.mark.browser

EVIL = [
    pytest.param({"Origin": "http://evil.example"}, id="origin"),
    pytest.param({"Origin": "http://localhost:9"}, id="another port"),
    pytest.param({"Origin": "null"}, id="a sandbox"),
    pytest.param({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, id="cross-site"),
    pytest.param({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, id="same-site"),
]
READS = ["/", "/config", "/gradio_api/info", "/gradio_api/queue/data?session_hash=s", "/gradio_api/heartbeat/s"]
READS += ["/tailscope/plotly.js", "/tailscope/thumb/a/b.webp", "/gradio_api/file=/tmp/x", "/gradio_api/upload_progress"]


@pytest.fixture(scope="module")
def config(server: Server) -> Any:  # noqa: ANN401 - JSON
    return plain_http.get(f"{server.url}/config").json()


@pytest.mark.parametrize("headers", EVIL)
def test_nothing_is_uploaded_or_called_for_another_page(
    server: Server, config: dict[str, Any], headers: dict[str, str]
) -> None:
    call = {
        "component_id": component_of(config, "simulate"),
        "fn_name": "simulated_progress",
        "session_hash": "s",
        "data": None,
    }
    join = {"fn_index": 0, "data": [], "session_hash": "s"}
    answers = [
        plain_http.post(f"{server.url}/gradio_api/upload", files={"files": b"film"}, headers=headers),
        plain_http.post(f"{server.url}/gradio_api/component_server", content=json.dumps(call), headers=headers),
        plain_http.post(f"{server.url}/gradio_api/queue/join", json=join, headers=headers),
        plain_http.post(f"{server.url}/gradio_api/call/read", json={"data": [None]}, headers=headers),
    ]
    assert [(answer.status_code, answer.text) for answer in answers] == [(403, FOREIGN_REFUSAL)] * 4
    assert server.uploaded_files() == []
    assert plain_http.post(f"{server.url}/gradio_api/component_server", json=call).status_code == 200  # a program


@pytest.mark.parametrize("headers", EVIL)
@pytest.mark.parametrize("path", READS)
def test_another_page_reads_nothing(server: Server, path: str, headers: dict[str, str]) -> None:
    answer = plain_http.get(server.url + path, headers=headers)
    assert (answer.status_code, answer.text) == (403, FOREIGN_REFUSAL)


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:9", "null"])
def test_no_preflight_is_granted(server: Server, origin: str) -> None:
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x"}
    for path in ("/gradio_api/upload", "/gradio_api/component_server", "/config"):
        answer = plain_http.options(server.url + path, headers=asked)
        assert answer.status_code == 403
        assert [name for name in answer.headers if name.startswith("access-control-")] == []


@pytest.mark.parametrize("path", ["/", "/config", "/gradio_api/info", "/tailscope/plotly.js", "/openapi.json"])
def test_no_answer_may_be_shown_elsewhere(server: Server, path: str) -> None:
    answer = plain_http.get(server.url + path, headers={"Origin": server.url})
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert [name for name in answer.headers if name.startswith("access-control-")] == []


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-Host": "evil.example"},
        {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"},
        {"X-Forwarded-Proto": "https"},
        {"X-Gradio-Server": "http://evil.example"},
        {"Forwarded": "for=1.2.3.4;host=evil.example;proto=https", "X-Forwarded-For": "1.2.3.4"},
    ],
)
def test_what_a_proxy_would_say_changes_nothing(
    server: Server, config: dict[str, Any], headers: dict[str, str]
) -> None:
    asked = plain_http.get(f"{server.url}/config", headers=headers).json()
    assert asked["root"] == config["root"] == server.url
    assert "evil" not in plain_http.get(server.url, headers=headers).text
    assert plain_http.get(server.url, headers=headers | {"Host": "evil.example"}).status_code == 421


HOSTILE = """<!doctype html><title>hostile</title><a href="{app}/">a link</a>
<img id="picture" src="{app}/favicon.ico">
<iframe id="frame" src="{app}/"></iframe>
<script>
const app = "{app}", film = () => {{
  const form = new FormData(); form.append("files", new File(["film"], "film")); return form; }};
const text = (body) => ({{ method: "POST", body: JSON.stringify(body), headers: {{ "Content-Type": "text/plain" }} }});
const call = {{ component_id: {component}, fn_name: "simulated_progress", session_hash: "s", data: null }};
const tried = {{
  upload: () => fetch(app + "/gradio_api/upload", {{ method: "POST", body: film() }}),
  blind: () => fetch(app + "/gradio_api/upload", {{ method: "POST", body: film(), mode: "no-cors" }}),
  call: () => fetch(app + "/gradio_api/component_server", text(call)),
  json: () => fetch(app + "/config", {{ headers: {{ "Content-Type": "application/json" }} }}),
  read: () => fetch(app + "/config"),
  credentials: () => fetch(app + "/config", {{ credentials: "include" }}),
  script: () => new Promise((onload, onerror) => document.head.append(
    Object.assign(document.createElement("script"), {{ src: app + "/tailscope/plotly.js", onload, onerror }}))),
  stream: () => new Promise((open, fail) =>
    Object.assign(new EventSource(app + "/gradio_api/heartbeat/s"), {{ onopen: open, onerror: fail }})),
  picture: () => new Promise((load, fail) =>
    Object.assign(new Image(), {{ src: app + "/assets/logo.svg", onload: load, onerror: fail }})),
}};
window.outcomes = async () => {{
  const said = {{}};
  for (const [name, attempt] of Object.entries(tried))
    said[name] = await attempt().then((answer) => answer.type ?? "done", () => "failed");
  return said;
}};
</script>"""


@pytest.fixture
def hostile(server: Server, config: dict[str, Any]) -> Iterator[str]:
    """The address of a page on another port of this machine."""
    body = HOSTILE.format(app=server.url, component=component_of(config, "simulate")).encode()

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Nothing to standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{web.server_port}/"
        web.shutdown()


@pytest.fixture(scope="module")
def lured(chromium: Browser) -> Iterator[BrowserContext]:
    """A visitor of the app, who comes by hostile pages, whose console may complain."""
    with chromium.new_context() as context:
        yield context


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_page_on_another_port_can_do_nothing_but_link(
    lured: BrowserContext, server: Server, hostile: str, name: str
) -> None:
    with lured.new_page() as page:
        page.goto(hostile.replace("127.0.0.1", name))
        said = page.evaluate("outcomes()")
        assert set(said.values()) == {"failed"}, said
        assert server.uploaded_files() == []
        assert page.evaluate("document.querySelector('#picture').naturalWidth") == 0
        assert [frame.url for frame in page.frames[1:] if frame.locator("#masthead").count()] == []
        page.get_by_text("a link").click()
        expect(page.locator("#masthead")).to_be_visible()
        page.get_by_role("tab", name="Read", exact=True).click()
        page.locator("#read .room[data-state=empty]").wait_for()  # until then nobody takes the film
        upload(page, "film.png", grey(film_of("masses")[::4, ::4]))
        wait_until_read(page)
        assert server.uploaded_files() == []
