"""The running app as a program on this machine, or one that would like to be, sees it."""

from __future__ import annotations

import http.client
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError

from explorer.asking.answer_json import AskAnswer
from explorer.reading.flag_verdict import VERDICT_ORDER as VERDICTS
from explorer.reading.samples import sample_bytes
from explorer.ui.evaluate.leaderboard_endpoint import EvaluateAnswer
from explorer.ui.explore.slice_endpoint import SliceAnswer
from explorer.ui.gradio_host.call_gate import NOT_UPLOADED
from explorer.ui.viewer.payload import ReadAnswer
from models.anatomy.places import PLACES
from tests.ui import plain_http
from tests.ui.app_server import ROOT, Server


def ask(server: Server, path: str, host: str | None = None) -> tuple[int, dict[str, str], bytes]:
    """A GET whose path is sent exactly as written."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{server.port}")
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    headers = {name.lower(): value for name, value in response.getheaders()}
    connection.close()
    return response.status, headers, body


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[Client]:
    client = Client(server.url, verbose=False, analytics_enabled=False)
    yield client
    client.close()


@pytest.fixture(scope="module")
def config(server: Server) -> Any:  # noqa: ANN401 - JSON
    return plain_http.get(f"{server.url}/config").json()


@pytest.mark.parametrize("path", ["/", "/config", "/gradio_api/info", "/openapi.json", "/nothing"])
def test_every_answer_has_the_security_headers(server: Server, path: str) -> None:
    _, headers, _ = ask(server, path)
    assert headers["content-security-policy"].startswith("default-src 'self'")
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "SAMEORIGIN"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/gradio_api/file=http://127.0.0.1:1/x", 403),
        ("/gradio_api/file=%68ttp%3A//127.0.0.1:1/x", 403),
        ("/gradio_api/file=%2568ttp://127.0.0.1:1/x", 403),
        ("//gradio_api/file=HTTP://127.0.0.1:1/x", 403),
        ("/gradio_api/file/http://127.0.0.1:1/x", 403),
        ("/gradio_api/file=/etc/passwd", 403),
        ("/gradio_api/proxy=http://127.0.0.1:1/x", 404),
        ("/gradio_api/deep_link?session_hash=x", 404),
        ("/docs", 404),
        ("/redoc", 404),
        ("/openapi.json", 404),
        ("/gradio_api/openapi.json", 404),
        ("/monitoring", 404),
        ("/gradio_api/runs", 404),
        ("/gradio_api/run-history/buckets", 404),
        ("/gradio_api/mcp/", 404),
    ],
)
def test_closed_routes_are_closed(server: Server, path: str, status: int) -> None:
    assert ask(server, path)[0] == status


def test_files_of_the_project_are_not_served(server: Server) -> None:
    assert ask(server, f"/gradio_api/file={ROOT / 'app.py'}")[0] == 403


def test_other_host_names_are_not_answered(server: Server) -> None:
    status, _, body = ask(server, "/", host=f"rebound.example:{server.port}")
    assert (status, body) == (421, b"Tailscope answers only to 127.0.0.1 and localhost.")


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux tells who listens where in /proc")
def test_it_listens_on_the_loopback_address_alone(server: Server) -> None:
    lines = [line.split() for file in ("tcp", "tcp6") for line in Path("/proc/net", file).read_text().splitlines()[1:]]
    listening = [line[1] for line in lines if line[1].endswith(f":{server.port:04X}") and line[3] == "0A"]
    assert listening == [f"0100007F:{server.port:04X}"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")
def test_it_rests_while_nobody_asks(server: Server) -> None:
    def wakes() -> dict[str, int]:
        files = Path(f"/proc/{server.process.pid}/task").glob("*/status")
        return {
            file.parent.name: int(file.read_text().split("voluntary_ctxt_switches:")[1].split()[0]) for file in files
        }

    deadline, most = time.monotonic() + 60, 1000
    while (
        most >= 300 and time.monotonic() < deadline
    ):  # it looks 100 times a second; at first it is still getting ready
        before = wakes()
        time.sleep(1)
        most = max(count - before.get(thread, count) for thread, count in wakes().items())
    assert most < 300


def test_nothing_is_sent_out_or_kept_by_gradio(config: dict[str, Any]) -> None:
    assert config["analytics_enabled"] is False
    assert config["footer_links"] == []
    assert config["run_history"] is False
    assert config["max_file_size"] == 200 * 2**20


def test_only_four_endpoints_are_offered_to_programs(server: Server) -> None:
    info = plain_http.get(f"{server.url}/gradio_api/info").json()
    assert list(info["named_endpoints"]) == ["/read", "/ask", "/slice", "/evaluate"]
    assert info["unnamed_endpoints"] == {}
    offered = {"/read": ReadAnswer, "/ask": AskAnswer, "/slice": SliceAnswer, "/evaluate": EvaluateAnswer}
    for name, answers in offered.items():
        (answer,) = info["named_endpoints"][name]["returns"]
        assert set(answer["type"]["properties"]) == set(get_type_hints(answers))


def test_no_event_can_go_past_the_queue(server: Server, config: dict[str, Any]) -> None:
    handled = [event for event in config["dependencies"] if event["backend_fn"]]
    assert len(handled) >= 5
    for event in handled:
        call = {"data": [None], "fn_index": event["id"], "session_hash": "x"}
        for name in ("predict", event["api_name"] or "predict"):
            answer = plain_http.post(f"{server.url}/gradio_api/run/{name}", json=call)
            assert answer.status_code in (404, 422), (event, answer.text)


def test_read_answers_a_program(client: Client, server: Server, tmp_path: Path) -> None:
    film = tmp_path / "IM000001"
    film.write_bytes(sample_bytes("masses"))
    answer = client.predict(handle_file(film), api_name="/read")
    assert answer["model"] == "nih-ensemble"
    assert answer["use"] == "Not for medical use"
    judged = [row for row in answer["findings"] if row["state"] != "cannot judge"]
    assert answer["findings"][: len(judged)] == judged  # what the model cannot judge comes last
    verdicts = [row["verdict"] for row in judged]
    order = [*VERDICTS, None]
    assert [*map(order.index, verdicts)] == sorted(map(order.index, verdicts))  # flagged ones first, by their verdict
    margins = [row["margin"] for row in judged if row["verdict"] is None]
    assert len(margins) > 3 and margins == sorted(margins, reverse=True)
    assert answer["finding_free"]["films"] == 788 and answer["training_film"] is None
    assert answer["stability"] is None  # not asked for
    assert all((row["above"] is None) == (row["threshold"] is None) for row in answer["findings"])
    assert {row["finding"] for row in answer["findings"]} >= {"Mass", "Nodule", "Pleural Effusion"}
    assert answer["anatomy"] is None  # not asked for
    (mass,) = (each for each in answer["cohort"]["findings"] if each["finding"] == "Mass")
    assert (answer["cohort"]["name"], mass["missed"]["hits"], mass["missed"]["n"]) == ("nih-oof", 13, 47)
    assert server.uploaded_files() == []


def test_read_tells_a_program_how_stable_the_scores_are(client: Client, tmp_path: Path) -> None:
    film = tmp_path / "film.dcm"
    film.write_bytes(sample_bytes("masses"))
    answer = client.predict(handle_file(film), stability=True, api_name="/read")
    stability, rows = answer["stability"], answer["findings"]
    assert len(stability["changes"]) == 24
    assert [each["finding"] for each in stability["findings"]] == [row["finding"] for row in rows]
    for each, row in zip(stability["findings"], rows, strict=True):
        assert 0 <= each["low"] <= each["high"] <= 1
        if row["state"] == "cannot judge":
            assert each["stable"] is None
        else:
            assert each["turned"] == (24 - each["above"] if row["above"] else each["above"])
            assert each["stable"] == (each["turned"] <= 2)
    leg = tmp_path / "leg.dcm"
    leg.write_bytes(sample_bytes("leg"))
    assert client.predict(handle_file(leg), stability=True, api_name="/read")["stability"] is None


def test_read_measures_the_heart_and_places_maps_on_request(client: Client, tmp_path: Path) -> None:
    film = tmp_path / "IM000001"
    film.write_bytes(sample_bytes("masses"))
    answer = client.predict(handle_file(film), anatomy=True, api_name="/read")
    heart, maps = answer["anatomy"]["heart"], answer["anatomy"]["maps"]
    assert 0.3 < heart["ratio"] < 0.7 and len(heart["lines"]) == 3
    flagged = {row["finding"] for row in answer["findings"] if row["state"] == "above"}
    assert maps and {each["finding"] for each in maps} <= flagged
    assert {each["place"] for each in maps} <= {*PLACES}
    film.write_bytes(sample_bytes("leg"))
    leg = client.predict(handle_file(film), anyway=True, anatomy=True, api_name="/read")["anatomy"]
    assert (leg["heart"]["ratio"], leg["heart"]["lines"], leg["maps"]) == (None, [], [])
    assert leg["heart"]["says"].startswith("Heart size not found. This film was refused")


def test_read_says_nothing_of_a_leg_unless_asked_twice(client: Client, tmp_path: Path) -> None:
    film = tmp_path / "leg.dcm"
    film.write_bytes(sample_bytes("leg"))
    refused = client.predict(handle_file(film), api_name="/read")
    assert (refused["readable"], refused["findings"], refused["read_anyway"]) == (False, [], False)
    assert "chest" in refused["reason"]
    anyway = client.predict(handle_file(film), anyway=True, api_name="/read")
    assert (anyway["readable"], anyway["read_anyway"], len(anyway["findings"])) == (False, True, 15)
    assert anyway["reason"] == refused["reason"]


def test_read_refuses_in_words_and_keeps_nothing(client: Client, server: Server, tmp_path: Path) -> None:
    text = tmp_path / "letter.dcm"
    text.write_text("Dear colleague, thank you for referring this patient. " * 20)
    with pytest.raises(AppError, match="text"):
        client.predict(handle_file(text), api_name="/read")
    assert server.uploaded_files() == []


@pytest.mark.parametrize("path", ["/etc/passwd", str(ROOT / "app.py"), ""])
def test_read_takes_uploads_only(server: Server, path: str) -> None:
    film = {"path": path, "meta": {"_type": "gradio.FileData"}}
    answer = plain_http.post(f"{server.url}/gradio_api/call/read", json={"data": [film]})
    assert (answer.status_code, answer.text) == (403, NOT_UPLOADED)
    assert (ROOT / "app.py").exists()


def test_the_page_takes_uploads_only(server: Server, config: dict[str, Any]) -> None:
    event = next(d for d in config["dependencies"] if d["targets"][0][1] == "uploaded")
    call = {"fn_index": event["id"], "data": [], "session_hash": "s", "event_data": {"path": str(ROOT / "app.py")}}
    answer = plain_http.post(f"{server.url}/gradio_api/queue/join", json=call)
    assert (answer.status_code, answer.text) == (403, NOT_UPLOADED)
    assert (ROOT / "app.py").exists()


def test_the_upload_folder_is_private(server: Server) -> None:
    assert stat.S_IMODE(server.uploads.stat().st_mode) == 0o700


def test_a_taken_port_gets_a_sentence(server: Server) -> None:
    command = [sys.executable, "app.py", "--port", str(server.port)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"Port {server.port} is in use")
    assert "Traceback" not in ended.stderr
