"""Many films dropped on Read: a table while they are read, each opened as one alone, kept only on request."""

from __future__ import annotations

import base64
import csv
import io
import json
import shutil
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, Request, expect

from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.reading_room import SLOW, film_of, grey, wait_until_said
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser


@pytest.fixture
def kept(server: Server) -> Iterator[Path]:
    """Where the films that a test keeps go; they are no cohort of the tests after it."""
    folder = server.temporary / "home" / "cohorts" / "kept-films"
    yield folder
    deadline = time.monotonic() + 30
    while folder.exists():  # the map of its films may still be written
        assert time.monotonic() < deadline, "the cohort is still there"
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.1)


@pytest.fixture(scope="module")
def films() -> dict[str, bytes]:
    """RG1 three times, each in another size, and what is no film."""
    film = film_of("masses")
    return {f"ward/<b>{step}.png": grey(film[::step, ::step]) for step in (3, 4, 5)} | {"ward/notes.txt": b"call back"}


def zipped(files: Mapping[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def bring(page: Page, files: Mapping[str, bytes]) -> None:
    sent = [{"name": name, "mimeType": "application/octet-stream", "buffer": data} for name, data in files.items()]
    page.locator(".folder[data-view=none]").wait_for(state="attached")
    page.locator("#folder-files").set_input_files(files=sent)


def wait_until_all_read(page: Page, films: int) -> None:
    expect(page.locator(".folder-said")).to_contain_text(f"{films} films read", timeout=SLOW)


def folders_on_disk(server: Server) -> list[Path]:
    return [path for path in server.temporary.glob("tailscope-*/*/films") if path.is_dir()]


def test_a_zip_is_read_sorted_opened_and_saved(
    new_visitor: NewVisitor, films: dict[str, bytes], wording: Wording
) -> None:
    page = new_visitor()
    bring(page, {"films.zip": zipped(films)})
    wait_until_all_read(page, 3)
    for figure in ("3 films read", "1 not read", "by nih-ensemble"):
        expect(page.locator(".folder-said")).to_contain_text(figure)
    rows = page.locator(".folder-table tbody tr")
    assert [row.get_attribute("data-name") for row in rows.all()] == [name for name in films if name.endswith("png")]
    assert page.locator(".folder b").count() == 0, "a name is text"
    expect(page.locator(".folder-picture img").first).to_have_js_property("complete", value=True, timeout=SLOW)
    assert page.locator(".folder-picture img").first.evaluate("picture => picture.naturalHeight") == 160
    page.locator(".folder-refused summary").click()
    wording(text_with(page.locator(".folder-reasons"), "text file"))
    assert_accessible_at(page, 1440, 390, within=".folder")
    page.set_viewport_size({"width": 1440, "height": 900})
    with page.expect_download() as saved:
        page.locator("[data-way=csv]").click()
    lines = list(csv.DictReader(io.StringIO(Path(saved.value.path()).read_text())))
    page.locator(".folder-sort select").select_option("Nodule")
    expect(page.locator(".folder-table th.folder-score")).to_contain_text("Nodule, threshold")
    scored = {line["film"]: float(line["score"]) for line in lines if line["finding"] == "Nodule"}
    shown = [
        (str(row.get_attribute("data-name")), row.locator(".folder-score strong").inner_text()) for row in rows.all()
    ]
    assert shown == [(name, f"{value:.2f}") for name, value in sorted(scored.items(), key=lambda pair: -pair[1])]
    name = shown[1][0]
    rows.nth(1).locator("button").click()
    wait_until_said(page)
    expect(page.locator(".film-name").first).to_have_text(name)
    expect(page.locator(".folder-said")).to_have_text("Film 2 of 3")
    nodule = page.locator(".finding[data-finding=Nodule] .finding-score").text_content()
    assert float(nodule or "") == round(scored[name], 2)
    page.locator("[data-way=next]").click()
    expect(page.locator(".film-name").first).to_have_text(shown[2][0], timeout=SLOW)
    page.locator("[data-way=back]").click()
    expect(rows.nth(2)).to_have_attribute("aria-current", "true")


def test_a_folder_is_its_visitors_and_goes_with_the_page(
    new_visitor: NewVisitor, server: Server, films: dict[str, bytes], wording: Wording
) -> None:
    page, other = new_visitor(), new_visitor()
    before = set(folders_on_disk(server))
    calls: list[Request] = []
    page.on("request", lambda request: calls.append(request) if "folder_shown" in (request.post_data or "") else None)
    bring(page, films)
    wait_until_all_read(page, 3)
    assert other.locator(".folder").is_hidden()
    (mine,) = set(folders_on_disk(server)) - before
    assert len(list(mine.iterdir())) == 3
    page.locator("[data-way=explore]").click()
    page.locator(".explore[data-state=shown]").wait_for(timeout=SLOW)
    wording(text_with(page.locator(".explore-passing")))
    expect(page.locator(".sentence")).to_contain_text("3 films")
    expect(page.locator(".tile img[src]")).to_have_count(3)
    link = page.evaluate("location.hash")
    call = json.loads(calls[-1].post_data or "")
    assert httpx.post(calls[-1].url, json=call).json()["read"] == 3
    page.context.close()
    deadline = time.monotonic() + 30
    while httpx.post(calls[-1].url, json=call).json()["stage"] != "refused" or mine.exists():
        assert time.monotonic() < deadline, "folder still there"
        time.sleep(0.2)
    other.evaluate("link => (location.hash = link)", link)
    wording(text_with(other.locator(".explore-note"), "cohort", SLOW))


def test_a_kept_folder_opens_in_explore(new_visitor: NewVisitor, kept: Path, films: dict[str, bytes]) -> None:
    page = new_visitor()
    bring(page, films)
    wait_until_all_read(page, 3)
    for name, says in (("Not a name", "not a valid name"), ("kept-films", "3 films kept as kept-films")):
        page.locator(".folder-keep input[name=name]").fill(name)
        page.locator(".folder-keep button").click()
        expect(page.locator(".folder-kept")).to_contain_text(says, timeout=SLOW)
    page.locator(".folder-kept a").click()
    page.locator(".explore[data-state=shown]").wait_for(timeout=SLOW)
    expect(page.locator("#explore")).to_contain_text("kept-films")
    assert len(list((kept / "films").iterdir())) == 3
    page.get_by_role("tab", name="Read", exact=True).click()
    page.locator("[data-way=close]").click()
    expect(page.locator(".folder")).to_be_hidden()
    expect(page.locator(".room")).to_be_visible()
    assert len(list((kept / "films").iterdir())) == 3


DROP = """([zip, name]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(zip), (c) => c.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true}));
}"""


def test_a_dropped_zip_is_a_folder_until_it_is_closed(new_visitor: NewVisitor, films: dict[str, bytes]) -> None:
    page = new_visitor()
    page.locator(".folder[data-view=none]").wait_for(state="attached")
    page.evaluate(DROP, [base64.b64encode(zipped(films)).decode("ascii"), "films.ZIP"])
    wait_until_all_read(page, 3)
    expect(page.locator("[data-way=stop]")).to_be_hidden()
    expect(page.locator("#read .room")).to_be_hidden()
    page.locator("[data-way=close]").click()
    expect(page.locator("#read .room")).to_have_attribute("data-state", "empty")
    expect(page.locator("#read .room")).to_be_visible()
