"""The Ask tab alone in a page: its skeleton, styles and script, with a server and a Read tab that only take notes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

from explorer.ui.ask.shell import STYLES, script_data, shell
from explorer.ui.read.shell import STYLES as READ_STYLES
from explorer.ui.scripts import STATIC_FOLDER
from tests.support.answers import asked_answer, film_answer, verdict_answer
from tests.ui.module_page import open_page
from tests.ui.viewer_harness import settle

START = """
import { mount } from "/ask/ask.js";
import { openFilms } from "/shared/open_films.js";
import { unpackFilm } from "/viewer/packed.js";

window.notes = [];
window.held = null; // set: answers wait until it is called
const note = (name) => (...values) => void notes.push([name, ...values]);
const element = document.querySelector("#ask"), props = {}, trigger = note("trigger"), watch = () => {};
const upload = async () => ({ path: "there" });
const server = {
  ask: async (order) => {
    notes.push(["ask", order]);
    if (window.held) await new Promise((settle) => (window.held = settle));
    return structuredClone(window.answers[order.text in window.answers ? order.text : "*"]);
  },
  ask_at: async (order) => (notes.push(["ask_at", order]), structuredClone(window.judged)),
  ask_about: async () => (notes.push(["ask_about"]), { model: "tiny", title: "Tiny", templates: OWN }),
  ask_progress: async () => window.progress ?? { loading: false, ahead: null },
  gone: async () => null,
  export_asked: async (token) => (notes.push(["export_asked", token]), { text: "question", type: "text/csv" }),
};
openFilms.keeper = {
  ...Object.fromEntries(["showFilm", "takeDown", "anyway", "amend", "setFilmFirst"].map((name) => [name, note(name)])),
  activate: (slot) => (notes.push(["activate", slot]), openFilms.update({ active: slot })),
};
window.hangs = async (films, active = "a") => {
  for (const slot of ["a", "b"]) {
    if (!films[slot]) delete openFilms.films[slot];
    else {
      const { film } = films[slot];
      openFilms.films[slot] = { pixels: await unpackFilm(film.image, film.checksum), ...films[slot] };
    }
  }
  openFilms.update({ active });
};
window.openFilms = openFilms;
mount({ element, props, trigger, watch, upload, server, data });
"""
PAGE = """<!doctype html><html lang="en"><title>Ask</title><style>
body {{ margin: 0; font-family: system-ui, sans-serif }}
.name {{ margin: 0; color: var(--text); font-size: 15px }} {styles}</style>
<main><h1 class="name">Tailscope</h1><div id="ask">{shell}</div></main>
<script type="module">window.answers = {answers}; const OWN = {own}; const data = {data}; {start}</script></html>"""
OWN_TEMPLATES = "{} | no {}\nthere is {} | there is no {}\nevidence of {} | no evidence of {}"
FIELD = ".question-text"


def answer(question: str = "fluid around the lung", **changes: object) -> dict[str, Any]:
    """What the server says: flagged, in a text that was tested, in the model's captions, with a map."""
    return asked_answer(question, **changes)


def film(name: str = "film.png", seed: int = 0, **changes: object) -> dict[str, Any]:
    """A film as Read keeps it, read."""
    pixels = np.random.default_rng(seed).random((160, 120)).astype(np.float32)
    verdict = verdict_answer()
    payload = film_answer(pixels) | {"sha256": f"abc{seed}", "notes": []}
    return {"name": name, "token": name, "film": payload, "stage": "read", "opinion": {"verdict": verdict}} | changes


def open_ask(page: Page, answers: dict[str, Any] | None = None, *films: dict[str, Any]) -> None:
    """Load the page, with the films (by default one that was read) hanging."""
    styles = "".join((STATIC_FOLDER / name).read_text(encoding="utf-8") for name in (*READ_STYLES, *STYLES))
    given = json.dumps(answers or {"*": answer()})
    words = {
        "styles": styles,
        "shell": shell(),
        "answers": given,
        "own": json.dumps(OWN_TEMPLATES),
        "data": json.dumps(script_data()),
    }
    open_page(page, PAGE.format(**words, start=START))
    hang(page, *(films or [film()]))


# Folds that were opened stay so from one answer to the next, and open again with the first of another film.
FOLD = """() => {
    for (const fold of document.querySelectorAll(".answer-fold[open]")) fold.open = false;
    return new Promise((done) => setTimeout(done)); // until the page has heard of it
}"""
FORGET = """(answers) => {
    Object.assign(window, { answers, judged: undefined });
    notes.length = 0;
    openFilms.filmFirst = false;
    openFilms.opinionHidden = false;
}"""


def open_again(page: Page, answers: dict[str, Any]) -> None:
    """The same as `open_ask` for a test that looks at an answer: another film hangs on the page, if one is loaded."""
    if not page.evaluate("'hangs' in window"):
        return open_ask(page, answers)
    page.evaluate(FOLD)
    page.evaluate(FORGET, answers)
    hang(page, film())
    expect(page.locator(".answer")).to_be_hidden()
    return None


def hang(page: Page, *films: dict[str, Any], active: str = "a") -> None:
    page.evaluate("([films, active]) => hangs(films, active)", [dict(zip("ab", films, strict=False)), active])


def ask(page: Page, text: str) -> None:
    page.locator(FIELD).fill(text)
    page.keyboard.press("Enter")


def asked(page: Page, text: str = "fluid around the lung") -> None:
    """Ask and wait for the answer."""
    ask(page, text)
    page.locator(".answer-verdict").wait_for()


def shows(page: Page, **changes: Any) -> Page:  # noqa: ANN401 - any value that JSON has
    """A page on which the answer, with its changes, was just given; its details are open."""
    open_again(page, {"*": answer(**changes)})
    asked(page)
    open_details(page)
    settle(page)
    return page


def notes(page: Page, name: str) -> list[Any]:
    """What the server or Read was told under this name."""
    found: list[Any] = page.evaluate(
        "name => notes.filter((note) => note[0] === name).map((note) => note.slice(1))", name
    )
    return found


def open_details(page: Page) -> None:
    fold = page.locator(".answer-fold:not([open]) > summary:text-is('Details')")
    if fold.count():
        fold.click()


def line(page: Page, name: str) -> str:
    """One of the figures, by what stands before it; statistics are in a fold."""
    open_details(page)
    return page.locator(f".answer-lines dt:text-is('{name}') + dd").inner_text()
