"""The viewer alone in a page: its fragment, styles and modules with callbacks that only take notes."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Page

from explorer.reading.finding_list import FindingRow
from explorer.ui.scripts import STATIC_FOLDER
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.viewer.fragment import STYLES, film_side
from tests.support.answers import FINDINGS, heat_answer, opinion_answer, reading
from tests.ui.module_page import open_page
from tests.ui.windows import Kind, windows

START = """
import { decodeMaps } from "/viewer/heat.js";
import { Lightbox } from "/viewer/lightbox.js";
import { unpackFilm } from "/viewer/packed.js";

window.notes = [];
const note = (name) => (...values) => notes.push([name, ...values]);
window.lightbox = new Lightbox(document.querySelector(".film-side"), {
  step: note("step"), toggleOpinion: note("toggleOpinion"), activated: note("activated"), closed: note("closed"),
  more: { compare: note("addSecond") },
});
window.decodeMaps = decodeMaps;
window.unpackFilm = unpackFilm;
"""
PAGE = """<!doctype html><html lang="en"><title>Viewer</title><style>
body {{ margin: 0; font-family: system-ui, sans-serif }} main {{ display: grid; height: 100vh }}
{styles}</style><main class="room" data-state="read">{fragment}</main>{extra}
<script type="module">{script}</script>
</html>"""


def static(name: str) -> str:
    return (STATIC_FOLDER / name).read_text(encoding="utf-8")


def open_viewer(page: Page, extra: str = "") -> None:
    """Load the viewer without a film; `extra` is markup beside it."""
    sample = '<button type="button" class="sample"><strong>{}</strong><span>{}</span></button>'
    samples = "".join(sample.format(escape(name), "RG1, DICOM") for name in ("Many lung masses", "Same", "Leg"))
    fragment = film_side(empty=fill_fragment("shared/drop.html", many="", samples=samples, limit="200 MB"))
    styles = "".join(
        static(name)
        for name in ("shared/colors.css", "shared/tailscope.css", "shared/layout.css", "shared/drop.css", *STYLES)
    )
    open_page(page, PAGE.format(styles=styles, fragment=fragment, extra=extra, script=START))


def opinion_payload(maps: NDArray[np.float32], size: int, inner: tuple[int, int]) -> dict[str, Any]:
    """Rows and maps (rows, g, g) over a square input of `size` pixels, in which the film covers `inner`, centered.

    As the lightbox takes them, but for their values, which are still packed.
    """
    findings = FINDINGS[: len(maps)]
    rows = opinion_answer(reading(*(FindingRow(finding, 0.9, 0.5) for finding in findings)))["rows"]
    return {**heat_answer(findings, maps, size, inner), "rows": rows}


def show(page: Page, film: dict[str, Any], slot: str = "a") -> None:
    page.evaluate(
        "async ([slot, film]) => lightbox.showFilm(slot, film, await unpackFilm(film.image, film.checksum))",
        [slot, film],
    )
    settle(page)


def heat(page: Page, opinion: dict[str, Any], index: int = 0, slot: str = "a") -> None:
    page.evaluate(
        "([slot, opinion, index]) => lightbox.showHeat(slot, {...opinion, values: decodeMaps(opinion.maps)}, index)",
        [slot, opinion, index],
    )


def settle(page: Page) -> None:
    """Wait until the frame that the last change asked for is drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def picture_of(address: str) -> NDArray[np.uint8]:
    """Pixels (h, w, 4) of a data URL."""
    image = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
    return np.asarray(image.convert("RGBA"))


def pixels_of(page: Page, canvas: str) -> NDArray[np.uint8]:
    """Pixels (h, w, 4) of a canvas by its id."""
    return picture_of(page.locator(f"#{canvas}").evaluate("canvas => canvas.toDataURL()"))


def readout(page: Page) -> str:
    return page.locator(".view.active .readout").inner_text()


def middle(page: Page, slot: str = "a") -> tuple[float, float]:
    """The middle of a stage on the page."""
    box = page.locator(f".view[data-slot={slot}] .stage").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, across: float, down: float, button: Literal["left", "middle", "right"] = "left") -> None:
    """Drag from the middle of the first stage."""
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.down(button=button)
    page.mouse.move(x + across, y + down, steps=4)
    page.mouse.up(button=button)
    settle(page)


@contextmanager
def viewer_page(
    browser: Browser,
    width: int = 1020,
    height: int = 820,
    *,
    still: bool = False,
    touch: bool = False,
    stays: bool = False,
) -> Iterator[Page]:
    """An empty page that must not fail, complain or ask another machine for anything.

    `still`: the visitor asked for reduced motion; `touch`: there are fingers; `stays`: for a test that loads its
    own page with `open_page`, and may get it on the page of the one before it.
    """
    with windows(browser).window(width, height, Kind(still=still, touch=touch), stays) as page:
        yield page
