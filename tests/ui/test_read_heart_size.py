"""Heart size and the places of heat maps on the Read tab, in the app itself, on the real film RG1."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.ui.reading_room import SLOW, choose, film_of, grey, open_sample, show_map, upload, wait_until_read

pytestmark = pytest.mark.browser
RATIO = re.compile(
    r"^Cardiothoracic ratio 0\.[3-6][0-9]\. The outlines were learned from simulated films; the mean error"
)


def test_the_ratio_comes_on_request_with_its_lines_and_folds(reader: Page) -> None:
    open_sample(reader)
    wait_until_read(reader)
    expect(reader.locator(".heart-size-says")).to_be_empty()
    expect(reader.locator(".heart-lines")).to_be_hidden()
    ask = reader.get_by_role("button", name="Heart size")
    ask.click()
    expect(reader.locator(".heart-size-says")).to_have_text(RATIO, timeout=SLOW)
    expect(reader.locator(".heart-size-says")).to_contain_text("Not for medical use")
    film = reader.locator(".film-canvas").first.bounding_box()
    chest = reader.locator(".heart-line.chest").bounding_box()
    heart = [line.bounding_box() for line in reader.locator(".heart-line:not(.chest)").all()]
    assert film and chest and all(heart) and len(heart) == 2
    assert 0.5 * film["width"] < chest["width"] < film["width"]
    assert film["x"] < chest["x"] < min(line["x"] for line in heart if line)
    ask.click()
    expect(reader.locator(".heart-size-says")).to_be_empty()
    expect(reader.locator(".heart-lines")).to_be_hidden()


def test_hiding_the_opinion_hides_the_heart_size(reader: Page) -> None:
    open_sample(reader)
    wait_until_read(reader)
    reader.get_by_role("button", name="Heart size").click()
    expect(reader.locator(".heart-size-says")).to_have_text(RATIO, timeout=SLOW)
    reader.locator("[data-command=hide]").click()
    expect(reader.locator(".heart-size")).to_be_hidden()
    expect(reader.locator(".heart-lines")).to_be_hidden()
    reader.locator("[data-command=hide]").click()
    expect(reader.locator(".heart-size-says")).to_have_text(RATIO)


def test_a_refused_film_has_no_heart_size(reader: Page) -> None:
    upload(reader, "leg.png", grey(film_of("leg")))
    expect(reader.locator(".heart-size")).to_be_hidden()
    reader.locator(".way-anyway").click(timeout=SLOW)
    wait_until_read(reader)
    reader.get_by_role("button", name="Heart size").click()
    expect(reader.locator(".heart-size-says")).to_have_text(re.compile("^Heart size not found. "), timeout=SLOW)
    expect(reader.locator(".heart-lines")).to_be_hidden()


def test_legend_and_numbers_say_where_a_map_is_hottest(reader: Page) -> None:
    open_sample(reader)
    wait_until_read(reader)
    choose(reader, "Mass")
    show_map(reader)
    place = reader.locator(".legend-place")
    expect(place).to_have_text(re.compile(r"^(right|left) (upper zone|mid zone|base)$"))
    words = f"Its map is hottest here: {place.text_content()}."
    expect(reader.locator(".numbers-place")).to_have_text(words)
    other = reader.locator(".finding[data-state=below]").last.get_attribute("data-finding")
    choose(reader, str(other))
    expect(reader.locator(".numbers-place")).to_have_count(0)
    choose(reader, "Mass")
    expect(reader.locator(".numbers-place")).to_have_text(words)
