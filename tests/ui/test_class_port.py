"""The app with a class and without: which ports it opens, and that neither page answers for the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.ui.app_server import Server, free_port, start, stop

LISTENS = "0A"


@dataclass(frozen=True)
class Both:
    """The app that serves a class beside its page."""

    app: Server
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    port = free_port()
    running = start(tmp_path_factory.mktemp("class"), "--class", "--class-port", str(port))
    answers_within(10, f"http://127.0.0.1:{port}")
    yield Both(running, port)
    assert stop(running) == 0


def answers_within(seconds: float, url: str) -> None:
    """Wait for a server that is about to be there."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            httpx.get(url, verify=False)
            return
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def listening(process: int) -> set[str]:
    """Addresses and ports, as /proc/net/tcp writes them, at which a process listens."""
    sockets = {str(each.readlink()) for each in Path(f"/proc/{process}/fd").iterdir() if each.is_symlink()}
    lines = [line.split() for file in ("tcp", "tcp6") for line in Path("/proc/net", file).read_text().splitlines()[1:]]
    return {line[1] for line in lines if line[3] == LISTENS and f"socket:[{line[9]}]" in sockets}


@pytest.mark.app
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux tells who listens where in /proc")
def test_the_page_stays_on_loopback_and_the_class_has_one_port_more(both: Both, server: Server) -> None:
    page, learners = f"0100007F:{both.app.port:04X}", f"00000000:{both.port:04X}"
    assert listening(both.app.process.pid) == {page, learners}
    assert listening(server.process.pid) == {f"0100007F:{server.port:04X}"}  # without --class


@pytest.mark.app
def test_neither_page_answers_for_the_other(both: Both, server: Server) -> None:
    with httpx.Client(verify=False) as client:
        assert "class/learner.js" in client.get(both.url).text
        for path in ("/config", "/gradio_api/info", "/theme.css", "/gradio_api/queue/join", "/tailscope/plotly.js"):
            assert client.get(both.app.url + path).status_code != 404
            assert client.get(both.url + path).json()["title"] == "There is nothing here"
        assert client.post(f"{both.url}/gradio_api/upload", files={"files": b"film"}).status_code == 404
        for page in (both.app.url, server.url):
            assert "class/learner.js" not in client.get(page).text
            for path in ("/state", "/me", "/findings", "/film/0", "/picture/0/0", "/reveal/0", "/sheet"):
                said = client.get(page + path)
                assert said.status_code == 404 or "not in the class" not in said.text
            assert client.post(f"{page}/join", json={"code": "CDFGHJ", "nickname": "A"}).status_code in (404, 405)
        assert client.get(f"{both.url}/me").status_code == 401
        # Another host is refused on both, and the class's port is another site for the page.
        for url in (both.url, both.app.url):
            assert client.get(url, headers={"Host": "rebound.example"}).status_code == 421
        foreign = {"Origin": both.url}
        assert client.post(f"{both.app.url}/gradio_api/upload", headers=foreign).status_code == 403
