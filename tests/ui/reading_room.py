"""What a visitor does in the Read tab, and what can be seen there."""

from __future__ import annotations

import atexit
import base64
import functools
import hashlib
import io
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Page

from explorer.reading.samples import sample_bytes
from models.radiograph import read_radiograph
from tests.support.film_files import dicom_bytes, dicom_dataset
from tests.ui.windows import Kind, windows

SLOW = 60_000.0  # ms: a loaded machine with one model for all tests


def open_sample(page: Page, key: str = "masses") -> None:
    page.locator(f"[data-sample='{key}']").click()
    wait_until_read(page)


def open_models(page: Page) -> None:
    """The lists of models, which are folded behind *Model*."""
    if page.locator(".model-fold[open]").count() == 0:
        page.locator(".model-fold-head").click()


@functools.cache
def folder_of_films() -> Path:
    """Where files lie that a visitor chooses, as long as these tests run."""
    folder = tempfile.TemporaryDirectory(prefix="tailscope-films-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


def on_disk(name: str, data: bytes) -> Path:
    """A file of that name to be chosen: as bytes in a message a film of some megabytes takes the browser seconds."""
    file = folder_of_films() / hashlib.sha256(data).hexdigest()[:16] / name
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    return file


def upload(page: Page, name: str, data: bytes) -> None:
    page.locator("#film-file").set_input_files(on_disk(name, data))


REVEAL = """() => {
    const room = document.querySelector("#read .room");
    room.querySelector(".way-reveal")?.click();
    room.querySelector(".film-first input:checked")?.click();
}"""
# One film after the other: the second one takes the place of the first.
PUT_AWAY = """() => {
    const room = document.querySelector("#read .room");
    while (room.querySelector(".film-name")) room.querySelector(".view .close").click();
    scrollTo(0, 0);
}"""


def reveal(page: Page) -> None:
    """Hide the opinion neither of this film nor of the next ones: who hides one is taken to want that of all."""
    page.evaluate(REVEAL)


@contextmanager
def read_at(browser: Browser, url: str) -> Iterator[Page]:
    """Read as somebody new finds it."""
    with windows(browser).window(1440, 900, Kind()) as page:
        page.goto(url)
        page.locator("#read .room[data-state=empty]").wait_for()
        yield page


def start_over(page: Page) -> Page:
    """Take all films away: the page is as it was loaded, where nothing is hidden and no model is chosen."""
    reveal(page)
    page.evaluate(PUT_AWAY)
    return page


def film_names(page: Page) -> list[str]:
    """Of the films that hang."""
    names: list[str] = page.locator("#read .film-name").all_inner_texts()
    return names


def wait_until_read(page: Page) -> None:
    page.locator(".room[data-state=read]").wait_for(timeout=SLOW)


def wait_until_joined(page: Page) -> None:
    """With the strip open: in a window of this height it opens on request."""
    if page.locator(".alike:not([open])").count():
        page.locator(".alike-head").click(timeout=SLOW)
    page.locator(".alike-case, .alike-none").first.wait_for(timeout=SLOW)


def canvas(page: Page, name: str, slot: str = "") -> NDArray[np.uint8]:
    """Pixels (h, w, 4) of the film's or the map's canvas; those of the second film end in `-b`."""
    address: str = page.locator(f"#{name}-canvas{slot}").evaluate("canvas => canvas.toDataURL('image/png')")
    image = Image.open(io.BytesIO(base64.b64decode(address.removeprefix("data:image/png;base64,"))))
    return np.asarray(image.convert("RGBA"))


def above(page: Page, state: str) -> list[str]:
    rows = page.locator(f".finding[data-above={state}]")
    return [str(rows.nth(i).get_attribute("data-finding")) for i in range(rows.count())]


def choose(page: Page, finding: str) -> None:
    button = page.locator(f".finding[data-finding='{finding}']")
    button.evaluate("button => { button.closest('details').open = true; }")
    button.click()


def show_map(page: Page) -> None:
    """Wait for the map of the chosen finding, which is asked for where it does not come by itself."""
    view = page.locator("#read .view.active")
    if view.locator(".evidence-show").is_visible():
        view.locator(".evidence-show").click()
    chosen = page.locator("#read .finding[aria-pressed=true]").get_attribute("data-finding")
    view.locator(".legend:visible .legend-finding", has_text=chosen).wait_for(timeout=SLOW)


def png_of(pixels: NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)  # a fifth of the time; nobody stores it
    return buffer.getvalue()


@functools.cache
def film_of(key: str) -> NDArray[np.float32]:
    """Pixels of a sample film, not to be written to."""
    pixels = read_radiograph(sample_bytes(key)).pixels
    pixels.flags.writeable = False
    return pixels


def grey(pixels: NDArray[np.floating]) -> bytes:
    """An 8-bit PNG of a film, which says nothing about itself."""
    return png_of(np.rint(pixels * 255).astype(np.uint8))


def compare_with(page: Page, name: str, data: bytes) -> None:
    """Hang a second film beside the first and wait until both are read or refused."""
    with page.expect_file_chooser() as chooser:
        page.locator("[data-command=compare]").click()
    chooser.value.set_files(on_disk(name, data))
    page.locator(".film-name[aria-pressed=true]", has_text=name).wait_for(timeout=SLOW)
    wait_until_said(page)


DROP = """films => {
    const transfer = new DataTransfer();
    const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    films.forEach(([name, text]) => transfer.items.add(new File([bytes(text)], name)));
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true}));
}"""


def drop(page: Page, files: list[bytes], names: Sequence[str] = ()) -> None:
    """Drop several files on the page at once; without names they are called film-0.png and so on."""
    named = names or [f"film-{i}.png" for i in range(len(files))]
    sent = [base64.b64encode(file).decode("ascii") for file in files]  # a list of bytes takes the browser seconds
    page.evaluate(DROP, [list(each) for each in zip(named, sent, strict=True)])


def film_with_header(pixels: NDArray[np.floating], **attributes: object) -> bytes:
    """A 16-bit DICOM of a film with attributes of its header by keyword."""
    stored = np.rint(pixels * 65535).astype(np.uint16)
    return dicom_bytes(dicom_dataset(stored, WindowCenter=None, WindowWidth=None, **attributes))


def wait_until_said(page: Page) -> None:
    page.locator(".room[data-state=read], .room[data-state=refused], .room[data-state=lateral]").wait_for(timeout=SLOW)


def narrow_film() -> NDArray[np.uint8]:
    """RG1 as 8-bit gray, cut to a narrow upright film."""
    return np.rint(film_of("masses")[::2, 200:1700:2] * 255).astype(np.uint8)


def leave_with_text(page: Page) -> None:
    """Where text seems to be burned in, the page asks first."""
    dialog = page.locator("dialog.burned-in[open]")
    page.locator("dialog.burned-in[open], iframe.report").first.wait_for(state="attached")
    if dialog.count():
        dialog.locator(".keep").click()
