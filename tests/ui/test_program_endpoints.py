"""What programs get from `/slice` and `/evaluate` of the running app, beside what the page and the command line say."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from explorer.reading.samples import sample_bytes
from explorer.ui.shared.links import center_id, cohort_id, model_id
from tests.explorer.cli.command import run
from tests.ui.app_server import ROOT, Server, answer_of

pytestmark = pytest.mark.app
TWO = ["phantom", "lab-crt-0"]
WHERE = "center=B, view=AP"
PATIENCE = 120  # s


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[Client]:
    client = Client(server.url, verbose=False, analytics_enabled=False)
    yield client
    client.close()


def slice_words(**words: str) -> dict[str, str]:
    return {"cohort": cohort_id("phantom"), "model": model_id("phantom", "phantom"), **words}


def computed(client: Client, *sent: object) -> Any:  # noqa: ANN401 - JSON
    """What `/evaluate` answers when its intervals are there."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        answer = client.predict(*sent, api_name="/evaluate")
        if not answer["computing"]:
            return answer
        assert answer["resamples"] == 0 and answer["rows"][0]["value"] is not None and answer["rows"][0]["p"] is None
        time.sleep(0.1)
    raise AssertionError("The intervals did not come.")


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("", {"source": "paper"}),
        ("outcome=miss, group=very rare", {"outcome": "miss", "group": "very-rare"}),
        ("center=B, view=AP, outcome=wrong", {"center": center_id("phantom", "B"), "view": "ap", "outcome": "wrong"}),
        ("finding=Pneumothorax, low=0.5", {"finding": "pneumothorax", "low": "0.5"}),
    ],
)
def test_a_slice_has_the_films_of_the_gallery(
    client: Client, server: Server, where: str, words: dict[str, str]
) -> None:
    shown = answer_of(server, "explore", "slice_page", state=slice_words(**words))
    found = client.predict("phantom", "phantom", where, api_name="/slice")
    assert found["rows"] == shown["items"] and found["films"] == shown["films"]
    assert shown["sentence"].startswith(found["slice"]) and f"{found['pairs']:,} (film, finding)" in shown["sentence"]
    assert (found["simulated"], found["unit"], found["use"]) == (True, "score", "Not for medical use")


def test_offsets_go_on_where_the_films_before_end(client: Client) -> None:
    def cases(sort: str, limit: int, offset: int) -> list[str]:
        rows = client.predict("phantom", "phantom", "outcome=miss", sort, limit, offset, api_name="/slice")["rows"]
        return [row["case"] for row in rows]

    for sort in ("worst", "shuffled"):
        first = cases(sort, 60, 0)
        assert len(set(first)) == 60
        assert cases(sort, 7, 10) == first[10:17] and cases(sort, 20, 40) == first[40:]
    assert cases("worst", 60, 0) != cases("shuffled", 60, 0)
    assert cases("worst", 24, 10**8) == []


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (("fantom", "phantom"), "Did you mean phantom"),
        (("phantom", "nobody"), "has not scored phantom"),
        (("phantom", "phantom", "outcome=mist"), "Did you mean miss"),
        (("phantom", "phantom", "hospital=B"), "no filter"),
        (("phantom", "phantom", "", "best"), "no such order"),
        (("phantom", "phantom", "", "worst", 101), "1 to 100"),
        (("phantom", "phantom", "", "worst", 24, -1), "offset must be a whole number"),
    ],
)
def test_a_slice_that_is_not_there_is_refused_in_words(client: Client, sent: tuple[object, ...], said: str) -> None:
    with pytest.raises(AppError, match=said):
        client.predict(*sent, api_name="/slice")


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("slice", [["phantom"], "phantom", "", "worst", 24, 0]),
        ("slice", ["phantom", "phantom", {"center": "B"}, "worst", 24, 0]),
        ("slice", ["phantom", "phantom", "", "worst", "many", 0]),
        ("evaluate", ["phantom", "phantom", "", False]),
        ("evaluate", ["phantom", [1], "", False]),
        ("evaluate", [None, None, "", False]),
    ],
)
def test_values_of_other_types_are_refused(server: Server, name: str, sent: list[object]) -> None:
    asked = httpx.post(f"{server.url}/gradio_api/call/{name}", json={"data": sent}).json()
    answer = httpx.get(f"{server.url}/gradio_api/call/{name}/{asked['event_id']}", timeout=PATIENCE).text
    assert answer.startswith("event: error") and " must be " in answer


def test_the_leaderboard_is_that_of_the_page_and_of_the_command(client: Client, server: Server) -> None:
    found = computed(client, "phantom", TWO, WHERE)
    words = [word for model in TWO for word in ("--model", model)] + ["--resamples", str(found["resamples"])]
    command = json.loads(run("evaluate", "--cohort", "phantom", *words, "--where", WHERE, "--format", "json").stdout)
    assert found.keys() == command.keys() | {"computing"} and found["resamples"]
    assert found["reference"] == "phantom" and all(found[name] == command[name] for name in ("title", "reference"))
    for row, other in zip(sorted(found["rows"], key=key), sorted(command["rows"], key=key), strict=True):
        assert row == pytest.approx(other, abs=1e-12)
    state = {
        "cohort": cohort_id("phantom"),
        "models": ".".join(model_id("phantom", model) for model in sorted(TWO)),
        "reference": model_id("phantom", "phantom"),
        "center": center_id("phantom", "B"),
        "view": "ap",
    }
    board = answer_of(server, "evaluate", "board", state=state)
    assert not board["computing"] and board["notes"] == found["notes"]
    for row in board["rows"]:
        mine = [each for each in found["rows"] if (each["model"], each["metric"]) == (row["name"], "mAP")]
        assert [figure["value"] for figure in row["figures"]] == [each["value"] for each in mine]
        assert [(figure["low"], figure["high"]) for figure in row["figures"]] == [
            (each["ci_low"], each["ci_high"]) for each in mine
        ]
        assert [part["films"] for part in board["parts"]] == [each["films"] for each in mine]


def key(row: dict[str, object]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("findings", "center", "metric", "model"))


def test_the_leaderboard_is_of_the_films_of_the_slice(client: Client) -> None:
    """By what the first model says, not the first by name."""
    where = "outcome=miss, with=Mass"
    found = client.predict("phantom", TWO, where, api_name="/evaluate")
    those = client.predict("phantom", TWO[0], where, "worst", 1, 0, api_name="/slice")
    assert TWO[0] == "phantom" != sorted(TWO)[0] and f": {those['films']} films of" in found["title"]


def test_without_models_those_of_the_page_are_compared(client: Client, server: Server) -> None:
    found = client.predict("phantom", api_name="/evaluate")
    board = answer_of(server, "evaluate", "board", state={"cohort": cohort_id("phantom")})
    assert {row["model"] for row in found["rows"]} == {row["name"] for row in board["rows"]}
    assert found["reference"] == next(row["name"] for row in board["rows"] if row["reference"])


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (("fantom",), "Did you mean phantom"),
        (("phantom", ["phantom", "phantom"]), "named twice"),
        (("phantom", ["phantom"], "hospital=B"), "no filter"),
        (("phantom", ["phantom", "zero-shot-name"]), "no finding in common"),
    ],
)
def test_a_board_that_cannot_be_is_refused_in_words(client: Client, sent: tuple[object, ...], said: str) -> None:
    with pytest.raises(AppError, match=said):
        client.predict(*sent, api_name="/evaluate")


def test_the_docs_examples_of_the_running_page_run(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With this server's address and a film of that name; what they end with is checked there."""
    section = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").partition("## The running page")[2]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert len(blocks) == 3 and "127.0.0.1:7860" in blocks[0]
    monkeypatch.chdir(tmp_path)
    Path("film.dcm").write_bytes(sample_bytes("masses"))
    code = "\n".join(blocks).replace("http://127.0.0.1:7860", server.url)
    names: dict[str, Any] = {}
    exec(compile(code, "docs/api.md", "exec"), names)
    names["client"].close()
    assert names["opinion"]["model"] == "nih-ensemble" and names["answer"]["verdict"]
