"""Whatever address a call names as a file, of any endpoint and in any form: nothing is looked up, nobody is reached."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from explorer.ui.gradio_host.call_gate import NOT_UPLOADED, names_other_files
from tests.ui import plain_http
from tests.ui.app_server import ROOT, free_port

FILE = {"meta": {"_type": "gradio.FileData"}}
UPLOADED = "/tmp/uploads/" + "a" * 64 + "/film"


@pytest.mark.parametrize(
    ("sent", "refused"),
    [
        ({"path": UPLOADED}, False),
        ({"path": UPLOADED, "url": None, **FILE}, False),
        ({"path": 5}, False),
        ({"film": "http://127.0.0.1/x"}, False),
        ({"path": UPLOADED, "url": "http://127.0.0.1/x"}, True),
        ({"path": UPLOADED, "url": ""}, True),
        ({"path": "http://127.0.0.1/x"}, True),
        ([[{"value": {"path": "/etc/passwd"}}]], True),
        ({"path": {"path": ""}}, True),
    ],
)
def test_a_file_is_an_upload_without_an_address(sent: object, refused: bool) -> None:
    assert names_other_files(sent, lambda path: path == UPLOADED) is refused


@dataclass(frozen=True)
class Watched:
    """An app that notes whom it asks, and a listener on this machine that must hear nothing."""

    url: str
    notes: Path
    uploads: Path
    listener: str
    heard: list[object]

    def noted(self) -> list[str]:
        return self.notes.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    temporary, port = tmp_path_factory.mktemp("watched"), free_port()
    notes = temporary / "notes"
    command = [sys.executable, "-m", "tests.ui.app_that_notes", str(notes), "--port", str(port), "--device", "cpu"]
    home = {"TMPDIR": str(temporary), "TAILSCOPE_HOME": str(temporary / "home")}
    heard: list[object] = []
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        subprocess.Popen(command, cwd=ROOT, env=os.environ | home, stderr=subprocess.DEVNULL) as process,
    ):
        threading.Thread(target=listen, args=(listener, heard), daemon=True).start()
        url = f"http://127.0.0.1:{port}"
        wait_until_answered(url, process)
        (uploads,) = temporary.glob("tailscope-*")
        yield Watched(url, notes, uploads, f"127.0.0.1:{listener.getsockname()[1]}", heard)
        listener.shutdown(socket.SHUT_RDWR)
        process.terminate()


def listen(listener: socket.socket, heard: list[object]) -> None:
    while True:
        try:
            connection, caller = listener.accept()
        except OSError:
            return
        heard.append(caller)
        connection.close()


def wait_until_answered(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            plain_http.get(f"{url}/gradio_api/info").raise_for_status()
        except httpx.TransportError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError("app.py did not answer")


def files(watched: Watched) -> list[dict[str, Any]]:
    """Files as a caller may name them; none lies in the folder of uploads or all have an address."""
    address = f"http://{watched.listener}/x"
    upload = str(watched.uploads / ("a" * 64) / "film")
    paths = [address, address.upper(), f" {address}", f"//{watched.listener}/x", "/etc/hostname", f"{upload}/../../x"]
    plain = [{"path": path} for path in paths] + [{"path": upload, "url": address}, {"path": address, "url": address}]
    return [form for file in plain for form in (file, file | FILE, file | FILE | {"is_stream": True})]


def calls(config: dict[str, Any], file: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every endpoint that takes a body, with the file wherever its body has room for one."""
    places: list[Any] = [file, [file], {"value": file}]
    for each in config["dependencies"]:
        inputs = max(len(each["inputs"]), 1)
        for place in places:
            body = {"fn_index": each["id"], "session_hash": "s", "data": [place] * inputs, "event_data": place}
            yield "queue/join", body
            for name in (each["api_name"],) if each["api_name"] else ():
                yield from ((f"{kind}/{name}", {"data": body["data"]}) for kind in ("call", "run", "api"))
                yield f"call/v2/{name}", {"film": place, "cohort": place}
    for component in config["components"]:
        for name in component["props"].get("server_fns", ()):
            body = {"component_id": component["id"], "fn_name": name, "session_hash": "s", "data": file}
            yield "component_server", body
    yield "stream/x", {"data": [file]}
    yield "cancel", {"session_hash": "s", "fn_index": 0, "event_id": file}
    yield "reset", {"event_id": file}


@pytest.mark.app
def test_no_call_has_an_address_fetched(watched: Watched) -> None:
    config = plain_http.get(f"{watched.url}/config").json()
    before, called = watched.noted(), set()
    with httpx.Client(base_url=f"{watched.url}/gradio_api/", verify=False, timeout=60) as client:
        for number, file in enumerate(files(watched)):
            for path, body in calls(config, file):
                if number and path == "component_server":
                    continue  # gradio reads no files there
                answer = client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
                assert (answer.status_code, answer.text) == (403, NOT_UPLOADED), (path, body)
                called.add(path)
        for name in ("read", "ask", "slice", "evaluate"):
            assert {f"{kind}/{name}" for kind in ("call", "call/v2", "run", "api")} <= called
    time.sleep(1)  # what was begun in the background is noted by then
    assert watched.noted() == before and watched.heard == []
