"""The panel Map beside the gallery: points, a lasso, a click, four numbers; with WebGL and without."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from explorer.core.map_area import MapArea, area_word, corners_of, inside
from tests.support.wording import Wording
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, state, wait_until_shown
from tests.ui.loaded_modules import loaded_modules, run
from tests.ui.module_page import open_page
from tests.ui.panel_room import NIH, panel, wait_until_drawn
from tests.ui.text_shown import text_with

pytestmark = [pytest.mark.browser, pytest.mark.shared]

AROUND = ((0.15, 0.2), (0.8, 0.15), (0.85, 0.75), (0.3, 0.9))  # of the map, from the left and the top
MODULE = "explore/map_points.js"
# Three marks that do not touch, by a canvas of 200 px: a disc, a triangle that points down, and a dim one; and so many
# dim ones in a corner.
DRAW = """async ([name, software, more]) => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas.style, { width: "200px", height: "200px" });
    document.body.replaceChildren(canvas);
    const { MapPoints, SHAPES } = modules[name];
    const points = new MapPoints(canvas, { software });
    const palette = Array.from({ length: 256 }, () => [90, 90, 90, 128]);
    Object.assign(palette, { 0: [255, 0, 0, 170], 1: [0, 255, 0, 170] });
    const rest = Array.from({ length: more }, () => 0);
    const places = [13_107, 32_768, 52_428, ...rest];
    points.show({
        x: new Uint16Array(places), y: new Uint16Array(places),
        codes: new Uint8Array([0, 1, 255, ...rest.fill(255)]), flags: new Uint8Array([1, 1, 0, ...rest.fill(0)]),
        palette, shapes: new Uint8Array([SHAPES.disc, SHAPES.down]), order: [0, 1],
    });
    const copy = Object.assign(document.createElement("canvas"), { width: 200, height: 200 });
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const bytes = [...context.getImageData(0, 0, 200, 200).data].map((value) => String.fromCharCode(value));
    return [Boolean(points.gl), btoa(bytes.join(""))]; // as numbers they take seconds on their way
}"""

# How often a map that is seen asks anew once another film is open in Read.
FOLLOWED = """async () => {
    const { FilmMap } = modules["explore/map.js"];
    const box = document.createElement("div");
    document.body.replaceChildren(box);
    const map = new FilmMap(box, {});
    let asked = 0;
    Object.assign(map, { answer: {}, token: "an earlier film", show: () => (asked += 1) });
    modules["shared/open_films.js"].openFilms.update({});
    return asked;
}"""


def lasso(page: Page) -> None:
    box = page.locator(".map-place").bounding_box()
    assert box is not None
    places = [(box["x"] + across * box["width"], box["y"] + down * box["height"]) for across, down in AROUND]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()
    wait_until_shown(page)


def drawn(page: Page) -> np.ndarray:
    """The pixels (h, w, 3) of the map as it is seen."""
    return np.asarray(Image.open(BytesIO(page.locator(".map-place").screenshot())).convert("RGB"))


def assert_drawn(page: Page) -> None:
    """The films of very rare findings are seen, yellow, and those of no finding, gray, most of them."""
    pixels = drawn(page).astype(int)
    yellow = ((pixels[..., 0] > 200) & (pixels[..., 1] > 180) & (pixels[..., 2] < 90)).sum()
    gray = ((np.ptp(pixels, axis=-1) < 40) & (pixels.min(axis=-1) > 70)).sum()
    assert yellow > 50 and gray > 500, (yellow, gray)


def test_films_that_are_lassoed_are_the_slice_and_a_click_opens_one(new_panel: NewVisitor) -> None:
    page = new_panel(NIH, panel="map")
    page.locator(".explore-panel[data-drawn]").wait_for(timeout=SLOW)
    expect(panel(page)).to_contain_text("1,650 films")
    expect(panel(page)).to_contain_text("(n = 1,650 films; with two principal components")
    assert page.locator(".map-canvas").get_attribute("role") == "img"
    assert_drawn(page)
    names = page.locator(".map-key li").all_inner_texts()
    assert sum(int(name.split("\n")[-1].replace(",", "")) for name in names) == 1650
    lasso(page)
    expect(page.locator(".sentence")).to_contain_text("map of nih-mini", timeout=SLOW)
    said = page.locator(".map-said").inner_text()
    assert f"({said.removesuffix(' in the area')})" in page.locator(".sentence").inner_text(), "script and server agree"
    version, corners = corners_of(state(page)["lasso"])
    assert 4 <= len(corners) <= 64 and version == page.locator(".explore-panel[data-drawn]").get_attribute("data-drawn")
    page.reload()
    wait_until_shown(page)
    expect(page.locator(".chip-lasso")).to_contain_text("on the map")
    wait_until_drawn(page)
    expect(page.locator(".map-area")).to_be_visible()
    page.get_by_role("button", name="The whole map").click()
    wait_until_shown(page)
    assert "lasso" not in state(page)
    box = page.locator(".map-place").bounding_box()
    assert box is not None
    for across in np.linspace(0.2, 0.8, 13):
        page.mouse.click(box["x"] + across * box["width"], box["y"] + 0.5 * box["height"])
        if "case" in state(page):
            break
    page.locator("dialog.case[open]").wait_for(timeout=SLOW)


def test_an_area_that_is_taken_away_is_no_longer_told_of(new_panel: NewVisitor) -> None:
    page = new_panel(NIH, panel="map")
    page.locator(".explore-panel[data-drawn]").wait_for(timeout=SLOW)
    lasso(page)
    expect(page.locator(".map-said")).to_contain_text("in the area", timeout=SLOW)
    page.locator(".chip-lasso button").last.click()
    expect(page.locator(".map-said")).to_have_text("", timeout=SLOW)


def test_an_area_by_four_numbers_with_the_keyboard(new_panel: NewVisitor, wording: Wording) -> None:
    page = new_panel(NIH, panel="map")
    page.get_by_text("An area by numbers").click()
    page.get_by_role("spinbutton", name="left").fill("80")
    page.keyboard.press("Enter")
    wording(text_with(page.locator(".map-form p"), "Left"))
    page.get_by_role("spinbutton", name="left").fill("10")
    page.keyboard.press("Enter")
    wait_until_shown(page)
    _, corners = corners_of(state(page)["lasso"])
    assert corners == ((410, 1024), (3071, 1024), (3071, 3071), (410, 3071))
    page.get_by_role("button", name="center", exact=True).click()
    expect(page.locator(".map-key li")).to_have_count(1, timeout=SLOW)
    assert state(page)["color"] == "center" and "lasso" in state(page)


@pytest.fixture(scope="module")
def canvases(chromium: Browser) -> Iterator[Page]:
    """A page with the module that draws marks, whose complaints of a slow card count for nothing."""
    with chromium.new_page() as page:
        open_page(page, "<!doctype html><title>Marks</title>")
        page.evaluate("""async (name) => (window.modules = { [name]: await import("/" + name) })""", MODULE)
        yield page


@pytest.mark.parametrize("more", [0, 20_000, 130_000])
def test_marks_are_the_same_with_webgl_and_without(canvases: Page, more: int) -> None:
    """They are shapes where there are few, and squares of a few pixels where there are many."""
    drawn = {}
    for software in (True, False):
        by_webgl, encoded = canvases.evaluate(DRAW, [MODULE, software, more])
        assert by_webgl == software  # a processor that plays the graphics card is not asked
        drawn[by_webgl] = np.frombuffer(b64decode(encoded), np.uint8).reshape(200, 200, 4)
    for pixels in drawn.values():
        assert pixels[160, 40].tolist() == [255, 0, 0, 255]  # x from the left, y from below
        assert pixels[100, 100].tolist() == [0, 255, 0, 255]
        assert 100 < pixels[40, 160, 3] < 150  # what is not meant is dim
        width = [(pixels[row, 80:120, 3] > 128).sum() for row in (97, 103)]
        assert more or width[0] > width[1] + 2, "it points down"
    areas = {by_webgl: (pixels[:190, :, 3] > 60).sum() for by_webgl, pixels in drawn.items()}
    assert areas[True] == pytest.approx(areas[False], rel=0.25 if not more else 0.5)


def test_the_map_follows_the_film_that_is_open_in_read(chromium: Browser) -> None:
    with loaded_modules(chromium) as page:
        assert page.evaluate(FOLLOWED) == 1


def test_the_script_counts_and_writes_areas_as_python_does(chromium: Browser) -> None:
    rng = np.random.default_rng(0)
    sides = {"side": 65_536, "cell": 16}
    with loaded_modules(chromium) as page:
        for n in (3, 5, 64):
            corners = tuple(map(tuple, rng.integers(0, 4096, (n, 2)).tolist()))
            x, y = rng.integers(0, 65_536, (2, 300)).astype(np.uint16)
            x[::3], y[::3] = x[::3] // 16 * 16 + 8, y[::3] // 16 * 16 + 8
            points = {"x": x.tolist(), "y": y.tolist()}
            counted = run(page, "explore/map_area.js", "m.countFilmsInside(v[0], v[1], v[2])", corners, points, sides)
            assert counted == inside(corners, x, y).sum()
            word = run(page, "explore/map_area.js", "m.areaWord(v[0], v[1])", "aB-_09", corners)
            assert word == area_word(MapArea("one", "aB-_09", corners, 0))
        turns = np.linspace(0, 2 * np.pi, 500)
        circle = np.stack([np.cos(turns), np.sin(turns)], axis=1) * 20_000 + 33_000
        kept = run(page, "explore/map_area.js", "m.cornersOf(v[0], v[1])", circle.tolist(), sides)
        assert isinstance(kept, list) and len(kept) == 64
        across, up = np.meshgrid(*[np.arange(0, 65_536, 256)] * 2)
        x, y = across.ravel().astype(np.uint16), up.ravel().astype(np.uint16)
        share = inside(tuple(map(tuple, kept)), x, y).mean()
        assert share == pytest.approx(np.pi * 20_000**2 / 65_536**2, rel=0.01)  # what was drawn around is kept
        for path in ([[0, 0], [1, 1]], [[0, 0], [900, 0], [1800, 0]], [[5, 5]] * 9):
            assert run(page, "explore/map_area.js", "m.cornersOf(v[0], v[1])", path, sides) is None
