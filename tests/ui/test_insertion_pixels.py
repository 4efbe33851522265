"""The script adds a finding to a film as Python does, and burns the mark into its pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser

from explorer.insertion.burned_mark import MARK_ON_SIMULATED
from explorer.insertion.film_change import FilmChange
from explorer.ui.read.insertion_payload import change_payload
from tests.ui.module_page import open_page
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser
TOP = 65535

SCRIPT = """async ({levels, width, height, change, mark}) => {
    const {addChange} = await import("/viewer/film_change.js");
    const {burnMark} = await import("/viewer/burned_mark.js");
    const {unpackFilm} = await import("/viewer/packed.js");
    const film = {width, height, levels: Uint16Array.from(levels), intact: true};
    const packed = await unpackFilm(change.image, change.checksum);
    const changed = addChange(film, change, packed);
    const kept = film.levels.every((level, place) => level === levels[place]);
    const found = Array.from(changed.levels);
    burnMark(changed, mark);
    return {intact: packed.intact, kept, found, marked: Array.from(changed.levels)};
}"""


def in_browser(chromium: Browser, film: NDArray[np.float32], change: FilmChange) -> dict[str, Any]:
    height, width = film.shape
    asked = {"levels": np.rint(film * TOP).astype(int).ravel().tolist(), "width": width, "height": height}
    with windows(chromium).window(800, 600, Kind()) as page:
        open_page(page, "<!doctype html><title>Pixels</title>")
        found: dict[str, Any] = page.evaluate(
            SCRIPT, asked | {"change": change_payload(change), "mark": MARK_ON_SIMULATED}
        )
    for name in ("found", "marked"):
        found[name] = np.array(found[name]).reshape(film.shape) / TOP
    return found


@pytest.mark.parametrize("times", [1, 2, 1.5])
def test_the_script_adds_the_change_that_the_model_saw(chromium: Browser, times: float) -> None:
    random = np.random.default_rng(0)
    before = random.random((60, 40)).astype(np.float32) / 2
    after = before.copy()
    after[20:33, 11:30] += random.random((13, 19)).astype(np.float32) / 2 - 0.1
    after = after.clip(0, 1)
    change = FilmChange.between(before, after)
    large = random.random((round(60 * times), round(40 * times))).astype(np.float32)
    found = in_browser(chromium, large, change)
    assert found["intact"] and found["kept"]
    assert found["found"] == pytest.approx(change.on(large), abs=3 / TOP)


def test_the_mark_covers_the_lower_edge_alone(chromium: Browser) -> None:
    film = np.full((400, 300), 0.5, np.float32)
    found = in_browser(chromium, film, FilmChange.between(film, film))
    strip = np.abs(found["marked"] - 0.5) > 0.01
    rows = np.flatnonzero(strip.any(1))
    assert rows[-1] == 399 and 10 <= len(rows) <= 24
    assert strip[rows].mean() > 0.95  # black but for the letters
    letters = found["marked"][rows] > 0.9
    assert 0.02 < letters.mean() < 0.3
    assert letters[:, 200:].any()  # the words fill the strip, and fit
    assert not letters[:, -2:].any()
