"""What a visit of the page weighs, and how long it takes until something is seen and a film can be opened."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from playwright.sync_api import Browser

from tests.benchmarks.timing import Figure
from tests.ui.app_server import start, stop

READY = """() => {
    const sample = document.querySelector("#read .sample");
    return sample && !sample.closest("[inert]");
}"""
VISIT = """() => {
    const modules = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/tailscope/static/"));
    const sum = (key) => modules.reduce((total, each) => total + each[key], 0);
    const inline = gradio_config.components.reduce((total, { props }) => total + (props.js_on_load ?? "").length, 0);
    return {
        paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
        inline, modules: sum("decodedBodySize"), sent: sum("encodedBodySize"),
    };
}"""


def page_figures(browser: Browser, count: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        server = start(Path(folder))
        try:
            content = httpx.get(server.url).content
            visits = [_visit(browser, server.url) for _ in range(count)]
        finally:
            stop(server)
    first = visits[0]
    yield Figure("page", len(content) / 1000, "kB")
    yield Figure("  compressed", len(gzip.compress(content)) / 1000, "kB")
    yield Figure("  scripts in it", first["inline"] / 1000, "kB")
    yield Figure("modules that the first tab fetches", first["modules"] / 1000, "kB")
    yield Figure("  as sent", first["sent"] / 1000, "kB")
    yield Figure("first paint", median(each["paint"] for each in visits), "ms")
    yield Figure("a film can be opened", median(each["ready"] for each in visits), "ms")


def _visit(browser: Browser, address: str) -> dict[str, Any]:
    """As for the first time: nothing is in the browser's cache."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        page.goto(address, wait_until="commit")
        page.wait_for_function(READY, polling="raf")
        ready: float = page.evaluate("performance.now()")
        found: dict[str, Any] = page.evaluate(VISIT)
    return found | {"ready": ready}
