"""The viewer's picture: every pixel of its canvases against numpy, and the words that stand beside the film."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, expect

from tests.support.answers import film_answer
from tests.support.wording import Wording
from tests.ui.viewer_harness import (
    drag,
    heat,
    middle,
    open_viewer,
    opinion_payload,
    picture_of,
    pixels_of,
    readout,
    settle,
    show,
    viewer_page,
)

pytestmark = pytest.mark.browser
Film = NDArray[np.float32]


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, stays=True) as page:
        open_viewer(page)
        yield page


@pytest.fixture(scope="module")
def film() -> Film:
    """160 x 120, a slow gradient down and noise of one 16-bit level or two: every value differs from 8 bits."""
    generator = np.random.default_rng(3)
    slope = np.linspace(0.2, 0.9, 160)[:, None] + generator.random((160, 120)) * 0.05
    return slope.astype(np.float32)


def levels_of(film: Film) -> NDArray[np.int64]:
    return np.rint(film * np.float32(65535)).astype(np.int64)


def windowed(film: Film, width: float, level: float, inverted: bool = False) -> NDArray[np.float64]:
    """What the screen should show, 0 to 255, before rounding."""
    shown = np.clip((levels_of(film) / 65535 - (level - width / 2)) / width, 0, 1) * 255
    return 255 - shown if inverted else shown


def current_window(page: Page) -> tuple[float, float]:
    width, level = page.evaluate("[lightbox.now.window.width, lightbox.now.window.level]")
    return width, level


def decoded(page: Page) -> NDArray[np.uint16]:
    text = page.evaluate(
        """() => {
            const bytes = new Uint8Array(lightbox.now.pixels.levels.buffer);
            let text = "";
            for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
            return btoa(text);
        }"""
    )
    return np.frombuffer(base64.b64decode(text), "<u2")


def assert_shows(page: Page, expected: NDArray[np.float64]) -> None:
    drawn = pixels_of(page, "film-canvas")
    assert (drawn[..., 0] == drawn[..., 1]).all()
    assert (drawn[..., 0] == drawn[..., 2]).all()
    assert (drawn[..., 3] == 255).all()
    assert np.abs(drawn[..., 0] - expected).max() <= 0.5 + 1e-3


def test_the_film_arrives_exact_to_the_last_of_16_bits(page: Page) -> None:
    every = (np.random.default_rng(1).permutation(65536).reshape(256, 256) / 65535).astype(np.float32)
    show(page, film_answer(every))
    assert np.array_equal(decoded(page), levels_of(every).ravel())
    expect(page.locator(".altered")).to_be_hidden()


def test_a_browser_that_alters_canvas_reads_is_told_of(page: Page, film: Film) -> None:
    payload = film_answer(film)
    show(page, payload | {"checksum": payload["checksum"] + 1})
    expect(page.locator(".altered")).to_be_visible()
    expect(page.locator(".altered")).to_contain_text("fingerprinting")
    show(page, payload)
    expect(page.locator(".altered")).to_be_hidden()


def test_a_film_opens_with_its_whole_range(page: Page, film: Film) -> None:
    show(page, film_answer(film))
    assert readout(page).startswith("W 100 L 50")
    assert_shows(page, windowed(film, 1, 0.5))


def test_a_left_drag_sets_width_across_and_level_down(page: Page, film: Film) -> None:
    show(page, film_answer(film))
    drag(page, -90, 0)
    narrow = current_window(page)
    assert narrow[0] < 1
    assert narrow[1] == 0.5
    assert_shows(page, windowed(film, *narrow))
    drag(page, 0, 60)
    lowered = current_window(page)
    assert lowered[0] == narrow[0]
    assert lowered[1] > 0.5
    assert_shows(page, windowed(film, *lowered))
    assert readout(page).startswith(f"W {lowered[0] * 100:.0f} L {lowered[1] * 100:.0f}")


def test_a_narrow_window_shows_more_levels_than_8_bits_have(page: Page) -> None:
    slow = np.tile(np.linspace(0.49, 0.51, 500, dtype=np.float32), (50, 1))
    show(page, film_answer(slow))
    page.evaluate("lightbox.now.changeWindowByVisitor({width: 0.02, level: 0.5, inverted: false})")
    settle(page)
    assert len(np.unique(np.rint(slow * 255))) <= 7
    assert len(np.unique(pixels_of(page, "film-canvas")[..., 0])) == 256
    assert readout(page).startswith("W 2.0 L 50.0")


def test_auto_spreads_the_films_own_grays_and_keeps_an_inversion(page: Page) -> None:
    pale = np.random.default_rng(3).normal(0.7, 0.05, (300, 200)).clip(0, 1).astype(np.float32)
    show(page, film_answer(pale))
    page.keyboard.press("i")
    page.keyboard.press("a")
    settle(page)
    width, level = current_window(page)
    low, high = np.percentile(pale, (1, 99))
    assert (level - width / 2, level + width / 2) == pytest.approx((low, high), abs=1e-3)
    assert_shows(page, windowed(pale, width, level, inverted=True))


def test_inversion_is_of_the_display_only_and_is_said(page: Page, film: Film) -> None:
    show(page, film_answer(film))
    page.keyboard.press("i")
    settle(page)
    assert_shows(page, windowed(film, 1, 0.5, inverted=True))
    assert "inverted display" in readout(page)
    expect(page.locator("[data-command=invert]")).to_have_attribute("aria-pressed", "true")
    assert np.array_equal(decoded(page), levels_of(film).ravel())


def test_the_map_follows_its_values_and_the_fixed_scale(page: Page, film: Film) -> None:
    maps = np.random.default_rng(2).normal(0.1, 0.3, (2, 5, 5)).astype(np.float32)
    opinion = opinion_payload(maps, 160, (160, 120))
    show(page, film_answer(film))
    heat(page, opinion, 1)
    drawn = pixels_of(page, "heat-canvas")[..., 3].astype(float)
    assert drawn.shape == (256, 192)
    down = np.clip((np.arange(256) + 0.5) / 256 * 160 * 5 / 160 - 0.5, 0, 4)
    across = np.clip(((np.arange(192) + 0.5) / 192 * 120 + 20) * 5 / 160 - 0.5, 0, 4)
    rows = np.stack([np.interp(down, np.arange(5), maps[1][:, c]) for c in range(5)], axis=1)
    value = np.stack([np.interp(across, np.arange(5), row) for row in rows])
    assert np.abs(drawn - np.clip(value / 0.5, 0, 1) * 255).max() <= 1
    assert drawn[value <= 0].max() == 0  # no evidence: nothing at all
    assert page.locator("#heat-canvas").evaluate("canvas => getComputedStyle(canvas).opacity") == "0.6"


def test_the_legend_says_finding_unit_maximum_and_grid(page: Page, film: Film, wording: Wording) -> None:
    opinion = opinion_payload(np.ones((2, 5, 5), np.float32), 160, (160, 120))
    show(page, film_answer(film))
    expect(page.locator(".legend")).to_be_hidden()
    heat(page, opinion, 1)
    words = re.sub(r"\s+", " ", page.locator(".legend").inner_text()).strip()
    assert words.startswith("Pleural Thickening 0.90 0 0.5 logit") and "5 x 5 cells" in words
    wording(words)
    heat(page, opinion | {"heat_maximum": None}, 1)
    expect(page.locator(".legend-maximum")).to_have_text("1.0 logit, this film only")


def test_the_probe_gives_place_value_and_map(page: Page, film: Film) -> None:
    show(page, film_answer(film, size=[320, 240]))  # as sent: at half its resolution
    page.mouse.move(*middle(page))
    settle(page)
    place = page.evaluate("lightbox.now.camera.toFilm(...lightbox.now.pointer)")
    column, row = (int(value) for value in place)
    value = levels_of(film)[row, column] / 65535 * 100
    words = f"x {int(place[0] * 2)} y {int(place[1] * 2)}  \u00b7  {value:.2f} %"
    assert page.locator(".probe").inner_text() == words
    opinion = opinion_payload(np.full((1, 5, 5), 0.25, np.float32), 160, (160, 120))
    heat(page, opinion)
    assert page.locator(".probe").inner_text() == words + "  \u00b7  0.25 logit"
    page.keyboard.press("o")
    assert page.locator(".probe").inner_text() == words
    page.mouse.move(2, 2)
    expect(page.locator(".probe")).to_have_text("")
    expect(page.locator(".facts")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text("240 x 320 px")


@pytest.mark.parametrize(
    ("view", "sides", "marks", "title"),
    [
        ("PA", "stated", ["R", "L", "PA"], "Patient's right"),
        ("AP", "assumed", ["R", "L", "AP"], "Patient's right by convention; the file does not say"),
        ("unknown", "assumed", ["R", "L", ""], "Patient's right by convention; the file does not say"),
    ],
)
def test_sides_stand_beside_the_film(
    page: Page, film: Film, view: str, sides: str, marks: list[str], title: str
) -> None:
    show(page, film_answer(film, view=view, sides=sides))
    assert page.locator(".mark").all_text_contents() == marks
    expect(page.locator(".mark-right")).to_have_attribute("title", title)
    for _ in range(6):
        page.keyboard.press("+")
    stage = page.locator(".stage").bounding_box()
    right, left = (page.locator(name).bounding_box() for name in (".mark-right", ".mark-left"))
    assert stage and right and left
    assert right["x"] + right["width"] <= stage["x"]
    assert left["x"] >= stage["x"] + stage["width"]
    clip = page.locator(".stage").evaluate("stage => getComputedStyle(stage).overflow")
    assert clip == "hidden"


def test_a_lateral_has_no_sides(page: Page, film: Film) -> None:
    show(page, film_answer(film, view="lateral", sides="stated"))
    assert page.locator(".mark").all_text_contents() == ["", "", "lat"]


def test_nothing_is_written_on_the_film(page: Page, film: Film) -> None:
    show(page, film_answer(film, spacing={"mm": [0.1, 0.1], "at": "detector"}))
    heat(page, opinion_payload(np.ones((1, 5, 5), np.float32), 160, (160, 120)))
    page.keyboard.press("r")
    drag(page, 60, 40)
    assert page.locator(".stage").inner_text().strip() == ""
    assert page.locator(".stage svg text").count() == 0
    drawn = pixels_of(page, "film-canvas")[..., 0]
    assert np.abs(drawn - windowed(film, 1, 0.5)).max() <= 0.5 + 1e-3


def test_the_exported_picture_has_its_words_below_the_film(page: Page, film: Film) -> None:
    show(page, film_answer(film))
    heat(page, opinion_payload(np.zeros((1, 5, 5), np.float32), 160, (160, 120)))
    address: str = page.evaluate("lightbox.makePicture('a', ['Model of a test', 'Not for medical use']).toDataURL()")
    picture = picture_of(address)[..., :3].astype(int)
    left = (picture.shape[1] - 120) // 2
    assert np.abs(picture[32:192, left : left + 120, 0] - windowed(film, 1, 0.5)).max() <= 0.5 + 1e-3
    page_color = np.array([0x0A, 0x0D, 0x11])
    assert (picture[:32] == page_color).all()
    written = (picture[192:] != page_color).any(axis=(1, 2))
    assert np.count_nonzero(np.diff(written.astype(int)) == 1) >= 5  # lines of words
    page.keyboard.press("o")
    shorter = page.evaluate("lightbox.makePicture('a', ['Model of a test', 'Not for medical use']).height")
    assert shorter < picture.shape[0]  # without a map there is no legend


def test_every_button_names_itself_and_its_key(page: Page, film: Film) -> None:
    show(page, film_answer(film))
    for button in page.locator(".toolbar button").all():
        assert button.inner_text().strip() or not button.is_visible()
        assert button.get_attribute("title")
        if button.get_attribute("data-command") != "compare":
            assert button.get_attribute("aria-keyshortcuts")
        box = button.bounding_box()
        assert box is None or min(box["width"], box["height"]) >= 24
    page.locator("[data-command=compare]").click()
    assert page.evaluate("notes") == [["addSecond"]]
