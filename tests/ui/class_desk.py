"""The teacher's side of a class alone in a page: its section, styles and script, with a class that is really served."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page

from explorer.school.classroom.classroom import Classroom
from explorer.school.playlists.playlist_files import PlaylistFiles, SavedPlaylist
from explorer.school.preparing.prepared import PreparedPlaylist
from explorer.school.preparing.preparing_job import PreparingProgress
from explorer.ui.scripts import STATIC_FOLDER
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.teach.class_calls import TeacherCalls
from explorer.ui.teach.class_section import STYLES
from tests.support.prepared_class import prepared_class
from tests.ui.module_page import open_page
from tests.ui.windows import Kind, windows

SHARED = tuple(f"shared/{name}.css" for name in ("colors", "tailscope", "layout", "outcome"))
SHEETS = (*SHARED, *STYLES, "shared/present_panel.css", "shared/present.css")
PAGE = """<!doctype html><html lang="en"><title>Class</title><style>
body {{ margin: 0; font-family: system-ui, sans-serif }} {styles}</style>
<main class="gradio-container"><h1>Tailscope</h1>{section}</main>
<script>
const every = setInterval; // the desk looks at the board four times a second here, not once
window.setInterval = (look, ms) => every(look, ms / 4);
</script>
<script type="module">
import {{ mount }} from "/teach/class_section.js";
location.hash = "#teach?section=class";
const server = Object.fromEntries({names}.map((name) => [name, (sent) => call(name, sent)]));
mount({{ element: document.querySelector("main"), server }});
</script></html>"""
SMALL_TYPE = """() => [...document.querySelectorAll("body *")]
    .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest("[inert]"))
    .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 18)
    .map((each) => each.className + ": " + each.textContent.trim().slice(0, 40))"""


def small_type(page: Page) -> list[str]:
    """What is seen in type under 18 px: nothing, on a projector."""
    found: list[str] = page.evaluate(SMALL_TYPE)
    return found


def font_size(page: Page, selector: str) -> float:
    """In pixels."""
    return float(page.locator(selector).evaluate("each => parseFloat(getComputedStyle(each).fontSize)"))


class Preparing:
    """Says once how far a playlist is, then hands over films of the simulator."""

    def __init__(self) -> None:
        self._asked = 0

    def __call__(self, kept: SavedPlaylist) -> PreparedPlaylist | PreparingProgress:
        self._asked += 1
        return PreparingProgress(3, 5) if self._asked == 1 else prepared_class(title=kept.playlist.title)


def calls_of(classroom: Classroom, folder: Path) -> TeacherCalls:
    """Of a machine with one playlist of five films."""
    playlists = PlaylistFiles(lambda: folder)
    if not playlists.listed().kept:
        playlist = prepared_class().playlist
        playlists.add(replace(playlist, films=(*playlist.films[:4], playlist.films[0])))
    return TeacherCalls(classroom, playlists, Preparing())


@contextmanager
def teacher(browser: Browser, calls: TeacherCalls, width: int = 1440, height: int = 900) -> Iterator[Page]:
    """The teacher's page, which must not fail or complain."""
    functions = {call.__name__: call for call in calls.script_functions}

    def call(name: str, sent: object) -> Any:  # noqa: ANN401 - JSON
        return json.loads(json.dumps(functions[name](sent)))

    with windows(browser).window(width, height, Kind(still=True)) as page:
        if not page.evaluate("'call' in window"):
            page.expose_function("call", call)
        section = fill_fragment("teach/class_section.html").replace(" hidden>", ">", 1)  # there is no other section
        styles = "".join((STATIC_FOLDER / name).read_text(encoding="utf-8") for name in SHEETS)
        open_page(page, PAGE.format(styles=styles, section=section, names=json.dumps(list(functions))))
        yield page
        page.close()  # with the function, which is of this class


class Device:
    """A learner's device, without its page."""

    def __init__(self, address: str, code: str, nickname: str) -> None:
        self._client = httpx.Client(base_url=address, headers={"origin": address.rstrip("/")}, verify=False)
        self._client.post("/join", json={"code": code, "nickname": nickname}).raise_for_status()

    def answer(self, film: int, **answer: object) -> None:
        """Answer a film, "probable"."""
        self._client.post("/answer", json={"film": film, "answer": {"sure": 2, **answer}}).raise_for_status()

    def close(self) -> None:
        self._client.close()
