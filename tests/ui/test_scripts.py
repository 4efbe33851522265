"""The route of the page's modules: kept for good, compressed where that is understood, and nothing else is served."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from explorer.ui.gradio_host.guard import Guard
from explorer.ui.scripts import STATIC, address, head, mount, script_route

READ = "read/read.js"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = Starlette(routes=[script_route()], middleware=[Middleware(Guard)])
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_module_is_kept_for_good(client: TestClient, encoding: str) -> None:
    answer = client.get(address(READ), headers={"accept-encoding": encoding})
    assert answer.status_code == 200 and answer.content == (STATIC / READ).read_bytes()
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert answer.headers.get("content-encoding", "identity") == encoding
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize(
    "path",
    [
        address("read/none.js"),
        address("shared/panel.css"),  # Gradio serves the styles
        address("..%2Fscripts.py"),
        address("shared/..%2f..%2f..%2fscripts.py"),
        re.sub(r"/[0-9a-f]{16}/", "/0000000000000000/", address(READ)),
    ],
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")


def test_another_site_gets_nothing(client: TestClient) -> None:
    assert client.get(address(READ), headers={"host": "elsewhere.example"}).status_code == 421


def test_the_script_of_a_component_names_its_events_and_imports_its_module() -> None:
    script = mount(READ, "uploaded", "sample", limit=5)
    assert '"uploaded"' in script and '"sample"' in script  # Gradio looks for them in quotes
    assert f'import(new URL("{address(READ)}", location.href))' in script and '{"limit": 5}' in script


def test_the_head_loads_what_the_first_tab_imports() -> None:
    loaded = re.findall(r'<link rel="modulepreload" fetchpriority="low" href="(.+)">', head())
    assert address(READ) in loaded and address("viewer/lightbox.js") in loaded
    assert not [each for each in loaded if "/explore/" in each]
