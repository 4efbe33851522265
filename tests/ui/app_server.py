"""Tailscope in a process of its own: started as a visitor does, or forked from a parent that has the libraries."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx

from tests.support.forked_app import ForkedApp, parent
from tests.ui import plain_http

ROOT = Path(__file__).parents[2]
START_SECONDS = 90
ANSWER_SECONDS = 120


@dataclass(frozen=True)
class Server:
    """A running app: its address, where its temporary files go, and its folder there that uploads go to.

    A visitor's folder of films is in a folder beside that, which comes with the first of them.
    """

    process: subprocess.Popen[bytes] | ForkedApp
    port: int
    temporary: Path
    uploads: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def own_models(self) -> Path:
        """Where those of the visitor's own are, if no other home was named."""
        return self.temporary / "home" / "models"

    def uploaded_files(self) -> list[Path]:
        return [path for path in self.uploads.rglob("*") if path.is_file()]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def start(temporary: Path, *arguments: str, home: Path | None = None, errors: IO[str] | None = None) -> Server:
    """Start app.py on a free port, own cohorts below `home`, and wait until it answers.

    With a file for its `errors` it is started as a visitor does, and takes longer for it.
    """
    port = next(port for port in iter(free_port, None) if str(port) not in arguments)  # a class may have that one
    words = ["--port", str(port), "--device", "cpu", *arguments]
    environment = os.environ | {
        "TMPDIR": str(temporary),
        "GRADIO_IS_E2E_TEST": "1",
        "TAILSCOPE_HOME": str(home or temporary / "home"),
    }
    process: subprocess.Popen[bytes] | ForkedApp
    if errors is None and sys.platform == "linux":
        process = parent().start(words, environment)
    else:
        process = subprocess.Popen([sys.executable, "app.py", *words], cwd=ROOT, env=environment, stderr=errors)
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + START_SECONDS
    with httpx.Client(verify=False) as client:  # to read the certificates, which nobody asks for, takes 60 ms each time
        while time.monotonic() < deadline:
            assert process.poll() is None, f"app.py ended with status {process.returncode}"
            try:
                client.get(f"{url}/gradio_api/info").raise_for_status()
            except httpx.TransportError:
                time.sleep(0.1)
            else:
                (uploads,) = temporary.glob("tailscope-*")
                return Server(process, port, temporary, uploads)
    process.kill()
    raise AssertionError(f"app.py did not answer within {START_SECONDS} s")


def component_of(config: Mapping[str, Any], tab: str) -> int:
    """The id of the component that a tab's calls are made to."""
    (found,) = (each["id"] for each in config["components"] if each["props"].get("elem_id") == tab)
    return int(found)


def answer_of(server: Server, tab: str, call: str, **sent: object) -> Any:  # noqa: ANN401 - JSON
    """What a tab's script is answered. Raises httpx.HTTPStatusError where it is refused."""
    component = component_of(plain_http.get(f"{server.url}/config").json(), tab)
    order = {"session_hash": "s", "component_id": component, "fn_name": call, "data": sent}
    answer = plain_http.post(f"{server.url}/gradio_api/component_server", json=order, timeout=ANSWER_SECONDS)
    return answer.raise_for_status().json()


def stop(server: Server) -> int:
    """End the app as an operating system does; returns its exit status."""
    server.process.terminate()
    return server.process.wait(timeout=30)
