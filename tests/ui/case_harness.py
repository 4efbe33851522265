"""The case view alone in a page: its dialog, styles and scripts, with a server and a gallery that only take notes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from playwright.sync_api import Page

from explorer.reading.finding_list import FindingRow
from explorer.ui.explore.case_film import CaseFilmPayload, MapsPayload
from explorer.ui.explore.case_place import NeighborPagePayload, PlacePayload
from explorer.ui.explore.case_shell import STYLES, case_shell
from explorer.ui.explore.mark_calls import MarkPayload
from explorer.ui.read.shell import STYLES as READ_STYLES
from explorer.ui.scripts import STATIC_FOLDER
from explorer.ui.viewer import payload
from explorer.ui.viewer.payload import FilmPayload
from tests.support.answers import case_facts, case_others, film_answer, heat_answer, near_cases, no_film, reading
from tests.ui.module_page import open_page

START = """
import { CaseView } from "/explore/case.js";

window.notes = [];
const server = Object.fromEntries(Object.keys(answers).map((name) => [name, async (order) => {
  notes.push([name, order.case]);
  const found = answers[name];
  return found[order.case] ?? found["*"];
}]));
class Explore {
  constructor() {
    this.server = server;
    this.state = Object.freeze({ finding: "mass", case: "one" });
    this.sentence = "Misses of Mass by nih-mini: 3 pairs, 3 films";
    this.gallery = { focus: () => {} };
  }
  change(changes, options = {}) {
    notes.push(["change", changes, options]);
    const words = Object.entries({ ...this.state, ...changes }).filter(([, value]) => value !== null);
    this.state = Object.freeze(Object.fromEntries(words));
    if (this.state.case) view.open(this.state.case);
    else view.close();
  }
}
const explore = new Explore();
const view = new CaseView(document.querySelector("dialog.case"), explore, ["Nodule", "Mass"]);
Object.assign(window, { explore, view });
"""
PAGE = """<!doctype html><html lang="en"><title>Case</title><style>
body {{ margin: 0; font-family: system-ui, sans-serif }} {styles}</style>
<main><h1>Gallery</h1><button id="thumb" onclick="view.open('one')">A film</button></main>{dialog}
<script type="module">const answers = {answers}; {script}</script></html>"""


NO_MARK: MarkPayload = {
    "stage": "mark",
    "starred": False,
    "tags": [],
    "note": "",
    "longest": 2000,
    "known": [],
    "lists": [],
    "every": [],
}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


ROWS = case_facts()["rows"]
BOX = case_facts()["boxes"][0]


def facts(**changes: object) -> dict[str, Any]:
    """The answer of `case_facts` for a film with a missed Mass."""
    return case_facts(**changes)


def near(*ids: str) -> dict[str, Any]:
    return near_cases(*ids, thumb="data:image/gif;base64,broken")


def place(number: int, of: int, previous: str | None, following: str | None) -> PlacePayload:
    return {
        "stage": "place",
        "page": 1,
        "number": number,
        "of": of,
        "previous": _step(previous),
        "next": _step(following),
        "alike": None,
    }


def _step(case: str | None) -> NeighborPagePayload | None:
    return None if case is None else {"case": case, "page": 1}


def film(height: int = 160, width: int = 120) -> CaseFilmPayload:
    pixels = np.random.default_rng(0).random((height, width)).astype(np.float32)
    return {"stage": "film", "film": cast(FilmPayload, film_answer(pixels))}


def maps() -> dict[str, Any]:
    """Maps of Mass (above threshold) and Nodule (below)."""
    values = np.zeros((2, 4, 4), np.float32)
    values[0, 1, 2] = 0.5
    said = reading(FindingRow("Mass", 0.91, 0.5), FindingRow("Nodule", 0.11, 0.5))
    heat = heat_answer(("Mass", "Nodule"), values, 160, (160, 120))
    honest = "The map is by nih-mini as it is shipped, trained on this film (in-sample)."
    answer: MapsPayload = {**payload.opinion_payload(said, far=False), "heat": heat, "honest": honest, "inside": {}}
    return dict(answer)


NO_FILM = no_film()


def answers(**changes: Mapping[str, Any]) -> dict[str, Any]:
    """By call, by case; "*" is for every other case."""
    elsewhere = {"stage": "place", "page": 1}
    return {
        "case_facts": {"*": facts()},
        "case_place": {
            "one": place(1, 3, None, "two"),
            "two": place(2, 3, "one", "three"),
            "*": elsewhere,
        },
        "case_film": {"*": film()},
        "case_maps": {"*": maps()},
        "case_others": {"*": case_others()},
        "case_near": {"*": near("near-1", "near-2")},
        "case_mark": {"*": NO_MARK},
    } | changes


def open_view(page: Page, given: dict[str, Any]) -> None:
    """Load the page; no case is open yet."""
    styles = "".join(_text(STATIC_FOLDER / name) for name in (*READ_STYLES, *STYLES))
    open_page(page, PAGE.format(styles=styles, dialog=case_shell(), answers=json.dumps(given), script=START))


def open_case(page: Page, given: dict[str, Any] | None = None) -> None:
    """Load the page and open the first case, as a click on its thumbnail does."""
    open_view(page, given or answers())
    page.locator("#thumb").click()
    page.locator(".case-row[aria-pressed=true]").wait_for()


def asked(page: Page, name: str) -> list[str]:
    """The cases that the server was asked about."""
    found: list[str] = page.evaluate("name => notes.filter((note) => note[0] === name).map((note) => note[1])", name)
    return found


def covered(page: Page) -> bool:
    return page.locator("dialog.case").get_attribute("data-covered") == "true"


def text(page: Page, part: str) -> str:
    return page.locator("." + part).inner_text()


def wait_for_film(page: Page) -> None:
    page.locator(".case .film-side.has-film:not(.waiting)").wait_for()
