"""Ask as a program asks it: the same answer and the same refusals by the endpoint `/ask`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError

from explorer.asking.answer import AskVerdict
from explorer.reading.samples import sample_bytes
from tests.ui.app_server import Server

VERDICTS = get_args(AskVerdict)


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[Client]:
    client = Client(server.url, verbose=False, analytics_enabled=False)
    yield client
    client.close()


def test_ask_answers_a_program(client: Client, server: Server, tmp_path: Path) -> None:
    film = tmp_path / "IM000001"
    film.write_bytes(sample_bytes("masses"))
    answer = client.predict(handle_file(film), "fluid around the lung", api_name="/ask")
    assert answer["verdict"] in VERDICTS and answer["taken_for"]["finding"] == "Pleural Effusion"
    assert answer["model"] == "nih-mini-vlm" and answer["beside"]["model"] == "nih-ensemble"
    assert answer["measured"]["n"] == 1650 and len(answer["spread"]["prompts"]) > 5
    common = client.predict(handle_file(film), "pleural effusion", "", False, "80", api_name="/ask")
    assert common["predicted"]["prevalence"] == 0.8 and "Prevalence 80 %, as you typed." in common["why"]
    own = client.predict(handle_file(film), "fluid around the lung", "{} | no {}", api_name="/ask")
    assert own["templates"] == [["{}", "no {}"]]
    assert own["margin"] != answer["margin"]
    assert server.uploaded_files() == []


@pytest.mark.parametrize(
    ("sample", "sent", "words"),
    [
        ("masses", (" ",), "no finding"),
        ("masses", ("mass", "{}"), "two sides"),
        ("masses", ("mass", "", False, "100"), "100 % is not a usable prevalence"),
        ("leg", ("mass",), "anyway=True"),
    ],
)
def test_ask_refuses_in_words(
    client: Client, server: Server, tmp_path: Path, sample: str, sent: tuple[object, ...], words: str
) -> None:
    film = tmp_path / "film.dcm"
    film.write_bytes(sample_bytes(sample))
    with pytest.raises(AppError, match=words):
        client.predict(handle_file(film), *sent, api_name="/ask")
    assert server.uploaded_files() == []


def test_ask_answers_about_a_leg_when_told_to(client: Client, tmp_path: Path) -> None:
    film = tmp_path / "leg.dcm"
    film.write_bytes(sample_bytes("leg"))
    assert client.predict(handle_file(film), "fracture", "", True, api_name="/ask")["question"] == "fracture"
