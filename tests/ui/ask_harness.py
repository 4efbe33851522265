"""The Ask tab alone in a page: its skeleton, styles and script, with a server and a Read tab that only take notes."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
from playwright.sync_api import Page

from explorer.ui.ask.shell import STYLES, data, shell
from explorer.ui.read.shell import STYLES as READ_STYLES
from explorer.ui.scripts import STATIC
from tests.ui.module_page import open_page
from tests.ui.viewer_harness import film_payload

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
    return structuredClone(answers[order.text in answers ? order.text : "*"]);
  },
  ask_about: async () => (notes.push(["ask_about"]), { model: "tiny", title: "Tiny", templates: OWN }),
  ask_progress: async () => window.progress ?? { loading: false, ahead: null },
  gone: async () => null,
  export_asked: async (token) => (notes.push(["export_asked", token]), { text: "question", type: "text/csv" }),
};
openFilms.keeper = {
  ...Object.fromEntries(["showFilm", "takeDown", "anyway", "amend", "setFilmFirst"].map((name) => [name, note(name)])),
  activate: (slot) => (notes.push(["activate", slot]), openFilms.tell({ active: slot })),
};
window.hangs = async (films, active = "a") => {
  for (const slot of ["a", "b"]) {
    if (!films[slot]) delete openFilms.films[slot];
    else {
      const { film } = films[slot];
      openFilms.films[slot] = { pixels: await unpackFilm(film.image, film.checksum), ...films[slot] };
    }
  }
  openFilms.tell({ active });
};
window.openFilms = openFilms;
mount({ element, props, trigger, watch, upload, server, data });
"""
PAGE = """<!doctype html><html lang="en"><title>Ask</title><style>
body {{ margin: 0; font-family: system-ui, sans-serif }}
.name {{ margin: 0; color: var(--text); font-size: 15px }} {styles}</style>
<main><h1 class="name">Tailscope</h1><div id="ask">{shell}</div></main>
<script type="module">const answers = {answers}; const OWN = {own}; const data = {data}; {start}</script></html>"""
OWN_TEMPLATES = "{} | no {}\nthere is {} | there is no {}\nevidence of {} | no evidence of {}"
FIELD = ".question-text"


def answer(question: str = "fluid around the lung", **changes: object) -> dict[str, Any]:
    """What the server says: present, in a text that was tested, in the model's captions, with a map."""
    put = ((question, 0.74, False), ("there is " + question, 0.66, False), ("effusion", 0.58, True))
    prompts = [
        {"positive": positive, "negative": "no " + positive, "score": value, "percentile": 80.0, "paraphrase": other}
        for positive, value, other in put
    ]
    heat = np.zeros((4, 4), np.float32)
    heat[2, 1] = 0.04
    taken = {"finding": "Pleural Effusion", "similarity": 0.82}
    known: dict[str, Any] = {
        "stage": "answer", "question": question, "scored": question, "templates": [], "verdict": "present",
        "why": "Above the threshold, as are 20 % of the 1,500 validation films without Pleural Effusion.",
        "score": 0.71, "threshold_score": 0.55, "margin": 0.044, "threshold": 0.01, "fitted": True,
        "threshold_rule": "Youden's J of this text on 1,650 validation films, 150 with the finding",
        "spread": {
            "low": 0.58, "median": 0.66, "high": 0.74, "percentiles": [70.0, 90.0], "unstable": False,
            "rule": "All prompts agree.", "prompts": prompts,
        },
        "percentile": {"value": 83.2, "n": 1650}, "taken_for": taken,
        "nearest": [taken, {"finding": "Hydropneumothorax", "similarity": 0.61}], "in_captions": True, "warnings": [],
        "measured": {
            "finding": "Pleural Effusion", "cohort": "1,650 films of NIH, out of fold", "n": 1650, "positives": 150,
            "prevalence": 0.09, "auroc": {"value": 0.71, "low": 0.66, "high": 0.76},
            "average_precision": {"value": 0.22, "low": 0.18, "high": 0.27},
            "sensitivity": {"value": 0.7, "low": 0.6, "high": 0.8, "hits": 105, "n": 150},
            "specificity": {"value": 0.8, "low": 0.7, "high": 0.9, "hits": 1200, "n": 1500},
        },
        "beside": {
            "model": "nih-mini", "finding": "Pleural Effusion", "score": 0.44, "threshold": 0.39,
            "percentile": {"value": 71.0, "n": 1650}, "difference": 12.2, "same_tower": True,
        },
        "model": "tiny", "title": "Tiny", "device": "cpu",
        "timings_ms": {"wait": 0.1, "image": 0.2, "text": 12.0, "heat": 3.0},
        "use": "Not for medical use", "no_heat": "",
        "heat": {
            "map": base64.b64encode(heat.tobytes()).decode("ascii"), "grid": 4, "heat_maximum": 0.05,
            "box": {"size": 160, "inner": [160, 120], "offset": [0, 20]},
        },
    }  # fmt: skip
    return known | changes


def film(name: str = "film.png", seed: int = 0, **changes: object) -> dict[str, Any]:
    """A film as Read keeps it, read."""
    pixels = np.random.default_rng(seed).random((160, 120)).astype(np.float32)
    verdict = {"readable": True, "reason": "", "advice": "", "remedy": None}
    payload = film_payload(pixels) | {"sha256": f"abc{seed}", "notes": []}
    return {"name": name, "token": name, "film": payload, "stage": "read", "opinion": {"verdict": verdict}} | changes


def open_ask(page: Page, answers: dict[str, Any] | None = None, *films: dict[str, Any]) -> None:
    """Load the page, with the films (by default one that was read) hanging."""
    styles = "".join((STATIC / name).read_text(encoding="utf-8") for name in (*READ_STYLES, *STYLES))
    given = json.dumps(answers or {"*": answer()})
    words = {
        "styles": styles,
        "shell": shell(),
        "answers": given,
        "own": json.dumps(OWN_TEMPLATES),
        "data": json.dumps(data()),
    }
    open_page(page, PAGE.format(**words, start=START))
    hang(page, *(films or [film()]))


def hang(page: Page, *films: dict[str, Any], active: str = "a") -> None:
    page.evaluate("([films, active]) => hangs(films, active)", [dict(zip("ab", films, strict=False)), active])


def ask(page: Page, text: str) -> None:
    page.locator(FIELD).fill(text)
    page.keyboard.press("Enter")


def asked(page: Page, text: str = "fluid around the lung") -> None:
    """Ask and wait for the answer."""
    ask(page, text)
    page.locator(".answer-verdict").wait_for()


def notes(page: Page, name: str) -> list[Any]:
    """What the server or Read was told under this name."""
    found: list[Any] = page.evaluate(
        "name => notes.filter((note) => note[0] === name).map((note) => note.slice(1))", name
    )
    return found


def line(page: Page, name: str) -> str:
    """One of the figures, by what stands before it."""
    return page.locator(f".answer-lines dt:text-is('{name}') + dd").inner_text()
