"""Simulate's "Beside it": the same patient at the other center, or exposed again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.simulator.address import parse_film_address
from explorer.simulator.film_png import render_film
from explorer.simulator.perturbations.exposed_again import exposed_png, render_exposed
from explorer.simulator.perturbations.registry import PHYSICAL, physical_levels
from explorer.simulator.request import WrongRequest
from explorer.ui.simulate.beside import beside_answer, exposures
from models.radiograph import read_radiograph
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible_at
from tests.ui.simulate_room import SLOW, wait_until_said
from tests.ui.windows import Kind, go, windows

FILM = "phantom://v2/A/300041?Mass=left,0.60"
WIDTHS = (1440, 1024, 390)
LEVELS = {level.name: level for level in physical_levels()}


def test_every_way_to_image_a_patient_again_is_offered_with_what_its_strengths_do() -> None:
    offered = {each["name"]: each for each in exposures()}
    assert list(offered) == list(PHYSICAL)
    assert offered["dose"]["strengths"][2] == "factor of the dose: 0.125"
    assert offered["projection"]["strengths"] == []


@pytest.mark.parametrize(("how", "moves"), [("dose-5", False), ("patient-rotation-5", True)])
def test_masks_move_only_where_the_patient_does(how: str, moves: bool) -> None:
    here, there = render_film(FILM), render_exposed(FILM, LEVELS[how])
    assert not np.array_equal(here.pixels, there.pixels)
    assert np.array_equal(here.masks["Mass"], there.masks["Mass"]) is not moves


def test_the_film_says_what_it_is_and_has_no_address() -> None:
    own = read_radiograph(exposed_png(FILM, LEVELS["dose-1"]))
    other = read_radiograph(exposed_png(FILM, LEVELS["projection"]))
    assert own.simulated and other.simulated
    assert FILM not in (own.mark or "") and "dose-1" in (own.mark or "")
    assert {own.view, other.view} == {"PA", "AP"}


def test_it_is_named_by_how_it_differs() -> None:
    film = parse_film_address(FILM)
    assert beside_answer(film, "centers")["name"] == "Center B"
    answer = beside_answer(film, "breath-3")
    assert answer["name"] == "Shallower breath, factor of the inspiration: 0.85"
    assert [mask["finding"] for mask in answer["masks"]] == ["Mass"]


@pytest.mark.parametrize("how", ["", "None", "dose", "dose-6", "rotation-3"])
def test_an_unknown_way_is_refused_with_those_there_are(how: str) -> None:
    with pytest.raises(WrongRequest, match="no such way") as refused:
        beside_answer(parse_film_address(FILM), how)
    assert "centers" in str(refused.value) and "dose-3" in str(refused.value)


@pytest.fixture(scope="module")
def open_window(chromium: Browser, phantom_server: Server) -> Iterator[Page]:
    with windows(chromium).window(1440, 900, Kind()) as page:
        go(page, f"{phantom_server.url}/#simulate?center=A&seed=300041&version=2&Mass=left,0.60")
        wait_until_said(page)
        yield page


@pytest.mark.browser
def test_a_visitor_exposes_the_patient_again(open_window: Page) -> None:
    page = open_window
    choice, slider = page.locator("#sim-beside"), page.get_by_role("slider", name="Strength")
    names, says = page.locator("#simulate .pane-name"), page.locator(".sim-beside-says")
    expect(slider).to_be_hidden()
    choice.select_option("dose")
    expect(names.last).to_have_text("Lower dose, factor of the dose: 0.125, the same patient", timeout=SLOW)
    expect(says.first).to_have_text(
        re.compile(r"^The same patient, Lower dose, factor of the dose: 0\.125: Mass \d\.\d\d, "), timeout=SLOW
    )
    assert page.url.endswith("&show=film,masks,dose-3")
    slider.fill("5")
    expect(names.last).to_contain_text("0.03125", timeout=SLOW)
    expect(page.locator(".sim-dial")).to_have_text("factor of the dose: 0.03125")
    assert_accessible_at(page, *WIDTHS, within="#simulate")
    page.reload()
    wait_until_said(page)
    expect(names.last).to_contain_text("0.03125", timeout=SLOW)
    expect(choice).to_have_value("dose")
    page.keyboard.press("c")
    expect(names.last).to_have_text("Center B, the same patient", timeout=SLOW)
    expect(choice).to_have_value("centers")
    expect(slider).to_be_hidden()
    choice.select_option("projection")
    expect(names.last).to_have_text("The other projection, the same patient", timeout=SLOW)
    choice.select_option("")
    expect(page.locator("#simulate .view")).to_have_count(1)
    expect(says).to_have_count(0)
