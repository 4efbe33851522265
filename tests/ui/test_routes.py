"""The routes beside Gradio's own, asked as a browser asks: guarded, opaque, in words where there is nothing."""

from __future__ import annotations

import asyncio
import io
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import numpy as np
import plotly
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.images import Images, remember_root
from explorer.cohorts.layout import Folder
from explorer.cohorts.packed_thumbnails import pack_thumbnails, simulated_films
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.simulated_films import RenderHere
from explorer.reading import samples
from explorer.reading.sample_pictures import sample_webp
from explorer.reading.samples import SAMPLES
from explorer.simulator.film_png import FILM_SIZE
from explorer.simulator.packed_film import FilmFile
from explorer.store.store import Store
from explorer.ui import thumbnail_route
from explorer.ui.gradio_host.guard import Guard
from explorer.ui.routes import PLOTLY, page_routes, sample_address
from explorer.ui.thumbnail_route import thumbnail_address
from tests.explorer.scoring.cohorts import write_cohort
from tests.explorer.scoring.films import write_films
from tests.support.small_phantom import write_phantom
from tests.ui.event_loop import run_in_thread

CASE = "north 0001.png"


@pytest.fixture
def cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """An own cohort of three films; the last one is damaged."""
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    names = write_films(tmp_path / "films", 3)
    (tmp_path / "films" / names[2]).write_text("Dear colleague")
    table = [("north", name) for name in names]
    return write_cohort(Folder(tmp_path / "home" / "cohorts" / "own"), table, tmp_path / "films")


@pytest.fixture
def client(cohort: Folder) -> Iterator[TestClient]:
    app = Starlette(routes=page_routes(Store(), Images()), middleware=[Middleware(Guard)])
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def test_a_thumbnail_is_a_small_picture_for_this_page_only(client: TestClient, cohort: Folder) -> None:
    answer = client.get(thumbnail_address("own", CASE))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/webp")
    with Image.open(io.BytesIO(answer.content)) as image:
        assert image.size == (96, 96)
    assert answer.headers["cache-control"].startswith("private")
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert len(list(cohort.thumbnails.iterdir())) == 1


def test_the_address_says_nothing_of_the_case() -> None:
    address = thumbnail_address("own", CASE)
    assert "own" not in address and "0001" not in address
    assert address == thumbnail_address("own", CASE) != thumbnail_address("other", CASE)


@pytest.mark.parametrize(
    "address",
    [
        pytest.param(thumbnail_address("own", "north 0002.png"), id="a film that cannot be read"),
        pytest.param(thumbnail_address("own", "no such case"), id="no such case"),
        pytest.param(thumbnail_address("no-such-cohort", CASE), id="no such cohort"),
        pytest.param(f"/tailscope/thumb/own/{CASE}.webp", id="names in place of ids"),
        pytest.param("/tailscope/thumb/../../etc/passwd.webp", id="a way up"),
        pytest.param("/tailscope/thumb/%2e%2e/%2e%2e%2fetc%2fpasswd.webp", id="a way up, encoded"),
        pytest.param("/tailscope/thumb/a/b.webp/../../../x.webp", id="a way up, from below"),
    ],
)
def test_where_there_is_nothing_it_says_so(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/plain")


def test_a_shipped_case_without_its_folder_has_no_image(client: TestClient) -> None:
    answer = client.get(thumbnail_address("nih-oof", "00001280_004"))
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")
    assert answer.text == "There is no image of this case. Start with --images NAME=DIR to say where the films are."


def test_a_store_that_does_not_answer_is_told_and_not_kept(cohort: Folder) -> None:
    store = Store()
    store.close()
    app = Starlette(routes=page_routes(store, Images()), middleware=[Middleware(Guard)])
    with TestClient(app, base_url="http://127.0.0.1") as client:
        answer = client.get(thumbnail_address("own", CASE))
    assert (answer.status_code, answer.headers["cache-control"]) == (503, "no-store")
    assert answer.headers["content-type"].startswith("text/plain") and len(answer.text) > 20


def test_other_hosts_are_refused(client: TestClient) -> None:
    address = thumbnail_address("own", CASE)
    assert client.get(address, headers={"host": "rebound.example"}).status_code == 421


def test_plotlys_script_is_that_of_the_wheel(client: TestClient) -> None:
    answer = client.get(PLOTLY)
    assert answer.content == (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes()
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert plotly.__version__ in PLOTLY


@pytest.mark.shared
def test_a_shipped_case_with_its_folder_has_one(shared: Path, cohort: Folder) -> None:
    images = Images({"nih": shared / "data" / "nih_cxr14"})
    with TestClient(Starlette(routes=page_routes(Store(), images))) as client:
        answer = client.get(thumbnail_address("nih-oof", "00001280_004"))
    assert answer.status_code == 200
    with Image.open(io.BytesIO(answer.content)) as image:
        assert max(image.size) == 160


def test_thumbnails_that_wait_hold_up_nothing_else(cohort: Folder) -> None:
    async def ask() -> None:
        app = Starlette(
            routes=[*page_routes(Store(), Images()), Route("/else", lambda _: PlainTextResponse("answered"))]
        )
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")
        with DECODERS.turn("a film"), DECODERS.turn("another film"):
            pictures = [asyncio.create_task(client.get(thumbnail_address("own", CASE))) for _ in range(60)]
            await asyncio.sleep(1)
            answer = await asyncio.wait_for(client.get("/else"), 10)
            assert answer.text == "answered"
            assert not any(picture.done() for picture in pictures)
        assert {picture.status_code for picture in await asyncio.gather(*pictures)} == {200}
        await client.aclose()

    run_in_thread(ask())


@given(st.text(), st.text())
@settings(suppress_health_check=list(HealthCheck), max_examples=100)
def test_whatever_is_asked_for_is_there_or_not(client: TestClient, cohort: str, case: str) -> None:
    for name in (cohort, thumbnail_address("own", CASE).split("/")[3]):
        words = [quote(word, safe="", errors="replace") for word in (name, case)]
        assert client.get(f"/tailscope/thumb/{'/'.join(words)}.webp").status_code == 404


@pytest.mark.slow
def test_every_sample_has_a_picture_and_nothing_else_has() -> None:
    with TestClient(Starlette(routes=page_routes(Store(), Images()))) as client:
        for sample in SAMPLES:
            answer = client.get(sample_address(sample.key))
            assert answer.headers["content-type"] == "image/webp"
            picture = Image.open(io.BytesIO(answer.content))
            assert max(picture.size) == 160
            assert np.asarray(picture.convert("L")).std() > 20  # a film, not a blank
        missing = client.get(sample_address("phantom://v1/A/7"))
        assert (missing.status_code, missing.headers["content-type"].split(";")[0]) == (404, "text/plain")


def test_a_simulated_sample_that_does_not_ship_is_drawn_from_a_film_that_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    class Kept(RenderHere):
        def of(self, address: str, size: int = FILM_SIZE) -> FilmFile:
            asked.append(address)
            return super().of(address, size)

    simulated = next(sample for sample in SAMPLES if sample.simulated)
    with TestClient(Starlette(routes=page_routes(Store(), Images(), Kept()))) as client:
        shipped = client.get(sample_address(simulated.key)).content
        assert asked == []
        monkeypatch.setattr(samples, "_shipped_pack", lambda: None)
        pictures = [client.get(sample_address(simulated.key)).content for _ in range(2)]
    assert asked == [simulated.file]  # once: the picture is kept, too
    assert pictures == [sample_webp(simulated.key)] * 2
    assert np.abs(greys(pictures[0]) - greys(shipped)).mean() < 1  # another processor may have drawn it


def greys(picture: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(picture)).convert("L"), dtype=float)


def test_one_that_exists_waits_for_no_query_no_call_and_no_drawing(
    cohort: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the store, 60 calls and two films keep every other thread waiting."""
    images, store = Images(), Store()
    address, other = thumbnail_address("own", CASE), thumbnail_address("own", "north 0000.png")
    ended = threading.Event()

    def stuck(*_: object) -> None:
        ended.wait(60)

    async def ask() -> None:
        app = Starlette(routes=[*page_routes(store, images), Route("/call", stuck)])
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")
        made = (await client.get(address)).content
        monkeypatch.setattr(store, "film_named", stuck)
        waiting = [asyncio.create_task(client.get("/call")) for _ in range(60)]  # more than there are threads
        waiting += [asyncio.create_task(client.get(thumbnail_address("own", f"{at}"))) for at in range(10)]
        with DECODERS.turn("a film"), DECODERS.turn("another film"):
            waiting.append(asyncio.create_task(client.get(other)))
            await asyncio.sleep(0.2)
            again = await asyncio.wait_for(client.get(address), 10)
        assert again.content == made and not any(task.done() for task in waiting)
        ended.set()
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await client.aclose()

    run_in_thread(ask())


def test_a_cohort_that_is_removed_takes_its_thumbnails_along(client: TestClient, cohort: Folder) -> None:
    address = thumbnail_address("own", CASE)
    assert client.get(address).status_code == 200
    shutil.rmtree(cohort.path)
    assert client.get(address).status_code == 404


def test_a_film_that_was_moved_is_found_where_it_is_now(client: TestClient, cohort: Folder, tmp_path: Path) -> None:
    address = thumbnail_address("own", CASE)
    before = client.get(address).content
    (tmp_path / "films").rename(tmp_path / "moved")
    assert client.get(address).status_code == 404
    remember_root(cohort, "own", tmp_path / "moved")
    assert client.get(address).content == before


def test_one_in_an_open_pack_needs_no_other_thread(cohort: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, images = write_phantom(cohort.path.parent, "drawn"), Images()
    addresses = simulated_films(folder)
    pack_thumbnails(folder.thumbnail_packs()[-1], addresses, [address.encode() for address in addresses.values()])
    (name, address), (other, _), *_ = addresses.items()
    places = [f"/tailscope/thumb/{opaque_id('drawn')}/{each}.webp" for each in (name, other)]
    with TestClient(Starlette(routes=page_routes(Store(), images))) as client:
        assert client.get(places[0]).content == address.encode()  # opens it
        monkeypatch.setattr(thumbnail_route, "run_sync", None)
        assert client.get(places[1]).content == addresses[other].encode()
        assert client.get(places[1]).headers["cache-control"].startswith("private")
