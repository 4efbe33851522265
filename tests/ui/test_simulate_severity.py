"""Simulate's "By severity": a finding of a simulated film is drawn and read from subtle to obvious."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.insertion.dose_response import SEVERITIES
from explorer.simulator.address import parse_film_address
from explorer.ui.simulate.severity_sweep import swept_films
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible_at
from tests.ui.simulate_room import SLOW, wait_until_said
from tests.ui.windows import Kind, go, windows

FILM = "phantom://v2/A/300041?Mass=left,0.40&Scoliosis=right,0.70"


def test_only_the_severity_of_one_finding_changes() -> None:
    without, *swept = swept_films(parse_film_address(FILM), "Mass")
    assert without.address == "phantom://v2/A/300041?Scoliosis=right,0.70"
    assert [each.address for each in swept[::5]] == [
        f"phantom://v2/A/300041?Mass=left,{severity}&Scoliosis=right,0.70" for severity in ("0.00", "0.50", "1.00")
    ]
    assert len(swept) == len(SEVERITIES)


@pytest.fixture
def page(chromium: Browser, phantom_server: Server) -> Iterator[Page]:
    with windows(chromium).window(1440, 900, Kind()) as page:
        page.set_default_timeout(SLOW)
        go(page, f"{phantom_server.url}/#simulate?center=A&seed=300041&version=2&Mass=left,0.40&Scoliosis=right,0.70")
        wait_until_said(page)
        yield page


@pytest.mark.browser
def test_scores_are_drawn_by_severity_and_stay_while_the_slider_moves(page: Page) -> None:
    mass, scoliosis = page.locator(".sim-request").all()
    button = mass.get_by_role("button", name="By severity")
    button.click()
    chart = mass.locator(".severity-chart")
    expect(chart.locator("circle")).to_have_count(2 * len(SEVERITIES))
    scores = [float(each.split(": ")[1]) for each in chart.locator("circle title").all_text_contents()]
    flagged = chart.locator(".severity-line[data-place='0'] circle.flagged").count()
    assert flagged == sum(score >= 0.5 for score in scores[: len(SEVERITIES)]), "the card's threshold is 0.5"
    expect(chart).to_contain_text(re.compile(r"phantom (Flagged|Not flagged).*phantom-vlm It cannot judge Mass\."))
    without = re.compile(r"Without it: phantom \d\.\d\d, phantom-vlm \d\.\d\d\.")
    expect(mass.locator(".sim-sweep")).to_contain_text(without)
    now = chart.locator(".severity-now").get_attribute("d")
    mass.locator(".sim-slider").fill("0.9")
    expect(chart.locator(".severity-now")).not_to_have_attribute("d", now or "")
    assert_accessible_at(page, 1440)
    scoliosis.locator(".sim-slider").fill("0.1")
    expect(chart).to_have_count(0)  # these were the scores of another film
    expect(button).to_have_attribute("aria-expanded", "false")
