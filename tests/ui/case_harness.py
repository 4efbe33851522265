"""The case view alone in a page: its dialog, styles and scripts, with a server and a gallery that only take notes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page

from explorer.ui.explore.case_shell import STYLES, case_shell
from explorer.ui.read.shell import STYLES as READ_STYLES
from explorer.ui.scripts import STATIC
from tests.ui.module_page import open_page
from tests.ui.viewer_harness import film_payload, opinion_payload

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
const view = new CaseView(document.querySelector("dialog.case"), explore);
Object.assign(window, { explore, view });
"""
PAGE = """<!doctype html><html lang="en"><title>Case</title><style>
body {{ margin: 0; font-family: system-ui, sans-serif }} {styles}</style>
<main><h1>Gallery</h1><button id="thumb" onclick="view.open('one')">A film</button></main>{dialog}
<script type="module">const answers = {answers}; {script}</script></html>"""


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def row(finding: str, score: float, threshold: float | None, label: str, outcome: str | None) -> dict[str, Any]:
    margin = None if threshold is None else score - threshold
    return {
        "finding": finding, "score": score, "threshold": threshold, "margin": margin, "label": label,
        "outcome": outcome, "group": "rare", "unit": "score", "scale": None,
    }  # fmt: skip


ROWS = [
    row("Mass", 0.12, 0.5, "present", "miss"),
    row("Nodule", 0.81, 0.5, "absent", "false alarm"),
    row("Pleural Thickening", 0.7, 0.5, "present", "hit"),
    row("Hernia", 0.4, None, "unknown", None),
    row("Fibrosis", 0.1, 0.5, "absent", "correct rejection"),
]
BOX = {"finding": "Mass", "x": 0.25, "y": 0.5, "width": 0.25, "height": 0.125, "source": "drawn by a radiologist"}


def facts(**changes: object) -> dict[str, Any]:
    """The answer of `case_facts` for a film with a missed Mass."""
    known: dict[str, Any] = {
        "stage": "case", "finding": "Mass", "title": "nih-mini", "split": "out of fold", "thresholds": "Youden's J",
        "rows": ROWS, "others": [{"title": "other", "split": "", "thresholds": "fixed", "rows": ROWS[:2]}],
        "instead": {"missed": ["Mass"], "called": ["Nodule"], "open": []},
        "labels": [
            {"label": "present", "source": "mined from reports", "findings": ["Mass", "Pleural Thickening"]},
            {"label": "absent", "source": "mined from reports", "findings": ["Fibrosis", "Nodule"]},
        ],
        "boxes": [BOX], "about": [["Center", "NIH"], ["View", "PA"]], "notes": [], "groups": "groups of CXR-LT 2026",
        "file": "images_001/00000013_005.png", "in_slice": True, "sql": "SELECT 1",
    }  # fmt: skip
    return known | changes


def near(*ids: str) -> dict[str, Any]:
    cases = [
        {"id": each, "thumb": "data:image/gif;base64,broken", "file": f"folder/{each}.png", "present": ["Mass"],
         "outcomes": {"Mass": "hit", "Nodule": "correct rejection"}, "words": "0.12, closer than 93 %"}
        for each in ids
    ]  # fmt: skip
    return {"stage": "near", "cases": cases, "words": "Cosine distance of nih-mini's features."}


def place(number: int, of: int, previous: str | None, following: str | None) -> dict[str, Any]:
    step = lambda case: case and {"case": case, "page": 1}  # noqa: E731
    return {
        "stage": "place",
        "number": number,
        "of": of,
        "page": 1,
        "previous": step(previous),
        "next": step(following),
    }


def film(height: int = 160, width: int = 120) -> dict[str, Any]:
    pixels = np.random.default_rng(0).random((height, width)).astype(np.float32)
    return {"stage": "film", "film": film_payload(pixels)}


def maps() -> dict[str, Any]:
    """Maps of Mass (above threshold) and Nodule (below)."""
    values = np.zeros((2, 4, 4), np.float32)
    values[0, 1, 2] = 0.5
    said = opinion_payload(values, 160, (160, 120))
    rows = [
        {"finding": "Mass", "score": 0.91, "threshold": 0.5, "above": True, "state": "above"},
        {"finding": "Nodule", "score": 0.11, "threshold": 0.5, "above": False, "state": "below"},
    ]
    verdict = {"readable": True, "reason": "", "advice": "", "remedy": None}
    return said | {
        "stage": "opinion",
        "rows": rows,
        "verdict": verdict,
        "honest": "The map is by nih-mini as it is shipped, trained on this film (in-sample).",
    }


NO_FILM = {
    "stage": "no film", "title": "The film is not here",
    "detail": "nih-oof holds numbers only.", "command": 'make run ARGS="--images nih=DIR"',
}  # fmt: skip


def answers(**changes: dict[str, Any]) -> dict[str, Any]:
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
        "case_near": {"*": near("near-1", "near-2")},
    } | changes


def open_view(page: Page, given: dict[str, Any]) -> None:
    """Load the page; no case is open yet."""
    styles = "".join(_text(STATIC / name) for name in (*READ_STYLES, *STYLES))
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
