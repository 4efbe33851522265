"""Uploads that break off, that are too large, that find no room: on the running app, and in a browser."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from explorer.ui.gradio_host import upload_room
from explorer.ui.gradio_host.upload_room import MAX_REQUEST_BYTES, STALLED, TOO_LARGE, UNREADABLE, UploadRoom
from explorer.ui.shared.uploads import RESERVE_STEP, Uploads
from explorer.web.asgi import Message, Receive, Scope, Send, collected_answer
from tests.ui import plain_http
from tests.ui.app_server import Server, start, stop
from tests.ui.event_loop import run_in_thread
from tests.ui.reading_room import film_of, grey, upload, wait_until_read

PART = b'--b\r\nContent-Disposition: form-data; name="files"; filename="film"\r\n\r\n'
FULL = "There is no room for another film"


def head(server: Server, length: int, path: str = "/gradio_api/upload") -> bytes:
    said = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n"
        f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {length}\r\n\r\n"
    )
    return said.encode()


def send(server: Server, body: bytes, *, path: str = "/gradio_api/upload") -> bytes:
    """Send an upload; returns the answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(head(server, len(body), path) + body)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert true()


def test_a_broken_off_upload_leaves_nothing(server: Server) -> None:
    with ExitStack() as begun:
        for _ in range(5):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
            begun.enter_context(connection).sendall(head(server, 5_000_000) + PART + b"x" * 300_000)
        until(lambda: len(server.uploaded_files()) == 5)
    until(lambda: server.uploaded_files() == [])


def test_what_cannot_be_read_leaves_nothing(server: Server) -> None:
    wrong = [
        PART + b"half a film",  # the boundary is missing
        b"--b\r\n\r\nno headers\r\n--b--\r\n",
        b'--b\r\nContent-Disposition: form-data; name="files"\r\n\r\nno file\r\n--b--\r\n',
        PART.replace(b'"film"', b'"' + b"f" * 5000 + b'"') + b"film\r\n--b--\r\n",
    ]
    for body in wrong:
        for path in ("/gradio_api/upload", "/gradio_api/upload?upload_id=x"):
            status = int(send(server, body, path=path).split()[1])
            assert status in (200, 400, 413), (status, body)
    for file in server.uploaded_files():  # one of them has a name that the disk takes when it is cut
        file.unlink()
    assert UNREADABLE.count("\n") == 1


def test_a_longer_upload_than_any_film_is_refused(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(head(server, 10**15))
        for _ in range(MAX_REQUEST_BYTES // 2**20):
            connection.sendall(bytes(2**20))
        connection.sendall(b"x")  # one byte too many: no more is heard
        answer = connection.recv(65536)
    assert b" 413 " in answer.split(b"\r\n")[0]
    until(lambda: server.uploaded_files() == [])


def test_an_upload_that_says_no_length_is_let_in_as_far_as_a_film_goes(server: Server) -> None:
    upload_to, form = f"{server.url}/gradio_api/upload", {"Content-Type": "multipart/form-data; boundary=b"}
    film = iter([PART, b"film", b"\r\n--b--\r\n"])
    answer = plain_http.post(upload_to, content=film, headers=form, timeout=60)
    assert answer.status_code == 200
    Path(answer.json()[0]).unlink()
    parts = (PART + b"film\r\n" if n % 2 else b"x" * 2**20 + b"\r\n" for n in range(1))
    assert plain_http.post(upload_to, content=parts, headers=form, timeout=60).status_code == 400
    pieces = (piece for n in range(3) for piece in (PART, *[bytes(2**20)] * (MAX_REQUEST_BYTES // 2**20 // 2), b"\r\n"))
    answer = plain_http.post(upload_to, content=pieces, headers=form, timeout=60)
    assert (answer.status_code, answer.text) == (413, TOO_LARGE)
    until(lambda: not [file for file in server.uploaded_files() if file.name.startswith("tmp")])


def test_an_upload_that_stands_still_ends_and_holds_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_room, "STALL_TIMEOUT_S", 0.5)
    uploads = Uploads(tmp_path, max_bytes=100 * RESERVE_STEP)
    length = (b"content-length", str(90 * RESERVE_STEP).encode())
    scope = {"type": "http", "method": "POST", "path": upload_room.UPLOAD_PATH, "headers": [length]}

    async def stalled() -> list[Message]:
        sent = iter([PART])

        async def receive() -> Message:
            for piece in sent:
                return {"type": "http.request", "body": piece, "more_body": True}
            await asyncio.sleep(60)
            raise AssertionError

        return await collected_answer(UploadRoom(as_gradio_ends, uploads), scope, receive)

    async def many() -> list[list[Message]]:
        return await asyncio.gather(*(stalled() for _ in range(19)))

    begun = time.monotonic()
    for opened, answer in run_in_thread(many()):
        assert (opened["status"], answer["body"].decode()) == (408, STALLED)
    assert time.monotonic() - begun < 30
    with uploads.coming(90 * RESERVE_STEP):
        pass


async def as_gradio_ends(scope: Scope, receive: Receive, send: Send) -> None:
    """As its server does where a form does not come to its end."""
    try:
        while (await receive()).get("more_body"):
            pass
    except Exception:
        await send({"type": "http.response.start", "status": 500, "headers": []})
        await send({"type": "http.response.body", "body": b"Internal Server Error"})
        raise


@pytest.mark.app
def test_open_uploads_of_which_nothing_comes_block_no_other(server: Server) -> None:
    with ExitStack() as begun:
        for _ in range(19):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
            begun.enter_context(connection).sendall(head(server, 190 * 2**20) + PART)
        answer = plain_http.post(f"{server.url}/gradio_api/upload", files=film_form(2 * 2**20), timeout=60)
        assert answer.status_code == 200
        Path(answer.json()[0]).unlink()
    until(lambda: server.uploaded_files() == [])


@pytest.fixture(scope="module")
def on_small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with its temporary files on a disk of 24 MB."""
    disk = tmp_path_factory.mktemp("disk")
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(disk)]
    if os.getuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        running = start(disk, "--model", "nih-mini", home=tmp_path_factory.mktemp("home"))
        yield running
        stop(running)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.fixture
def ballast(on_small_disk: Server) -> Iterator[Path]:
    """A file to fill the disk with; in the end there is room again."""
    file = on_small_disk.temporary / "ballast"
    yield file
    for each in (file, *on_small_disk.uploaded_files()):
        each.unlink(missing_ok=True)


def film_form(nbytes: int) -> dict[str, tuple[str, bytes]]:
    return {"files": ("film", bytes(nbytes))}


def test_a_full_disk_is_told_in_a_sentence_and_takes_films_again(
    on_small_disk: Server, ballast: Path, chromium: Browser
) -> None:
    running = on_small_disk
    upload_to = f"{running.url}/gradio_api/upload"
    assert plain_http.post(upload_to, files=film_form(30 * 2**20), timeout=60).status_code == 507
    ballast.write_bytes(bytes(shutil.disk_usage(running.temporary).free - 100_000))
    answer = plain_http.post(upload_to, files=film_form(2**20), timeout=60)
    assert (answer.status_code, answer.text.split("\n")[0]) == (507, FULL)
    assert "disk is full" in answer.text
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(running.url)
        page.locator("#read .room[data-state=empty]").wait_for()
        film = grey(film_of("masses")[::2, ::2])
        assert len(film) > 200_000  # more than there is room for
        upload(page, "film.png", film)
        expect(page.locator("#read")).to_contain_text(FULL)
        expect(page.locator("#read")).to_contain_text("Free some space")
        assert running.uploaded_files() == []
        ballast.unlink()
        upload(page, "film.png", film)
        wait_until_read(page)


@pytest.mark.app
def test_a_disk_that_fills_while_a_film_comes_in_keeps_no_half_of_it(on_small_disk: Server, ballast: Path) -> None:
    running = on_small_disk
    film = PART + bytes(4 * 2**20) + b"\r\n--b--\r\n"
    with socket.create_connection(("127.0.0.1", running.port), timeout=60) as connection:
        connection.sendall(head(running, len(film)) + film[: 2**20])
        until(lambda: sum(file.stat().st_size for file in running.uploaded_files()) > 900_000)
        ballast.write_bytes(bytes(shutil.disk_usage(running.temporary).free - 500_000))
        connection.sendall(film[2**20 :])
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert b" 507 " in answer.split(b"\r\n")[0] and FULL.encode() in answer
    assert running.uploaded_files() == []
    small = plain_http.post(f"{running.url}/gradio_api/upload", files=film_form(1000), timeout=60)
    assert small.status_code == 200
