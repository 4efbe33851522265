"""The route of the page's modules: kept for good, compressed where that is understood, and nothing else is served."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from explorer.ui.gradio_host.guard import Guard
from explorer.ui.scripts import STATIC_FOLDER, head_tags, module_address, mount_script, script_route

READ = "read/read.js"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = Starlette(routes=[script_route()], middleware=[Middleware(Guard)])
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_module_is_kept_for_good(client: TestClient, encoding: str) -> None:
    answer = client.get(module_address(READ), headers={"accept-encoding": encoding})
    assert answer.status_code == 200 and answer.content == (STATIC_FOLDER / READ).read_bytes()
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert answer.headers.get("content-encoding", "identity") == encoding
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize(
    "path",
    [
        module_address("read/none.js"),
        module_address("shared/panel.css"),  # Gradio serves the styles
        module_address("..%2Fscripts.py"),
        module_address("shared/..%2f..%2f..%2fscripts.py"),
        re.sub(r"/[0-9a-f]{16}/", "/0000000000000000/", module_address(READ)),
    ],
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")


def test_another_site_gets_nothing(client: TestClient) -> None:
    assert client.get(module_address(READ), headers={"host": "elsewhere.example"}).status_code == 421


def test_the_script_of_a_component_names_its_events_and_imports_its_module() -> None:
    script = mount_script(READ, "uploaded", "sample", limit=5)
    assert '"uploaded"' in script and '"sample"' in script  # Gradio looks for them in quotes
    assert f'import(new URL("{module_address(READ)}", location.href))' in script and '{"limit": 5}' in script


def test_the_head_loads_what_the_first_tab_imports() -> None:
    loaded = re.findall(r'<link rel="modulepreload" fetchpriority="low" href="(.+)">', head_tags())
    assert module_address(READ) in loaded and module_address("viewer/lightbox.js") in loaded
    assert not [each for each in loaded if "/explore/" in each]
