"""The real app in a process of its own, and pages in a real browser that must stay quiet and on this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from tests.ui.clinic import write_clinic

ROOT = Path(__file__).parents[2]
START_SECONDS = 90
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@dataclass(frozen=True)
class Server:
    """A running app: its address, and the folder its temporary files go to."""

    process: subprocess.Popen[bytes]
    port: int
    temporary: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def uploads(self) -> Path:
        (folder,) = self.temporary.glob("tailscope-*")
        return folder

    def uploaded_files(self) -> list[Path]:
        return [path for path in self.uploads.rglob("*") if path.is_file()]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def start(temporary: Path, *arguments: str, home: Path | None = None) -> Server:
    """Start app.py on a free port, own cohorts below `home`, and wait until it answers."""
    port = free_port()
    command = [sys.executable, "app.py", "--port", str(port), "--device", "cpu", *arguments]
    environment = os.environ | {
        "TMPDIR": str(temporary),
        "GRADIO_IS_E2E_TEST": "1",
        "TAILSCOPE_HOME": str(home or temporary / "home"),
    }
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    server = Server(process, port, temporary)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, f"app.py ended with status {process.returncode}"
        try:
            httpx.get(f"{server.url}/gradio_api/info").raise_for_status()
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return server
    process.kill()
    raise AssertionError(f"app.py did not answer within {START_SECONDS} s")


def stop(server: Server) -> int:
    """End the app as an operating system does; returns its exit status."""
    server.process.terminate()
    return server.process.wait(timeout=30)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start(tmp_path_factory.mktemp("server"))
    yield running
    stop(running)


@pytest.fixture(scope="session")
def cohort_server(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Server]:
    """The app with the films of the shipped cohort and a small cohort of the visitor's own."""
    home = tmp_path_factory.mktemp("home")
    write_clinic(home / "cohorts")
    images = f"nih={shared / 'data' / 'nih_cxr14'}"
    running = start(tmp_path_factory.mktemp("cohorts"), "--images", images, home=home)
    yield running
    stop(running)


@pytest.fixture(scope="session")
def chromium(browser_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Complaints:
    """What a page must not do: fail, complain, or ask another machine for anything."""

    heard: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.heard.append(f"exception: {error}"))
        page.on(
            "console", lambda m: self.heard.append(f"console: {m.text}") if m.type in ("error", "warning") else None
        )
        page.on("request", self._request)

    def _request(self, request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            self.heard.append(f"request: {request.url}")


NewVisitor = Callable[..., Page]
CLIPBOARD = ("clipboard-read", "clipboard-write")


@pytest.fixture
def new_visitor(chromium: Browser, server: Server) -> Iterator[NewVisitor]:
    """Opens the page as somebody new: own cookies, own storage."""
    complaints, contexts = Complaints(), []

    def visit(url: str = server.url, width: int = 1440, height: int = 900) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height})
        contexts.append(context)
        page = context.new_page()
        complaints.listen(page)
        page.goto(url)
        page.locator(".room[data-state=empty]").wait_for()
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints.heard == []


@pytest.fixture
def new_explorer(chromium: Browser, cohort_server: Server) -> Iterator[NewVisitor]:
    """Opens Explore, or another tab, by an address as somebody new."""
    complaints, contexts = Complaints(), []

    def visit(fragment: str = "#explore", width: int = 1440, height: int = 900) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height}, permissions=CLIPBOARD)
        contexts.append(context)
        page = context.new_page()
        complaints.listen(page)
        page.goto(f"{cohort_server.url}/{fragment}")
        explore, read = ".explore:not([data-state=opening]):not(.pending)", ".room[data-state=empty]"
        page.locator(explore if "explore" in fragment else read).wait_for()
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints.heard == []


@pytest.fixture
def visitor(new_visitor: NewVisitor) -> Page:
    return new_visitor()
